"""Marking by hand on a page of this machine: what is typed is saved at once, and only by our page."""

import csv
import http.client
import json
import signal
import subprocess
import sys
import threading
import time
from types import SimpleNamespace

import pytest

from grader.desk import desk
from grader.grade import grade
from grader.report import report
from grader.sandbox import Limits
from tests.grader import cohort
from tests.grader.small_lab import NAME, answer_why, hand_in
from tests.publish import browser

WORDS = "They punish *far* points. <script>alert(1)</script>"


@pytest.fixture(scope="module")
def graded(bubblewrap, small, tmp_path_factory):
    """Three students, one of whom answered the open question, with an experiment."""
    folder = tmp_path_factory.mktemp("desk")
    cohort.build(
        folder / "submissions", small.released, {"places": [], "port": 9}, ["unsolved", "=HYPERLINK(1)"]
    )
    for student in ("unsolved", "=HYPERLINK(1)"):
        answer_why(folder, student)
    notebook = hand_in(small.released)
    (question,) = [cell for cell in notebook["cells"] if cell["metadata"].get("lab", {}).get("id") == "why"]
    question["source"] = WORDS
    notebook["cells"].append(cohort.cell("print(spread([1, 2]))"))
    path = folder / "submissions" / "ada" / f"{NAME}.ipynb"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(notebook))
    grade(small.made, folder / "submissions", folder / "grades" / NAME, Limits(), bubblewrap)
    report(folder / "grades" / NAME)
    return folder / "grades"


@pytest.fixture
def served(graded):
    """The desk, and its address."""
    (graded / NAME / "by-hand.csv").unlink(missing_ok=True)
    report(graded / NAME)
    with desk({NAME: graded / NAME}) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = server.addresses[NAME]
        _, _, place, word, *_ = address.split("/")
        yield SimpleNamespace(address=address, place=place, word=word, out=graded / NAME)
        server.shutdown()


def ask(served, method, path, body=None, host=None):
    connection = http.client.HTTPConnection(served.place)
    connection.request(method, path, body, {"Host": host or served.place})
    answer = connection.getresponse()
    return answer.status, answer.read().decode()


def marks(out):
    with open(out / "by-hand.csv", newline="") as file:
        return {line["student"]: (line["why"], line["why comment"]) for line in csv.DictReader(file)}


def mark(student="ada", question="why", points="3,5", comment="Good."):
    return json.dumps({"student": student, "question": question, "points": points, "comment": comment})


def test_the_page_has_all_that_is_needed_to_judge_an_answer(served):
    status, page = ask(served, "GET", f"/{served.word}/{NAME}/")
    assert status == 200
    for words in ("Why squares?", "A model answer", "They add up.", "They punish *far* points.",
                  "print(spread([1, 2]))", "def centre(x)", 'data-student="=HYPERLINK(1)"'):  # fmt: skip
        assert words in page, words
    assert "<script>alert" not in page and page.count("<script") == 1


def test_a_mark_is_in_the_table_at_once_and_the_others_stay(served):
    where = f"/{served.word}/{NAME}/give"
    assert ask(served, "POST", where, mark()) == (200, "saved")
    assert ask(served, "POST", where, mark("=HYPERLINK(1)", points="", comment="Where?")) == (200, "saved")
    assert marks(served.out) == {
        "ada": ("3,5", "Good."), "'=HYPERLINK(1)": ("", "Where?"), "unsolved": ("", ""),
    }  # fmt: skip
    rows = {row["student"]: row for row in report(served.out)}
    assert rows["ada"]["total"] == 9.5 and rows["unsolved"]["by_hand"]["why"]["points"] is None


@pytest.mark.parametrize(
    ("body", "complaint"),
    [
        (mark(points="5"), "5 for 'why', which has 0 to 4 points"),
        (mark(points="good"), "is no number of points"),
        (mark(points="nan"), "0 to 4 points"),
        (mark(student="eve"), "no answer of 'eve'"),
        (mark(question="who"), "to 'who'"),
        ("{", "not saved"),
        ("[]", "not saved"),
        (json.dumps({"student": "ada", "question": "why", "points": 3, "comment": "x"}), "not saved"),
        (mark(comment="x" * 200_000), "too long a comment"),
    ],
)
def test_a_mark_that_cannot_be_is_refused_and_changes_nothing(served, body, complaint):
    before = (served.out / "by-hand.csv").read_bytes()
    status, said = ask(served, "POST", f"/{served.word}/{NAME}/give", body)
    assert status == 400 and complaint in said
    assert (served.out / "by-hand.csv").read_bytes() == before


def test_nobody_else_gives_marks(served):
    before = (served.out / "by-hand.csv").read_bytes()
    for path, host in (
        (f"/{'x' * 22}/{NAME}/give", None),
        (f"/{served.word}/91-other/give", None),
        ("/", None),
        (f"/{served.word}/{NAME}/give", "evil.example"),
    ):
        assert ask(served, "POST", path, mark(), host)[0] == 404
        assert ask(served, "GET", path, host=host)[0] == 404
    assert (served.out / "by-hand.csv").read_bytes() == before


def test_the_command_serves_and_writes_the_pages_at_its_end(graded):
    command = [sys.executable, "-m", "grader", "mark", NAME, "--out", str(graded), "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as run:
        line = run.stdout.readline()
        served = SimpleNamespace(place=line.split("/")[2])
        where = "/" + "/".join(line.strip().split("/")[3:]) + "give"
        assert ask(served, "POST", where, mark(points="4", comment="Clear."))[0] == 200
        run.stdout.readline()
        run.send_signal(signal.SIGINT)
        assert run.wait(30) == 0
    page = (graded / NAME / "students" / "ada.html").read_text()
    assert "10 of 10 points" in page and "Clear." in page


@pytest.mark.browser
def test_marking_with_the_keyboard_alone(served, chromium):
    for width, theme in ((1280, "light"), (390, "dark")):
        browser.view(chromium, width, theme=theme)
        browser.open_page(chromium, served.address)
        assert chromium.execute_script("return document.documentElement.scrollWidth") <= width
        assert browser.axe(chromium) == []
    focus = chromium.switch_to.active_element
    assert focus.get_attribute("name") == "points"
    focus.send_keys("3\ue004Very clear.\ue007")  # Tab, a comment, Enter
    chromium.switch_to.active_element.send_keys("9\ue007")
    for _ in range(100):
        said = chromium.execute_script(
            "return [...document.querySelectorAll('form output')].map(o => o.value)"
        )
        if all(said[:2]):
            break
        time.sleep(0.05)
    assert said[0] == "saved" and said[1] == "not saved: 9 for 'why', which has 0 to 4 points"
    assert sorted(marks(served.out).values()) == [("", ""), ("", ""), ("3", "Very clear.")]
    assert chromium.find_element("id", "left").text == "Not marked yet: 1."
    assert all("400 (Bad Request)" in words for words in browser.console(chromium))
