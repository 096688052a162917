"""Create ``.venv`` and install the exact versions of ``requirements.lock``; a second run does nothing.

Runs under whatever Python a stranger has, so that it can say what is wrong; hence the plain syntax.
"""

import hashlib
import os
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
VENV = os.path.join(ROOT, ".venv")
PYTHON = os.path.join(VENV, "Scripts" if os.name == "nt" else "bin", "python")
STAMP = os.path.join(VENV, "installed")
# A student's first sight of JupyterLab is the lab, not a question about its news; and a slider that was saved
# shows its picture when no kernel runs.
LAB = os.path.join(ROOT, "tools", "lab.json")
NEEDS = 2 * 10**9  # bytes: 1.1 GB of packages and room to unpack them


def wanted():
    """A name for what should be installed."""
    total = hashlib.sha256(sys.version.encode())
    for name in ("requirements.lock", "pyproject.toml", "tools/bootstrap.py", "tools/lab.json"):
        with open(os.path.join(ROOT, name), "rb") as file:
            total.update(file.read())
    return total.hexdigest()


def stop(message):
    """Say what is wrong and what to do, and end."""
    sys.exit("\n" + message + "\n")


def run(command, failure):
    """Run a command whose output the user sees; stop with ``failure`` when it does not succeed."""
    if subprocess.call(command, cwd=ROOT) != 0:
        free = shutil.disk_usage(ROOT).free
        if free < 2 * 10**8:
            stop("The disk is full: {:.1f} GB are left at {}.".format(free / 1e9, ROOT))
        stop(failure)


def same_python():
    """Whether ``.venv`` works and holds the Python that runs this."""
    try:
        return (
            subprocess.check_output([PYTHON, "-c", "import sys; print(sys.version)"], text=True).strip()
            == sys.version
        )
    except (OSError, subprocess.CalledProcessError):
        return False


def main():
    """Install what is missing."""
    version = "{}.{}".format(*sys.version_info[:2])
    if sys.version_info < (3, 11):
        stop(
            "Python 3.11 or newer is needed, this is {} ({}).\n"
            "Where another one is installed, name it: make book PYTHON=python3.12".format(
                version, sys.executable
            )
        )
    goal = wanted()
    if os.path.exists(STAMP) and os.path.exists(PYTHON):
        with open(STAMP) as file:
            if file.read() == goal:
                return
    if sys.version_info >= (3, 15):
        print("Python {} is newer than what this was tested with, 3.11 to 3.14; trying.".format(version))
        print("(Some packages may have no wheels for it: pyproject.toml names those known.)")
    free = shutil.disk_usage(ROOT).free
    if free < NEEDS:
        stop("About 2 GB of disk are needed, {:.1f} GB are free at {}.".format(free / 1e9, ROOT))
    print("Installing into {} (a minute or two, once)".format(VENV), flush=True)
    if os.path.exists(STAMP):
        os.remove(STAMP)
    if not same_python():
        run(
            [sys.executable, "-m", "venv", "--clear", VENV],
            "The virtual environment could not be made. On Debian and Ubuntu: sudo apt install python3-venv",
        )
    pip = [PYTHON, "-m", "pip", "--disable-pip-version-check"]
    quiet = [] if sys.stdout.isatty() else ["--quiet"]
    run(
        [*pip, "install", *quiet, "--require-hashes", "-r", "requirements.lock"],
        "The packages could not be installed; the lines above say which, and why. If they speak of a\n"
        "connection, the package index cannot be reached: check the network or proxy, then run this again.",
    )
    run(
        [*pip, "install", "--quiet", "--no-deps", "--no-build-isolation", "-e", "."],
        "The packages of this project could not be installed; the lines above say why.",
    )
    settings = os.path.join(VENV, "share", "jupyter", "lab", "settings")
    os.makedirs(settings, exist_ok=True)
    shutil.copy(LAB, os.path.join(settings, "overrides.json"))
    with open(STAMP, "w") as file:
        file.write(goal)


if __name__ == "__main__":
    main()
