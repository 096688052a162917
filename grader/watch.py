"""Look at a sandbox from outside: which processes belong to it, what they hold, what they left.

Everything is read from ``/proc``, which needs no rights and no control groups; on a machine without it a look
sees nothing, and only the limits of each process hold.
"""

import contextlib
import os
import re
import signal
import time
from pathlib import Path


def tree(pid):
    """A process and all its descendants, also those that left their group or session."""
    found, todo = [], [pid]
    while todo:
        one = todo.pop()
        found.append(one)
        try:
            for thread in os.listdir(f"/proc/{one}/task"):
                todo += map(int, Path(f"/proc/{one}/task/{thread}/children").read_text().split())
        except (OSError, ValueError):  # it ended meanwhile, or this is no Linux
            continue
    return found


def usage(pid, most):
    """Whether a process and all its descendants hold more than ``most`` megabytes of memory.

    A quick look counts pages that forked processes share once for each of them; only if that is too much,
    the slow look counts every page once.
    """
    pages, family = 0, tree(pid)
    for one in family:
        try:
            resident, shared = Path(f"/proc/{one}/statm").read_text().split()[1:3]
            pages += int(resident) - int(shared)
        except (OSError, ValueError):
            continue
    if pages * os.sysconf("SC_PAGE_SIZE") <= most << 20:
        return False
    kilobytes = 0
    for one in family:
        try:
            found = re.search(
                r"^Pss:\s+(\d+) kB", Path(f"/proc/{one}/smaps_rollup").read_text(), re.MULTILINE
            )
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
        family = tree(os.getpid())[1:]
        if not family:
            return
        for one in family:
            with contextlib.suppress(OSError):
                os.kill(one, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        time.sleep(0.01)


def strays(folder, expected):
    """Whether the sandbox put anything beside its sockets into the one folder that it shares with us."""
    with os.scandir(folder) as entries:
        return any(entry.name not in expected for entry in entries)
