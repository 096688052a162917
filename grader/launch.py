"""The first code inside the sandbox: give up every right that a lab does not need, then become its kernel.

Run as ``python -I launch.py '{...}'`` by :mod:`grader.sandbox`, standard library only.  The order matters:
change the user while that is still allowed, copy the caches as that user, then the limits, and last the two
doors that never open again: ``no_new_privs`` with a system-call filter, and Landlock.

The filter refuses what a lab never calls but an attack does: memory that no process shows as its own
(``memfd_create``, System V memory, semaphores and messages, larger socket buffers), room on a disk beyond a
file's end, files without a name, sockets but for those of this machine, other name spaces, tracing other
processes, the kernel's young and broad interfaces (``bpf``, ``io_uring``).  It is a list of refusals, not a
proof: the name spaces around it hold the rest.

References
----------
M. Salaun, "Landlock: unprivileged access control", Linux kernel documentation (2021).
W. Drewry, "Seccomp BPF", Linux kernel documentation (2012).
"""

import contextlib
import ctypes
import importlib.util
import json
import os
import platform
import resource
import shutil
import signal
import struct
import sys
import threading

# system call: its number on x86_64 and on aarch64
REFUSED = {
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "shmget": (29, 194),
    "semget": (64, 190),
    "msgget": (68, 186),
    "unshare": (272, 97),
    "setns": (308, 268),
    "mount": (165, 40),
    "fsopen": (430, 430),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "pivot_root": (155, 41),
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "bpf": (321, 280),
    "io_uring_setup": (425, 425),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
}
EPERM, EINVAL, ENOSYS, EOPNOTSUPP = 1, 22, 38, 95
# Calls that fail as if this system had them not: two hide their flags in memory, out of sight of a filter,
# the third makes a file grow on the disk and not in its size (the C library then writes zeros instead).
ABSENT = {
    "clone3": ((435, 435), ENOSYS),
    "openat2": ((437, 437), ENOSYS),
    "fallocate": ((285, 47), EOPNOTSUPP),
}
ANY, UNIX = 0xFFFFFFFF, 1  # all bits of an argument; sockets between processes of one machine
TMPFILE = 0x400000  # a file without a name, which no one sees
# Flags of ``clone``: any new name space; a thread; what is shared; the parent waits.
CLONE_NEW, THREAD, FILES, MEMORY, WAITED = 0x7E020000, 0x10000, 0x400, 0x100, 0x4000
RESERVE = (0x40305828, 0x4030582A, 0x40305839)  # ``fallocate`` by another door
BUFFERS = (7, 8, 32, 33)  # SO_SNDBUF, SO_RCVBUF and both by force: memory that no process shows
# Calls refused for some values of an argument: number on x86_64 and on aarch64, position of the argument, the
# bits that are looked at, whether the values are those allowed or those refused, the values, error.
ALLOWED, FORBIDDEN = True, False
ARGUED = {
    "openat": ((257, 56), 2, TMPFILE, ALLOWED, (0,), EOPNOTSUPP),
    "open": ((2, None), 1, TMPFILE, ALLOWED, (0,), EOPNOTSUPP),
    # No name spaces; no thread with descriptors of its own, which no one would count; no process that shares
    # the memory of one that goes on: it could hand a mountain of it from child to child, unseen by any look.
    "clone": (
        (56, 220),
        0,
        CLONE_NEW | THREAD | FILES | MEMORY | WAITED,
        ALLOWED,
        (0, FILES, WAITED, WAITED | MEMORY, THREAD | FILES | MEMORY),
        EPERM,
    ),
    # Who takes over process 1 must not cut it loose from the grader.
    "prctl": ((157, 167), 0, ANY, FORBIDDEN, (1,), EPERM),
    "close_range": ((436, 436), 2, 2, ALLOWED, (0,), EINVAL),
    "ioctl": ((16, 29), 1, ANY, FORBIDDEN, RESERVE, EOPNOTSUPP),
    # The one error that ZeroMQ, which looks for networks, takes for "there are none".
    "socket": ((41, 198), 0, ANY, ALLOWED, (UNIX,), EOPNOTSUPP),
    "socketpair": ((53, 199), 0, ANY, ALLOWED, (UNIX,), EOPNOTSUPP),
    "setsockopt": ((54, 208), 2, ANY, FORBIDDEN, BUFFERS, EPERM),
}
ARCHITECTURES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}  # column above, audit constant
PR_SET_PDEATHSIG, PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS = 1, 22, 38
libc = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None


def main():
    """Follow the settings in the first argument, then run the kernel in this process."""
    settings = json.loads(sys.argv[1])
    if settings.get("uid"):
        os.setgroups([])
        os.setgid(settings["uid"])
        os.setuid(settings["uid"])  # which forgets whose death is ours
    if libc:
        libc.prctl(PR_SET_PDEATHSIG, 9)
        if settings["parent"] not in (None, os.getppid()):
            sys.exit("who started this kernel died before it could ask to die with them")
    os.umask(0o022)  # what is kept of the caches is read by another user
    os.chdir(settings["work"])
    for source, target in settings["copies"]:
        shutil.copytree(source, target, dirs_exist_ok=True, copy_function=shutil.copy)
    limit(settings["limits"])
    if libc:
        libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
        if settings.get("landlock"):
            landlock(settings["landlock"])
    filtered = libc and refuse_system_calls()
    if os.getpid() == 1 and not settings["probe"]:
        reap_orphans()
    sys.path[:0] = settings["path"]
    sys.meta_path.insert(0, Closed(settings["closed"]))
    sys.argv = [sys.argv[0]]
    if settings["probe"]:
        sys.exit(0 if all(map(importlib.util.find_spec, ("ipykernel", "numpy"))) else 1)
    from ipykernel.kernelapp import launch_new_instance  # after the limits, on purpose

    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # who started us reads what went wrong until here
    if filtered:
        pipe_without_a_network()
    options = ["--HistoryManager.enabled=False", "--IPKernelApp.log_level=CRITICAL"]
    launch_new_instance(argv=["-f", settings["connection"], *options])


def reap_orphans():
    """Go on in a child.  Process 1 stays behind, under the same limits and filter, and buries the dead.

    It ends, and all with it, when the other end of its standard input is closed: a monitor that root started
    has no right to kill a process of our user, not even when it is killed itself.
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # which for a process 1 means: not from inside
    kernel = os.fork()
    if kernel == 0:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        return
    threading.Thread(target=lambda: os._exit(len(os.read(0, 1)) or 1), daemon=True).start()
    while True:
        ended, status = os.wait()
        if ended == kernel:
            os._exit(os.waitstatus_to_exitcode(status) & 255)


def pipe_without_a_network():
    """Let what forked processes print reach the kernel by a socket with a name and not by a port."""
    import zmq
    from ipykernel.iostream import IOPubThread

    address = f"ipc://@{os.urandom(16).hex()}"  # in no folder

    def pipe_out(thread):
        context = zmq.Context()
        pipe = context.socket(zmq.PUSH)
        pipe.linger = 3000  # milliseconds
        pipe.connect(address)
        return context, pipe

    zmq.Socket.bind_to_random_port = lambda pipe, *_, **__: pipe.bind(address)
    IOPubThread._setup_pipe_out = pipe_out


def limit(limits):
    """Resource limits of every process from here on; never above what is allowed already."""
    for name, most in limits.items():
        with contextlib.suppress(AttributeError, ValueError, OSError):  # macOS lacks some, or cannot set them
            which = getattr(resource, name)
            hard = resource.getrlimit(which)[1]
            most = most if hard == resource.RLIM_INFINITY else min(most, hard)
            resource.setrlimit(which, (most, most))


class Closed:
    """An import hook that names what this lab keeps closed, so that the error says more than "not found"."""

    def __init__(self, names):
        self.names = frozenset(names)

    def find_spec(self, name, path=None, target=None):
        if name in self.names:
            raise ImportError(f"this lab does not open {name!r}: write it yourself", name=name)
        return None


def refuse_system_calls():
    """Have the machine's kernel answer the calls above with an error, in this process and all it starts."""
    if platform.machine() not in ARCHITECTURES:
        return False
    program = _filter(*ARCHITECTURES[platform.machine()])
    packed = b"".join(struct.pack("HBBI", *step) for step in program)
    buffer = ctypes.create_string_buffer(packed)
    header = ctypes.create_string_buffer(struct.pack("HxxxxxxQ", len(program), ctypes.addressof(buffer)))
    return libc.prctl(PR_SET_SECCOMP, 2, header, 0, 0) == 0


# Instructions of the filter's little machine, and what it gives back.
LOAD, EQUAL, AT_LEAST, AND, JUMP, GIVE = 0x20, 0x15, 0x35, 0x54, 0x05, 0x06
ALLOW, ERROR = 0x7FFF0000, 0x00050000


def _filter(column, architecture):
    """The filter as instructions: (code, steps to skip if true, if false, value)."""
    program = [
        (LOAD, 0, 0, 4),  # the architecture: another one (32 bit) has other numbers
        (EQUAL, 1, 0, architecture),
        (GIVE, 0, 0, ERROR | EPERM),
        (LOAD, 0, 0, 0),  # the number of the call
        (AT_LEAST, 0, 1, 0x40000000),  # the x32 twin of every call
        (GIVE, 0, 0, ERROR | EPERM),
    ]
    for both, error in [*ABSENT.values(), *((both, EPERM) for both in REFUSED.values())]:
        program += [(EQUAL, 0, 1, both[column]), (GIVE, 0, 0, ERROR | error)]
    for both, *rule in ARGUED.values():
        if both[column] is not None:
            steps = _look_at_argument(*rule)
            program += [(EQUAL, 0, len(steps), both[column]), *steps]
    return [*program, (GIVE, 0, 0, ALLOW)]


def _look_at_argument(position, bits, allowed, values, error):
    """The instructions that refuse a call for an argument, or go on with the number of the call."""
    steps = [(LOAD, 0, 0, 16 + 8 * position), (AND, 0, 0, bits)]
    # A value that is found skips the rest: to behind the refusal if it is allowed, else to the refusal.
    steps += [(EQUAL, len(values) - number, 0, value) for number, value in enumerate(values)]
    steps += [] if allowed else [(JUMP, 0, 0, 1)]
    return [*steps, (GIVE, 0, 0, ERROR | error), (LOAD, 0, 0, 0)]


def landlock(rules):
    """Leave the process only the named folders: ``read`` to read and run, ``write`` for everything."""
    version = libc.syscall(444, None, 0, 1)
    if version < 1:
        return False
    everything = (1 << (13 if version == 1 else 14 if version == 2 else 15)) - 1
    read = 1 | 4 | 8  # execute, read file, read folder
    network = 3 if version >= 4 else 0  # bind and connect over TCP
    attributes = struct.pack("QQ", everything, network)[: 16 if version >= 4 else 8]
    handle = libc.syscall(444, attributes, len(attributes), 0)
    for paths, rights in ((rules["read"], read), (rules["write"], everything)):
        for path in paths:
            if not os.path.exists(path):
                continue
            target = os.open(path, os.O_PATH | os.O_CLOEXEC)
            granted = rights if os.path.isdir(path) else rights & (1 | 2 | 4 | 1 << 14)
            if libc.syscall(445, handle, 1, struct.pack("=Qi", granted & everything, target), 0):
                raise OSError(ctypes.get_errno(), "landlock", path)
            os.close(target)
    return libc.syscall(446, handle, 0) == 0


if __name__ == "__main__":
    main()
