"""A process that has imported nbval already and forks one child for each submission.

Importing pytest, nbval and zmq takes longer than starting the sandbox.  A nursery pays for it once; a child
starts in milliseconds, runs one plan (:func:`grader.marking.mark`) and ends, so that nothing of one
submission is there when the next one comes.  It reads a plan a line and answers a line; when its reader
goes away it dies, and with it the child and the child's sandbox.
"""

import atexit
import ctypes
import json
import os
import queue
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

_idle = queue.LifoQueue()
_all = set()
_lock = threading.Lock()
# A nursery dies with the thread that started it; the threads of a pool end long before we do.
_starter = ThreadPoolExecutor(1)


def mark(plan):
    """Run one plan in a child of an idle nursery; a new nursery is started if none is idle.

    Returns nothing: the child writes ``result.json`` into the plan's folder, if it lives to do so.
    """
    nursery = None
    while nursery is None:
        try:
            nursery = _idle.get_nowait()
        except queue.Empty:
            nursery = _start()
        if nursery.poll() is not None:  # somebody killed it
            _end(nursery)
            nursery = None
    try:
        nursery.stdin.write(json.dumps(plan) + "\n")
        nursery.stdin.flush()
        answer = nursery.stdout.readline()
    except BaseException:
        _end(nursery)
        raise
    if answer:
        _idle.put(nursery)
    else:
        _end(nursery)


def close():
    """End all nurseries, and with them whatever they run."""
    with _lock:
        running = list(_all)
    for nursery in running:
        _end(nursery)


def _start():
    root = str(Path(__file__).resolve().parent.parent)
    environment = {
        key: value for key, value in os.environ.items() if not key.startswith(("PYTEST", "PYTHON"))
    }
    environment |= {"PYTHONPATH": root, "PYTHONHASHSEED": "0", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    nursery = _starter.submit(
        subprocess.Popen,
        # -P: no folder of a submission is ever on the path. Its own group: an interrupt at the keyboard
        # is for the grader, which then ends its nurseries.
        [sys.executable, "-P", "-m", "grader.nursery"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=environment,
        start_new_session=True,
    ).result()
    with _lock:
        if not _all:
            atexit.register(close)
        _all.add(nursery)
    return nursery


def _end(nursery):
    with _lock:
        _all.discard(nursery)
    nursery.kill()
    nursery.wait()
    nursery.stdin.close()
    nursery.stdout.close()


def die_with_parent():
    """Ask the kernel (Linux) to kill this process when its parent ends, however it ends."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)


def serve():
    """Fork a child for each line of input; wait for it; answer with its exit code."""
    parent = os.getppid()
    die_with_parent()
    if os.getppid() != parent:
        return
    # If jsonschema finds this package it builds a grammar of web addresses, which takes a second; no notebook
    # is checked for them.
    sys.modules.setdefault("rfc3987_syntax", None)
    from grader import marking  # the slow imports, once

    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            code = 1
            try:
                die_with_parent()
                silent = os.open(os.devnull, os.O_RDWR)
                for stream in (0, 1, 2):
                    os.dup2(silent, stream)
                marking.mark(json.loads(line))
                code = 0
            finally:
                os._exit(code)
        _, status = os.waitpid(child, 0)
        print(status, flush=True)


if __name__ == "__main__":
    serve()
