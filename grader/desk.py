"""The marker's desk: open questions on a page of this machine alone, points saved as they are typed.

The page is that of ``by-hand.html`` with fields in it.  Its address holds a word that is new each time; so
no other page in the same browser, and no other user of the machine, can give marks.
"""

import json
import secrets
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock

from grader.grade import Refused
from grader.pages import answers_page
from grader.report import give, read_run, report

LONGEST = 100_000  # bytes of a mark with its comment


def desk(outs, port=0):
    """A server for the folders of some labs; its ``address`` opens the first one."""
    word, lock = secrets.token_urlsafe(16), Lock()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            with lock:
                self.act(self.page)

        def do_POST(self):
            with lock:
                self.act(self.mark)

        def act(self, what):
            """Do what is asked for if it comes from our own page, and say what was wrong otherwise."""
            here = f"127.0.0.1:{self.server.server_port}"
            _, said, name, *rest = [*self.path.split("/"), "", ""][:4]
            if self.headers["Host"] != here or not secrets.compare_digest(said, word) or name not in outs:
                return self.say(404, "no such page")
            try:
                return what(outs[name], "".join(rest))
            except (Refused, ValueError, KeyError, TypeError, AttributeError) as problem:
                return self.say(400, f"not saved: {problem}")

        def page(self, out, rest):
            self.say(200, answers_page(report(out), read_run(out), word), "text/html")

        def mark(self, out, rest):
            size = int(self.headers["Content-Length"])
            if rest != "give" or size > LONGEST:
                raise ValueError("no mark, or too long a comment")
            asked = json.loads(self.rfile.read(size))
            give(out, *(asked[key] for key in ("student", "question", "points", "comment")))
            self.say(200, "saved")

        def say(self, code, text, kind="text/plain"):
            body = text.encode()
            self.send_response(code)
            self.send_header("Content-Type", f"{kind}; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Referrer-Policy", "no-referrer")
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    server.addresses = {name: f"http://127.0.0.1:{server.server_port}/{word}/{name}/" for name in outs}
    return server
