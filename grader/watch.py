"""Look at a sandbox from outside: which processes belong to it, what they hold, what they left.

Everything is read from ``/proc``, which needs no rights and no control groups; on a machine without it a look
sees nothing, and only the limits of each process hold.
"""

import contextlib
import glob
import itertools
import os
import re
import shutil
import signal
import subprocess
import time
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")
STRAY = 1 << 16  # bytes: the file with the kernel's ports has some hundred


def tree(pid):
    """A process and all its descendants, also those that left their group or session.

    Each is given at once, the newest first: one that hands on what it holds, and ends, is seen before that.
    """
    todo = [pid]
    while todo:
        one = todo.pop()
        yield one
        try:
            for thread in os.listdir(f"/proc/{one}/task"):
                todo += map(int, Path(f"/proc/{one}/task/{thread}/children").read_text().split())
        except (OSError, ValueError):  # it ended meanwhile, or this is no Linux
            continue


def facts(pid):
    """The folder of ``/proc`` that tells what a process holds: a living thread's if the first has ended."""
    whole = f"/proc/{pid}"
    for folder in itertools.chain([whole], glob.iglob(f"{whole}/task/*")):
        with contextlib.suppress(OSError):  # it ended meanwhile
            if not Path(folder, "statm").read_text().startswith("0 "):
                return folder
    return whole


RESERVED, RESIDENT = 0, 1  # columns of ``statm``


def megabytes(folder="/proc/self", column=RESIDENT):
    """The memory that a process holds, shared pages included, or has reserved; 0 if it has ended."""
    try:
        pages = int(Path(folder, "statm").read_text().split()[column])
    except (OSError, IndexError, ValueError):
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def usage(pid, most):
    """Whether a process and all its descendants hold more than ``most`` megabytes of memory.

    A quick look counts pages that forked processes share once for each of them; only if that is too much,
    the slow look counts every page once.
    """
    family = {folder: megabytes(folder) for folder in map(facts, tree(pid))}
    if sum(family.values()) <= most:
        return False
    kilobytes = 0
    for one in filter(family.get, family):  # those that ended and were not waited for hold nothing
        try:
            found = re.search(r"^Pss:\s+(\d+) kB", Path(f"{one}/smaps_rollup").read_text(), re.MULTILINE)
            kilobytes += int(found[1])
        except PermissionError:
            return True
        except (OSError, TypeError):
            continue
    return kilobytes > most << 10


def reap():
    """Kill everything that descends from this process, and wait for it, until nothing is left.

    For the layer without name spaces: this process is the one to which orphans are given (a subreaper).
    """
    for _ in range(200):
        family = list(tree(os.getpid()))[1:]
        if not family:
            return
        for one in family:
            with contextlib.suppress(OSError):
                os.kill(one, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        time.sleep(0.01)


class Clock:
    """Time as a sandbox uses it: a processor that others had is not its fault, whatever the machine does.

    ``ran`` are the seconds of processor time of a process and its descendants since the clock was made, and
    ``idle`` those in which no thread of theirs ran, waited for its turn or for a disk; ``processes`` is how
    many of them there were at the last look.  Where nothing can be seen (no ``/proc``), all time counts as
    a processor's.
    """

    def __init__(self, pid):
        self.pid, self.ran, self.idle, self.now, self._seen = pid, 0.0, 0.0, time.monotonic(), 0.0
        self._own, self._all, _ = self._read()

    def look(self):
        """Read the clock."""
        own, everything, active = self._read()
        # Twice: by the processes that are there, and with those that ended and were waited for.
        self._seen += sum(max(0, own[one] - self._own.get(one, 0)) for one in own)
        self._own = own
        now = time.monotonic()
        self._seen += 0 if own else now - self.now
        self.ran = max(self.ran, self._seen, everything - self._all)
        self.idle += 0 if active or not own else now - self.now
        self.now = now

    def _read(self):
        own, everything, active = {}, 0, False
        for one in tree(self.pid):
            try:
                fields = Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split()
            except OSError:  # it ended meanwhile
                continue
            ticks = list(map(int, fields[11:15]))  # its own in both modes, its children's in both
            own[one] = sum(ticks[:2]) / TICKS
            everything += sum(ticks) / TICKS
            active = active or _active(one)
        self.processes = len(own)
        return own, everything, active


def _active(pid):
    """Whether a thread of a process runs, or would if it could."""
    for file in glob.iglob(f"/proc/{pid}/task/*/stat"):
        with contextlib.suppress(OSError):
            if Path(file).read_text().rpartition(")")[2].split()[0] in "RD":
                return True
    return False


def sockets(pid, most):
    """Whether a process and all its descendants hold more than ``most`` sockets.

    What waits in a socket is the machine's memory and no process's.  A process that lets no one look at its
    descriptors counts as too many; one that ended and was not waited for has none.
    """
    found = set()
    for one in tree(pid):
        folder = f"{facts(one)}/fd"
        try:
            for name in os.listdir(folder):
                with contextlib.suppress(FileNotFoundError):  # closed meanwhile
                    link = os.readlink(f"{folder}/{name}")
                    found |= {link} if link.startswith("socket:") else set()
        except PermissionError:
            if megabytes(facts(one)):
                return True
        except OSError:
            continue
    return len(found) > most


def crowded(pid, most):
    """Whether a folder in the memory of a sandbox with its own file system holds more than ``most`` files.

    They belong to no process, so :func:`usage` does not see what they take.
    """
    for one in tree(pid):
        root = f"/proc/{one}/root"
        try:
            if os.path.samefile(root, "/"):  # the outermost process stands outside
                continue
            for folder in ("lab", "tmp", "dev/shm"):
                found = os.statvfs(f"{root}/{folder}")
                if found.f_files - found.f_ffree > most:
                    return True
        except OSError:  # it ended meanwhile: another one sees the same folders
            continue
        return False
    return False


def changed(folder):
    """When an entry of a folder was last made or removed; no program can set this time."""
    return os.stat(folder).st_ctime_ns


def strays(folder, made):
    """Whether the sandbox put anything into the one folder that it shares with us since ``made``.

    A file that is made and removed at once still takes room as long as it is open; so it is the folder's own
    time that tells, not what stands in it.
    """
    try:
        with os.scandir(folder) as entries:
            files = [e.stat(follow_symlinks=False) for e in entries if not e.is_dir()]
    except OSError:  # one is gone in this instant
        return True
    # Room on the disk beyond a file's end does not show in its size.
    largest = max((max(file.st_size, 512 * file.st_blocks) for file in files), default=0)
    return changed(folder) != made or largest > STRAY


def remove(folder):
    """Delete a folder, also if it is nested deeper than Python's recursion goes or closed to its owner."""
    with contextlib.suppress(RecursionError):
        shutil.rmtree(folder, ignore_errors=True)
    for command in (["chmod", "-R", "u+rwx"], ["rm", "-rf"]):
        if os.path.lexists(folder):
            subprocess.run([*command, "--", str(folder)], check=False, stderr=subprocess.DEVNULL)
