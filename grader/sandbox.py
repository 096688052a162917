"""Where a student's code runs: the best isolation that this machine offers, named in every report.

A submission is a stranger's program.  It must not read the reference or other submissions, reach a network,
outlive its limits or leave anything behind.  Three layers are known, strongest first:

``bubblewrap``
    A file system put together from nothing (system libraries, this Python, the few files a lab may import),
    name spaces of its own for processes, network, shared memory and users, small folders in memory to
    write to.  When the one process that holds it dies, everything in it dies.
``unshare``
    Name spaces for processes and network as ``bubblewrap`` has them; the files of the machine stay visible
    but for what Landlock closes.
``limits``
    Resource limits, Landlock and the system-call filter where the kernel has them.  Not a sandbox: a process
    that hides can survive, and without Landlock every file is open.

The last two are used only when the instructor says ``--trust``.  In all of them :mod:`grader.launch` sets the
resource limits, and :mod:`grader.watch` sees from outside how much memory the whole tree of processes holds.
"""

import functools
import importlib.util
import itertools
import json
import os
import re
import secrets
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from dataclasses import dataclass
from pathlib import Path

from grader.doors import mounts_over

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
SHORT = 1  # second for a cell that is known to block: what it did before that is needed
NEEDED = ("__init__.py", "check.py", "values.py")  # of this package, inside


@dataclass(frozen=True)
class Limits:
    """What one submission may use.  A cell over its limit loses; the other questions keep their points."""

    cell_seconds: float = 60  # of a processor; so are the next
    wall_seconds: float = 600  # of all runs of a submission together
    process_mb: int = 6000  # address space of one process: compilers reserve far more than they use
    tree_mb: int = 2000  # memory that all its processes hold together
    output_mb: float = 8  # of one cell
    file_mb: int = 100  # the largest file, and each of the folders in memory
    files: int = 50_000  # in each of the folders in memory: an empty one takes a kilobyte too
    processes: int = 128  # threads count
    family: int = 64  # processes at once
    sockets: int = 1000  # of all its processes; each holds up to 0.2 MB that belongs to no process
    restarts: int = 5  # new kernels after a cell that killed or blocked the old one

    def resources(self):
        """The part that the kernel of the machine enforces, by the names of the module ``resource``."""
        return {
            "RLIMIT_AS": self.process_mb << 20,
            "RLIMIT_FSIZE": self.file_mb << 20,
            "RLIMIT_NPROC": self.processes + (0 if counts_by_sandbox() else 8192),
            "RLIMIT_NOFILE": 256,
            "RLIMIT_CPU": int(2 * self.wall_seconds) + 10,
            "RLIMIT_CORE": 0,
            "RLIMIT_MSGQUEUE": 0,
        }


def counts_by_sandbox():
    """Whether a limit on processes is one sandbox's, or (before Linux 5.14) that of all this user runs."""
    found = re.match(r"(\d+)\.(\d+)", os.uname().release)
    return os.getuid() == 0 or sys.platform == "linux" and tuple(map(int, found.groups())) >= (5, 14)


@dataclass(frozen=True)
class Settings:
    """How to run: the layer of isolation, the limits, what stays closed, which caches to start from."""

    layer: str = ""
    limits: Limits = Limits()
    closed: tuple = ()
    warm: str = ""  # caches to start from: ``warm/numba`` and ``warm/matplotlib``
    harvest: bool = False  # the instructor's own run: fill ``warm`` instead of copying it
    open: bool = False  # nothing secret is in it: keep what cells say
    probe: bool = False  # start, give up every right, find the kernel's code, end


@dataclass(frozen=True)
class Box(Settings):
    """One sandbox to be started, with the folder for its sockets."""

    sockets: Path = None

    @functools.cached_property
    def uid(self):
        """For root: a user id that no one else has, so that limits on processes count this sandbox alone.

        Not even the one before it, whose processes may still be dying, or one in a container beside ours.
        The weaker layers show this Python at its own place, which for root is often open to root only.
        """
        own = self.layer == "bubblewrap" and os.getuid() == 0
        return 2_000_000 + secrets.randbelow(1 << 22) if own else 0

    @property
    def inside(self):
        """The folder for sockets as it is named inside."""
        return "/sockets" if self.layer == "bubblewrap" else str(self.sockets)

    def prepare(self):
        """Make the folder that the sandbox may write to its user's own."""
        if self.layer != "bubblewrap":  # which works in memory
            package = self.sockets / "work" / "course" / "grader"
            package.mkdir(parents=True)  # a copy: Landlock lets no one list the folder of this package
            for name in NEEDED:
                shutil.copy(HERE / name, package)
        warm = Path(self.warm)
        caches = [warm, warm / "numba", warm / "matplotlib"] if self.harvest else []
        for folder in caches:
            folder.mkdir(parents=True, exist_ok=True)
            folder.chmod(0o755)  # whatever the umask: the next sandbox is another user's
        for folder in (self.sockets, *caches) if self.uid else ():
            os.chown(folder, self.uid, self.uid)

    def command(self):
        """The argument list that starts the kernel inside."""
        settings = {
            "limits": self.limits.resources(),
            "work": "/lab" if self.layer == "bubblewrap" else str(self.sockets / "work"),
            "connection": f"{self.inside}/kernel.json",
            "closed": list(self.closed),
            "copies": [],
            "path": [str(ROOT)] if self.layer == "bubblewrap" else [f"{self._home()}/course", str(ROOT)],
            "uid": self.uid,
            "parent": None if self.layer in ("bubblewrap", "unshare") else os.getpid(),
            "probe": self.probe,
        }
        warm = [self.warm] if self.warm else []
        for name in ("numba", "matplotlib") if warm and not self.harvest else ():
            if Path(self.warm, name).is_dir():
                settings["copies"].append((f"{self.warm}/{name}", f"{self._home()}/{name}"))
        if self.layer != "bubblewrap":
            write = [str(self.sockets), "/dev/null", "/dev/shm", *(warm if self.harvest else [])]
            settings["landlock"] = {"read": [*readable(), *warm], "write": write}
        start = [sys.executable, "-I", "-X", "utf8", str(HERE / "launch.py"), json.dumps(settings)]
        if self.layer == "bubblewrap":
            return [*self._bubblewrap(), *start]
        if self.layer == "unshare":
            spaces = "--net --ipc --pid --fork --kill-child --mount-proc".split()
            return ["unshare", "--user", "--map-root-user", *spaces, *start]
        return start

    def environment(self):
        """A few variables, none of the instructor's own; one thread, so that marks do not depend on cores."""
        home = self._home()
        cache = self.warm if self.harvest else home
        values = {name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")}
        values |= {"NUMBA_NUM_THREADS": "1", "NUMBA_CACHE_DIR": f"{cache}/numba", "LANG": "C.UTF-8"}
        values |= {"MPLCONFIGDIR": f"{cache}/matplotlib", "HOME": home, "TMPDIR": home, "USER": "student"}
        values |= {"PATH": "/usr/bin:/bin", "PYTHONHASHSEED": "0", "PYDEVD_DISABLE_FILE_VALIDATION": "1"}
        return values | {"JUPYTER_PLATFORM_DIRS": "1", "IPYTHONDIR": f"{home}/ipython"}

    def _home(self):
        return "/tmp" if self.layer == "bubblewrap" else str(self.sockets / "work")

    def _bubblewrap(self):
        size = str(self.limits.file_mb << 20)
        command = "bwrap --as-pid-1 --die-with-parent --new-session --hostname lab --cap-drop ALL".split()
        command += "--unshare-uts --unshare-ipc --unshare-pid --unshare-net --unshare-cgroup-try".split()
        if self.uid:  # root is not let in: launch.py becomes this user, which nobody else is
            command += "--cap-add CAP_SETUID --cap-add CAP_SETGID".split()
        else:
            command += "--unshare-user --uid 1000 --gid 1000".split()
        command += f"--proc /proc --dev /dev --size {size} --perms 1777 --tmpfs /dev/shm".split()
        command += ["--remount-ro", "/dev"]
        # The memory folders come before the bindings, which may lie under /tmp themselves.
        for folder in ("/tmp", "/lab"):
            command += f"--size {size} --perms 1777 --tmpfs {folder}".split()
        bound = [*readable(), *([self.warm] if self.warm else [])]
        above = {str(parent) for path in bound for parent in Path(path).parents} - {"/", "/tmp"}
        for folder in sorted(above):  # bubblewrap would make them for its own user only
            command += ["--perms", "0755", "--dir", folder]
        for path in bound:
            if os.path.islink(path):
                command += ["--symlink", os.path.realpath(path), path]
            else:
                command += ["--bind" if self.harvest and path == self.warm else "--ro-bind", path, path]
        command += mounts_over(self.closed)
        for folder in foreign_packages():
            command += ["--tmpfs", folder, "--remount-ro", folder]
        command += ["--bind", str(self.sockets), "/sockets"]
        command += ["--ro-bind-try", str(self.sockets / "kernel.json"), "/sockets/kernel.json"]
        return [*command, *"--remount-ro / --chdir /lab --".split()]


@functools.cache
def readable():
    """The files of the machine that a lab needs: system libraries, this Python, the course's own package."""
    paths = ["/usr", "/bin", "/lib", "/lib64", "/etc/ld.so.cache", "/etc/fonts", "/etc/localtime"]
    paths += ["/opt/homebrew", "/Library", "/System"] if sys.platform == "darwin" else []
    paths += [sys.base_prefix, sys.prefix, sysconfig.get_path("purelib"), sysconfig.get_path("platlib")]
    paths += [str(HERE / name) for name in NEEDED] + [str(HERE / "launch.py")]
    package = importlib.util.find_spec("mllib")
    paths += package.submodule_search_locations if package else []
    paths += [os.path.realpath(path) for path in paths if os.path.islink(path)]
    found = []
    for path in paths:
        if os.path.exists(path) and not any(Path(path).is_relative_to(outer) for outer in found):
            found.append(path)
    return tuple(found)


def exposed(folders):
    """Those of the grader's own folders that lie inside what every submission can read, with what that is."""
    places = [os.path.realpath(path) for path in readable()]
    inside = itertools.product(folders, places)
    return {folder: place for folder, place in inside if Path(folder).resolve().is_relative_to(place)}


@functools.cache
def foreign_packages():
    """The folders of packages inside what is readable that are not this Python's: they could solve labs."""
    ours, found = {os.path.realpath(path) for path in sys.path}, set()
    for root in (sys.base_prefix, "/usr", "/usr/local"):
        for path in map(str, Path(root).glob("lib*/python3*/*-packages")):
            real = os.path.realpath(path)
            if real not in ours and real == os.path.realpath(root) + path.removeprefix(root):
                found.add(path)  # itself, and not a link to it
    return tuple(sorted(found))


# --- which layer ---------------------------------------------------------------------------------------


# What a report says about the isolation it was made with, strongest first.
LAYERS = {
    "bubblewrap": "Own files, processes, network and user; nothing else could be read, nothing changed.",
    "unshare": "Own processes and network; files closed by Landlock where the kernel has it (--trust).",
    "limits": "Resource limits only: a hostile submission could have read files or stayed behind (--trust).",
}


def best_layer():
    """The strongest layer that really starts here; each is tried with a kernel that only finds its code."""
    return next(layer for layer in LAYERS if not hindrance(layer))


def hindrance(layer):
    """Why a layer does not work on this machine, in the words of what failed; empty if it does.

    What has started once is not tried again.  What has not, is: the machine may have been short of something
    for a moment.
    """
    program = {"bubblewrap": "bwrap"}.get(layer, layer)
    if layer == "limits":
        return ""
    if shutil.which(program) is None:
        return f"{program} is not installed"
    try:
        try_to_start(layer)
    except (OSError, subprocess.TimeoutExpired) as problem:
        return str(problem)
    return ""


@functools.cache
def try_to_start(layer):
    """Start a layer as for a kernel, but only to look for the kernel's code."""
    with tempfile.TemporaryDirectory() as folder:
        sockets = Path(folder, "sockets")
        sockets.mkdir()
        os.chmod(folder, 0o755)
        box = Box(layer, probe=True, sockets=sockets)
        box.prepare()
        done = subprocess.run(box.command(), env=box.environment(), capture_output=True, timeout=60)
        if done.returncode:
            raise OSError(last_line(done.stderr) or f"exit code {done.returncode}")


def last_line(said):
    """The last line of what a program wrote, as a rule the one that says why it ended."""
    return said.decode("utf-8", "replace").strip().rpartition("\n")[2]
