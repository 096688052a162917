"""A notebook kernel inside a sandbox, spoken to from outside by someone who does not trust it.

nbval's ``RunningKernel`` starts a kernel that shares our machine, waits for its answer, and notices a dead
one when the cell's time is over.  This one starts in a :class:`grader.sandbox.Box`, looks ten times a second
whether the process still lives and how much memory its tree holds, and counts every byte that arrives
before it is parsed.  What it says is believed in one respect only: the check bundles that a cell displays.
"""

import contextlib
import json
import os
import re
import subprocess
import time
import uuid

import zmq
from jupyter_client import BlockingKernelClient
from nbval.kernel import RunningKernel

from grader.check import MIME
from grader.collect import measure
from grader.sandbox import last_line
from grader.watch import Clock, changed, crowded, megabytes, reap, remove, sockets, strays, usage

PORTS = {"shell_port": 1, "iopub_port": 2, "stdin_port": 3, "control_port": 4, "hb_port": 5}
LARGEST_MESSAGE = 16 << 20  # bytes: beyond it the connection is cut before the message is in memory
LARGEST_HEADER = 1 << 16  # bytes of each of the three headers: dates are sought in them, one by one
AT_ONCE, LONGEST = 8 << 20, 0.1  # bytes and seconds after which no further message is read before a look
QUEUED = 64  # messages that may wait
LOOK = 0.1  # seconds between two looks at the process
STARTUP = 60  # seconds until a kernel must have answered
GRACE = 2.0  # seconds to obey an interrupt
SHOWN = 2  # bundles kept of one cell: an honest one displays one
LARGEST_BUNDLE = 1 << 20  # bytes of its message; twenty thousand numbers have a third of it
HELD_MB = 400  # memory that messages without an end may take from this process
IDLE = 6  # seconds at most in which a cell does nothing; after each that did, fewer for the next
PATIENT = 10  # a machine so slow that a cell takes this many times its limit is at fault itself
UNFINISHED = "_IncompleteInputError", "SyntaxError"  # Python 3.13 has a private name for a bracket left open
LONGEST_WORDS = 4000  # letters that are kept of what a check told the student, or of a traceback
COLOURS = re.compile(r"\x1b\[[0-9;]*m")


class KernelFailed(Exception):
    """The sandbox did not start: a fault of this machine, not of the submission."""


class Outcome(dict):
    """What one cell did: ``status``, ``error``, ``bundles``, ``seconds``; ``lost`` if its kernel is gone.

    ``spent`` are the seconds that count: of a processor, or (``idle``) of doing nothing.  ``starved`` if it
    was broken off before it had its time, since the machine is too slow; ``said``, if that is no secret, is
    what its check told the student, or its traceback.
    """

    def __init__(self, status, **more):
        plain = {"error": "", "bundles": [], "said": "", "seconds": 0.0, "spent": 0.0}
        plain |= {"idle": 0.0, "lost": False, "starved": False}
        super().__init__({"status": status} | plain | more)


class SandboxKernel(RunningKernel):
    """A running kernel in a box."""

    def __init__(self, box):
        self.box, self.limits, self.open, self.process = box, box.limits, box.open, None
        box.prepare()
        info = {"transport": "ipc", "ip": f"{box.sockets}/k", "signature_scheme": "hmac-sha256"}
        info |= {"key": uuid.uuid4().hex, **PORTS}
        file = box.sockets / "kernel.json"
        file.touch(mode=0o600)
        file.write_text(json.dumps({**info, "ip": f"{box.inside}/k"}))
        if box.uid:
            os.chown(file, box.uid, box.uid)
        self.own = megabytes()
        self.context = zmq.Context()
        self.context.setsockopt(zmq.MAXMSGSIZE, LARGEST_MESSAGE)
        self.context.setsockopt(zmq.RCVHWM, QUEUED)
        self.context.setsockopt(zmq.LINGER, 0)
        self.kc = BlockingKernelClient(context=self.context)
        self.kc.load_connection_info(info | {"key": info["key"].encode()})
        self.process = subprocess.Popen(
            box.command(),
            env=box.environment(),
            stdin=subprocess.PIPE,  # closed when we end: launch.py
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,  # until the kernel starts: launch.py
        )
        try:
            self._wait(time.monotonic() + STARTUP)
            self.made = changed(box.sockets)  # from here on nothing is made or removed there
        except BaseException:
            self.stop()
            raise

    def _wait(self, end):
        """Until the kernel answers and its broadcast reaches us (a late subscriber misses the start).

        The heartbeat's socket is made by a thread of its own, perhaps last of all: what is made after we have
        looked counts as the student's.
        """
        while not all((self.box.sockets / f"k-{port}").exists() for port in PORTS.values()):
            if not self.is_alive() or time.monotonic() > end:
                raise self._failed("no kernel", end)
            time.sleep(0.005)
        self.kc.start_channels(stdin=False, hb=False)
        self.shell, self.iopub = self.kc.shell_channel.socket, self.kc.iopub_channel.socket
        self.cut = self.iopub.get_monitor_socket(zmq.EVENT_DISCONNECTED)
        self.poller = zmq.Poller()
        self.poller.register(self.shell, zmq.POLLIN)
        self.poller.register(self.iopub, zmq.POLLIN)
        asked, heard = set(), set()
        while time.monotonic() < end:
            asked.add(self.kc.kernel_info())
            pause = time.monotonic() + 0.25
            while time.monotonic() < pause:
                for name, message, _ in self._receive(50):
                    heard |= {name for request in asked if _answers(message, request)}
                if heard == {"shell", "iopub"}:
                    return
                if not self.is_alive():
                    raise self._failed("the kernel ended at once", end)
        raise self._failed("no answer", end)

    def _failed(self, words, end):
        """What to raise, with the last words of what should have become a kernel."""
        took = STARTUP + time.monotonic() - end
        os.set_blocking(self.process.stderr.fileno(), False)
        said = last_line(self.process.stderr.read() or b"") or f"exit code {self.process.poll()}"
        return KernelFailed(f"{words} after {took:.1f} s in layer {self.box.layer}: {said}")

    def is_alive(self):
        return self.process is not None and self.process.poll() is None

    def stop(self):
        """Kill the box and all that is in it; wait until it is gone."""
        if self.process is not None:
            self.process.kill()
            self.process.stdin.close()
            self.process.stderr.close()
            self.process.wait()
            if self.box.layer == "limits":
                reap()
            self.process = None
            self.kc.stop_channels()
            self.context.destroy(linger=0)  # channels and monitor
            remove(self.box.sockets)  # what was written there takes no room while other cells run

    def interrupt(self):
        """Ask over the control channel: signals do not cross the wall."""
        self.kc.control_channel.send(self.kc.session.msg("interrupt_request", content={}))

    def run(self, code, limit, pause=IDLE):
        """Execute one cell within ``limit`` seconds of a processor, and ``pause`` of doing nothing."""
        begun, self.clock = time.monotonic(), Clock(self.process.pid)
        request = self.kc.execute(code, store_history=False, allow_stdin=False, stop_on_error=False)
        outcome, clock, size = Outcome("ok"), self.clock, 0
        replied = idle = leaving = False
        patience, look, trouble = None, begun + LOOK, None
        while not (replied and idle):
            for name, message, bytes_ in self._receive(50):
                size += bytes_
                if not _answers(message, request):
                    continue
                kind = message["header"].get("msg_type")
                if name == "shell":
                    if kind == "execute_reply":
                        replied = True
                        leaving = leaving or _asks_exit(self._content(message))
                elif kind == "status":
                    idle = idle or self._content(message).get("execution_state") == "idle"
                elif kind == "error" and not outcome["error"]:
                    content = self._content(message)
                    outcome["error"] = str(content.get("ename", "Exception")).replace(*UNFINISHED)[:80]
                    outcome["said"] = outcome["said"] or (_traceback(content) if self.open else "")
                elif kind in ("display_data", "execute_result"):
                    if len(outcome["bundles"]) < SHOWN and bytes_ <= LARGEST_BUNDLE:
                        data = self._content(message).get("data")
                        if isinstance(data, dict) and MIME in data:
                            outcome["bundles"].append(data[MIME])
                            words = str(data.get("text/plain", ""))[:LONGEST_WORDS]
                            outcome["said"] = words if self.open else ""
                if replied and patience is None:
                    patience = time.monotonic() + GRACE  # an answered cell whose broadcast never ends
            now = time.monotonic()
            if now >= look:
                look, trouble = now + LOOK, self._trouble()
            if outcome["status"] == "ok" and not trouble:
                if size > self.limits.output_mb * 2**20:
                    outcome["status"] = "output-limit"
                elif clock.ran > limit or clock.idle > min(limit, pause):
                    outcome["status"] = "timeout"
                elif now > begun + PATIENT * limit:
                    outcome |= {"status": "timeout", "starved": True}
                if outcome["status"] != "ok":
                    self.interrupt()
                    patience = now + GRACE
            if not trouble and patience and now > patience and not (replied and idle):
                trouble = "died" if outcome["status"] == "ok" else outcome["status"]
            if trouble:
                break
        if leaving:  # quit() ends the kernel in a moment: not in the middle of an innocent cell
            trouble = trouble or "died"
        if trouble:
            self.stop()
        else:
            clock.look()
            if outcome["status"] != "ok" and code:
                self._settle()
            elif outcome["error"]:
                trouble = "error"
        outcome["status"] = trouble or outcome["status"]
        took = {"seconds": time.monotonic() - begun, "spent": clock.ran + clock.idle, "idle": clock.idle}
        return outcome | took | {"lost": self.process is None}

    def _settle(self):
        """Have a cell without code meet an interrupt that comes late."""
        with contextlib.suppress(Exception):  # whatever the student's code sends in place of the answer
            self.kc.control_channel.get_msg(timeout=GRACE)
        self.run("", GRACE)

    def _trouble(self):
        """What a look at the process from outside shows, or None."""
        if not self.is_alive():
            return "died"
        if self.cut.poll(0):  # too large a message; or the kernel ended, and its box will in a moment
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(GRACE)
            return "output-limit" if self.is_alive() else "died"
        if megabytes() - self.own > HELD_MB:  # parts without an end: nothing after them can be relied on
            return "output-limit"
        pid, limits = self.process.pid, self.limits
        self.clock.look()
        if self.clock.processes > limits.family:
            return "process-limit"
        full = self.box.layer == "bubblewrap" and crowded(pid, limits.files)
        if full or usage(pid, limits.tree_mb) or sockets(pid, limits.sockets):
            return "memory-limit"
        if strays(self.box.sockets, self.made):
            return "died"
        return None

    def _receive(self, milliseconds):
        """Messages that wait now: (channel, message, bytes).  Nonsense is counted, then dropped."""
        ready, read = dict(self.poller.poll(milliseconds)), 0
        end = time.monotonic() + LONGEST
        for name, socket in (("shell", self.shell), ("iopub", self.iopub)):
            if socket not in ready:
                continue
            for _ in range(QUEUED):
                try:
                    frames = socket.recv_multipart(zmq.NOBLOCK)
                except zmq.Again:
                    break
                size = sum(map(len, frames))
                yield name, self._message(frames), size
                read += size
                if read > AT_ONCE or time.monotonic() > end:
                    return

    def _message(self, frames):
        """The frames as a message whose content is not read yet; empty if it is none, or has huge headers."""
        try:
            _, parts = self.kc.session.feed_identities(frames)
            if max(map(len, parts[1:4])) > LARGEST_HEADER:
                return {}
            return self.kc.session.deserialize(parts, content=False)
        except Exception:  # forged by the student's code: any error of any parser
            return {}

    def _content(self, message):
        """The content of a message, as a dict whatever came."""
        try:
            content = message["content"]
            if len(content) > LARGEST_BUNDLE:
                return {}
            measure(bytes(content).decode("utf-8", "replace"))  # deeper, it could not be handed on
            content = self.kc.session.unpack(content)
        except Exception:
            return {}
        return content if isinstance(content, dict) else {}


def _traceback(content):
    """The traceback of an error message: the notebook's own lines and the error, without colours."""
    parts = content.get("traceback")
    parts = [COLOURS.sub("", str(part)) for part in parts] if isinstance(parts, list) else []
    own = [part for number, part in enumerate(parts, 1) if "Cell In[" in part or number == len(parts)]
    if content.get("ename") == "KeyboardInterrupt":  # its time was over: where, and not who had called it
        own = own[-2:]
    words = "\n".join(own).replace(*UNFINISHED)
    return re.sub(r"Cell In\[\d+\], (?=line)", "", words)[-LONGEST_WORDS:]  # all bear one number


def _asks_exit(reply):
    payload = reply.get("payload")
    parts = payload if isinstance(payload, list) else []
    return any(isinstance(part, dict) and part.get("source") == "ask_exit" for part in parts)


def _answers(message, request):
    parent, header = message.get("parent_header"), message.get("header")
    return isinstance(parent, dict) and parent.get("msg_id") == request and isinstance(header, dict)
