"""Fetch a public package by its name and unpack it, with the ordinary client of its registry.

Only names stand here: which mirror serves them is the business of the machine's configuration.
Each function returns the unpacked folder and a line that says what was fetched.
"""

import os
import subprocess
import sys
import tarfile
import zipfile


def debian(work, package):
    """A Debian package, by apt-get."""
    folder = work / package
    if not folder.exists():
        subprocess.run(["apt-get", "download", package], cwd=work, check=True, stdout=subprocess.DEVNULL)
        (archive,) = work.glob(f"{package}_*.deb")
        subprocess.run(["dpkg-deb", "-x", archive, folder], check=True)
    (archive,) = work.glob(f"{package}_*.deb")
    version = subprocess.check_output(["dpkg-deb", "-f", archive, "Version"], text=True).strip()
    return folder, f"Debian {package} {version}"


def npm(work, package, version):
    """A package of the npm registry, by npm; its install scripts are not run."""
    folder = work / f"{package}-{version}"
    if not folder.exists():
        subprocess.run(
            ["npm", "pack", f"{package}@{version}"], cwd=work, check=True, capture_output=True, text=True
        )
        with tarfile.open(work / f"{package}-{version}.tgz") as archive:
            archive.extractall(folder, filter="data")
    return folder / "package", f"npm {package} {version}"


def wheel(work, package, version):
    """A wheel of the Python package index, by pip."""
    folder = work / f"{package}-{version}"
    if not folder.exists():
        _pip(work, "--only-binary", ":all:", f"{package}=={version}").check_returncode()
        (archive,) = work.glob(f"{package.replace('-', '_')}-{version}-*.whl")
        with zipfile.ZipFile(archive) as content:
            content.extractall(folder)
    return folder, f"PyPI {package} {version} (wheel)"


def source(work, package, version):
    """A source archive of the Python package index, by pip.

    pip insists on asking the archive for its metadata, which an old set-up script may not survive.
    By then pip has unpacked it, and ``--no-clean`` leaves it where we can find it.
    """
    temporary = work / f"{package}-{version}"
    if not temporary.exists():
        temporary.mkdir()
        _pip(work, "--no-clean", "--no-binary", ":all:", f"{package}=={version}", TMPDIR=str(temporary))
    found = [path.parent for path in temporary.glob("pip-*/*/PKG-INFO")]
    if not found:
        raise SystemExit(f"pip left no unpacked source of {package} {version} in {temporary}")
    return found[0], f"PyPI {package} {version} (source)"


def _pip(work, *arguments, **environment):
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--dest", str(work), *arguments]
    return subprocess.run(command, env={**os.environ, **environment}, capture_output=True, text=True)
