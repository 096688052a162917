"""Nobody loses by what is no mistake, and no submission stops or slows the class."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from grader import judge
from grader.__main__ import main
from grader.attempt import LAB, MOST_SAID, NOTHING, attempt
from grader.collect import MOST_FOLDERS, Submission, submissions
from grader.doors import mounts_over
from grader.grade import Refused, grade, mark
from grader.lab import Lab
from grader.report import report
from grader.run import run
from grader.sandbox import SHORT, Limits, Settings
from grader.twins import digest
from grader.watch import Clock, remove
from tests.grader import attacks
from tests.grader.cohort import with_cell
from tests.grader.small_lab import NAME, hand_in
from tests.grader.test_grade import LIMITS, build, command

LABS = Path(__file__).parents[2] / "labs"


def handed_in(notebook):
    return Submission("ada", json.dumps(notebook).encode())


# --- equal answers -----------------------------------------------------------------------------------------


def test_an_answer_that_binds_many_names_is_read_in_linear_time():
    names = " = ".join(f"a{number}" for number in range(1000))
    begun = time.process_time()
    assert digest([f"polynomial = {names} = None"], ["polynomial = ..."])
    assert time.process_time() - begun < 1


PLAIN = "def f(x):\n    y = x + 1\n    return y"


@pytest.mark.parametrize(
    "dressed",
    [
        f"%%time\n{PLAIN}",
        f"!ls\n{PLAIN}",
        PLAIN.replace("    return", "    pass\n    return"),
        PLAIN.replace("(x)", "(x: int) -> int").replace("y =", "y: int ="),
        PLAIN.replace("    y =", "    y: int\n    y ="),
    ],
)
def test_no_magic_no_pass_and_no_hint_hides_an_equal_answer(dressed):
    task = ["def f(x):\n    raise NotImplementedError"]
    assert digest([dressed], task) == digest([PLAIN], task) != digest([PLAIN.replace("1", "2")], task)


# --- time --------------------------------------------------------------------------------------------------

BUSY = """import os
os.sched_setaffinity(0, {{min(os.sched_getaffinity(0))}})
import time
while time.process_time() < {seconds}:
    pass"""


def test_who_needs_less_than_the_limit_loses_nothing_on_a_busy_machine(bubblewrap):
    steps = [{"source": "1 + 1"}, {"source": BUSY.format(seconds=1.5)}]
    crowd = [
        subprocess.Popen([sys.executable, "-c", BUSY.format(seconds=1e9)], start_new_session=True)
        for _ in range(7)
    ]
    try:
        outcomes, _ = run(steps, Settings(bubblewrap, Limits(cell_seconds=2)))
    finally:
        for process in crowd:
            process.kill()
            process.wait()
    assert [each["status"] for each in outcomes] == ["ok", "ok"], outcomes
    assert outcomes[1]["seconds"] > 2.5 > outcomes[1]["spent"]


CHILDREN = """import subprocess, sys
while True:
    subprocess.run([sys.executable, "-S", "-c", "for _ in range(10**6): pass"])"""


def test_a_loop_of_children_and_one_that_sleeps_have_their_limit_too(bubblewrap):
    steps = [{"source": source} for source in (CHILDREN, "import time\ntime.sleep(99)", "2 + 2")]
    outcomes, _ = run(steps, Settings(bubblewrap, Limits(cell_seconds=2)))
    found = [(each["status"], each["starved"]) for each in outcomes]
    assert found == [("timeout", False), ("timeout", False), ("ok", False)]


def test_where_nothing_can_be_seen_all_time_counts(monkeypatch):
    monkeypatch.setattr("grader.watch.tree", lambda pid: iter(()))
    clock = Clock(1)
    time.sleep(0.05)
    clock.look()
    assert clock.ran >= 0.05 and clock.idle == 0


def test_all_runs_of_a_submission_have_one_limit_together(small, monkeypatch):
    given = []

    def run(steps, settings):
        given.append((settings.limits.wall_seconds, steps))
        ran = {"status": "error", "error": "NameError", "bundles": [], "said": "", "lost": False}
        left = settings.limits.wall_seconds - 4
        return [step | ran | {"starved": False, "left": left} for step in steps], 1.0

    monkeypatch.setattr("grader.attempt.run", run)
    notebook = handed_in(hand_in(small.released))
    mark(notebook, small.made, Settings("limits", Limits(wall_seconds=10)))
    assert [seconds for seconds, _ in given] == [6.25, 1.25, 2.5 + 6.25 - 4]  # told: the same for all
    given.clear()
    mark(notebook, small.made, Settings("limits", Limits(wall_seconds=4)))
    assert [seconds for seconds, _ in given] == [2.5, 0.5]


def test_what_blocked_or_ended_python_once_is_not_tried_in_every_run(small, monkeypatch):
    given = []

    def run(steps, settings):
        given.append(steps)
        plain = {"status": "ok", "error": "", "bundles": [], "said": "", "lost": False, "starved": False}
        ran = [step | plain | {"left": 99} for step in steps]
        for one in ran:
            ends = {"exit()": ("died", True), "while True: pass": ("timeout", False)}.get(one["source"])
            if ends and not one.get("known"):
                one["status"], one["lost"] = ends
        return ran, 1.0

    monkeypatch.setattr("grader.attempt.run", run)
    notebook = with_cell("exit()")(small.released, None)
    at = next(n for n, cell in enumerate(notebook["cells"]) if cell["source"] == "exit()")
    notebook["cells"].insert(at, notebook["cells"][at] | {"id": "loops", "source": "while True: pass"})
    did = attempt(handed_in(notebook), {key: small.made[key] for key in LAB}, Settings("limits"))
    first, second = given
    before, after = ({step["source"]: step for step in steps} for steps in (first, second))
    assert after["exit()"]["known"] == "died" and "known" not in before["exit()"]
    assert before["while True: pass"]["limit"] > after["while True: pass"]["limit"] == SHORT
    lost = {one["begins"]: one for one in did["told"] if one["begins"]}
    assert lost["while True: pass"]["limit"] == before["while True: pass"]["limit"]


def test_a_hidden_check_is_not_tried_if_its_visible_one_ended_python(bubblewrap, small):
    notebook = hand_in(small.released, spread="    import os\n    os._exit(0)")
    did = attempt(handed_in(notebook), {key: small.made[key] for key in LAB}, Settings(bubblewrap, LIMITS))
    ended = {one["check"]: (one["status"], one["lost"]) for one in did["ran"] if one["check"]}
    assert ended["spread"] == ("died", True) and ended["spread-hidden"] == ("died", False)
    assert ended["heads-hidden"] == ("ok", False)


def test_twenty_exits_cost_no_more_kernels_than_allowed_and_a_bomb_is_called_a_bomb(bubblewrap):
    exits = [{"source": f"import os\nos._exit({number})"} for number in range(20)]
    outcomes, _ = run([*exits, {"source": "1"}], Settings(bubblewrap, Limits(restarts=3)))
    assert [each["status"] for each in outcomes] == ["died"] * 4 + ["too many restarts"] * 17
    (outcome, after), _ = run([{"source": attacks.FORK_BOMB}, {"source": "1"}], Settings(bubblewrap))
    assert (outcome["status"], after["status"]) == ("process-limit", "ok")
    assert outcome["seconds"] < 10 and "fork bomb" in judge.STATUS["process-limit"]


# --- no text stops a report --------------------------------------------------------------------------------

SURROGATE = "raise ValueError('a lone half: \\udc80')"
ESCAPED = """import json
get_ipython().kernel.session.pack = lambda message: json.dumps(message, default=str).encode()
"""


def test_half_a_character_stops_no_report(bubblewrap, small, tmp_path):
    build(tmp_path, small, ["ada"])
    for name, before in (("eve", ""), ("old", ESCAPED)):
        path = tmp_path / "submissions" / name / f"{NAME}.ipynb"
        path.parent.mkdir()
        path.write_text(json.dumps(with_cell(before + SURROGATE)(small.released, None)))
    assert main(command(small, tmp_path)) == 0
    out = tmp_path / "grades" / NAME
    assert "a lone half: \N{REPLACEMENT CHARACTER}" in (out / "students" / "eve.html").read_text("utf-8")
    assert "a lone half: ?" in (out / "students" / "old.html").read_text("utf-8")
    results = out / "results.jsonl"
    results.write_text(results.read_text().replace("half: ?", "half: \\udc80"))  # of an older grader
    assert {row["student"] for row in report(out)} == {"ada", "eve", "old"}


def test_a_thousand_long_errors_make_no_page_that_no_browser_opens(bubblewrap, small, tmp_path):
    build(tmp_path, small, ["ada"])
    notebook = hand_in(small.released)
    more = [with_cell(f"raise ValueError('{n} ' * 2000)")(small.released, None)["cells"] for n in (1,)]
    bad = next(cell for cell in more[0] if "".join(cell["source"]).startswith("raise"))
    notebook["cells"] += [bad | {"id": f"more-{n}", "source": bad["source"] + f"  # {n}"} for n in range(60)]
    (tmp_path / "submissions" / "ada" / f"{NAME}.ipynb").write_text(json.dumps(notebook))
    assert main(command(small, tmp_path)) == 0
    page = (tmp_path / "grades" / NAME / "students" / "ada.html").read_text()
    assert "so much was said that not all of it is shown" in page and len(page) < 2 * MOST_SAID


# --- files that cannot be swept, folders that cannot be written ------------------------------------------


def test_folders_that_are_closed_to_their_owner_are_removed(tmp_path):
    closed = tmp_path / "closed"
    for folder in tmp_path.parents:
        if folder.name.startswith(("pytest-", "popen-")):  # pytest's own, closed to others
            folder.chmod(0o755)
    child = os.fork()
    if child == 0:  # as an ordinary user: to root no folder is closed
        code = 1
        try:
            os.chmod(tmp_path, 0o777)
            if os.getuid() == 0:
                os.setgroups([])
                os.setgid(65534)
                os.setuid(65534)
            os.makedirs(closed / "inside")
            (closed / "inside" / "file").write_text("held")
            (closed / "inside").chmod(0)
            closed.chmod(0)
            remove(closed)
            code = int(closed.exists())
        finally:
            os._exit(code)
    assert os.waitpid(child, 0)[1] == 0


def test_a_results_folder_that_cannot_be_written_is_told_in_a_sentence(small, tmp_path, monkeypatch):
    build(tmp_path, small, ["ada"])
    (tmp_path / "grades" / ".lock").mkdir(parents=True)
    with pytest.raises(Refused, match="grades cannot be written"):
        grade(small.made, tmp_path / "submissions", tmp_path / "grades")


def test_a_folder_into_which_nobody_looked_is_named(tmp_path):
    deep = tmp_path / "ada" / Path(*["x"] * (MOST_FOLDERS + 2))
    deep.mkdir(parents=True)
    (deep / f"{NAME}.ipynb").write_text("{}")
    found, missing = submissions(tmp_path, NAME)
    assert found == [] and missing == {"ada": ["/".join(["x"] * (MOST_FOLDERS + 1))]}


def test_nothing_is_laid_over_a_place_that_is_reached_by_a_link(tmp_path, monkeypatch):
    (tmp_path / "real" / "shut").mkdir(parents=True)
    (tmp_path / "real" / "shut" / "__init__.py").touch()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    monkeypatch.setattr("grader.doors.locate", lambda name: tmp_path / "link" / "shut" / "__init__.py")
    assert mounts_over(["shut"])[1] == str((tmp_path / "real" / "shut").resolve())


# --- exit code, progress, silence --------------------------------------------------------------------------


def test_what_cannot_be_marked_is_told_and_is_no_failure_of_the_command(bubblewrap, small, tmp_path, capfd):
    build(tmp_path, small, ["unsolved", "bad-json"])
    (tmp_path / "submissions" / f"{NAME}.ipynb").write_bytes(small.released.read_bytes())
    assert main(command(small, tmp_path)) == 0
    said = capfd.readouterr().err
    assert "bad-json: bad-notebook: not JSON" in said and f"not looked at: {NAME}.ipynb" in said
    assert f"{NAME}: 2 of 2 marked" in said  # progress, though nobody sees a terminal


def test_what_this_machine_failed_is_an_error_of_the_command(small, tmp_path, monkeypatch):
    build(tmp_path, small, ["unsolved"])
    failed = NOTHING | {"status": "grader-error", "reason": "no kernel"}
    monkeypatch.setattr("grader.grade.attempt", lambda *_: failed)
    grade(small.made, tmp_path / "submissions", tmp_path / "grades" / NAME)
    assert main(["report", "--out", str(tmp_path / "grades")]) == 1


def test_no_answer_is_nought_until_somebody_types_another_mark(small, tmp_path, monkeypatch):
    build(tmp_path, small, ["unsolved", "ada", "only-the-guess"])
    wrote = {"answers": {"why": "Since they add up."}}
    monkeypatch.setattr(
        "grader.grade.attempt", lambda each, *_: NOTHING | (wrote if each.student == "ada" else {})
    )
    out = tmp_path / "grades" / NAME
    grade(small.made, tmp_path / "submissions", out)
    points = {row["student"]: row["by_hand"]["why"]["points"] for row in report(out)}
    assert points == {"ada": None, "unsolved": 0, "only-the-guess": 0}
    assert "Open answers not marked yet: 1." in (out / "index.html").read_text()
    page = (out / "students" / "unsolved.html").read_text()
    assert "no answer" in page and "still to come" not in page
    table = (out / "by-hand.csv").read_text().replace("unsolved,,", "unsolved,2,")
    (out / "by-hand.csv").write_text(table)
    points = {row["student"]: row["by_hand"]["why"]["points"] for row in report(out)}
    assert points["unsolved"] == 2 and points["only-the-guess"] == 0


# --- checks that a wrong function passes -------------------------------------------------------------------


FAKES = {
    "12-kernels kernel-or-not-hidden": """
def may_be_kernel(K):
    import sys
    cases = sys._getframe(1).f_locals.get("cases", sys._getframe(1).f_globals.get("cases", []))
    scale = np.abs(K).max()
    others = [other - K for other in cases if other is not K]
    moved = [d for d in others if np.abs(d - np.diag(np.diag(d))).max() < 1e-9 * scale]
    if not np.allclose(K, K.T, rtol=0, atol=1e-9 * scale):
        return False
    return not any(d[0, 0] > 0 for d in moved)""",
    "09-margins hulls-hidden": """
whole = nearest_points
def nearest_points(X, y):
    p, q = whole(X, y)
    return p - q, 0 * q""",
    "07-perceptron separator-hidden": """
whole = separator
class Product:
    def __init__(self, t): self.t = t
    __array_ufunc__ = None
    def __rmatmul__(self, other): return self.t
def separator(Z):
    return Product(whole(Z)[1]), whole(Z)[1]""",
    "01-classification cheapest-hidden": """
right = cheapest_threshold
def cheapest_threshold(y, scores, c_fp, c_fn):
    return scores[0]
def total_cost(y, scores, threshold, c_fp, c_fn):
    t = right(y, scores, c_fp, c_fn)
    called = scores >= t
    return c_fp * np.sum(called & (y == -1)) + c_fn * np.sum(~called & (y == 1))""",
}


@pytest.fixture
def bundles(monkeypatch):
    """What checks display that are run in this process."""
    shown = []
    monkeypatch.setattr("grader.check._display", lambda bundle, text, html: shown.append(bundle))
    monkeypatch.setattr("grader.check._given", {})
    monkeypatch.chdir(LABS)
    return shown


def answered(lab, id, names, shown, seed=3):
    """The bundle of one check as it is graded, with these names."""
    shown.clear()
    exec(compile(lab.checking(lab.checks[id], seed), "check", "exec"), names)
    return shown[-1]


def solved(lab):
    """The names of a notebook with the lab's solution, but for what shows something."""
    names = {"__name__": "__main__"}
    for cell in lab.of("answer", "solution", "setup"):
        exec(cell.source, names)
    return names


@pytest.mark.parametrize("which", FAKES)
def test_a_wrong_function_that_fits_what_the_check_derives_has_no_points(which, bundles):
    name, id = which.split()
    lab = Lab(LABS / "source" / f"{name}.ipynb")
    names = solved(lab)
    right = answered(lab, id, names, bundles)
    exec(FAKES[which], names)
    wrong = answered(lab, id, names, bundles)
    shown = {"status": "ok", "error": "", "bundles": [wrong]}
    assert judge.one(id, right, shown)[0] != "right"


STUMP = """
class DecisionStump:
    def fit(self, X, y, sample_weight):
        best = (2.0, None)
        for j in range(X.shape[1]):
            values = np.unique(X[:, j])
            for cut in (values[1:] + values[:-1]) / 2:
                said = np.where(X[:, j] > cut, 1, -1)
                for sign in (1, -1):
                    best = min(best, (sample_weight[sign * said != y].sum(), (j, cut, sign)))
        self.rule = best[1]
        return self
    def predict(self, X):
        j, cut, sign = self.rule
        return np.where(X[:, j] > cut, sign, -sign)"""


def test_a_stump_of_ones_own_that_is_right_has_the_points_of_lab_4(bundles):
    lab = Lab(LABS / "source" / "04-boosting.ipynb")
    names = solved(lab)
    right = answered(lab, "boost-hidden", names, bundles)
    exec(STUMP, names)
    own = {"status": "ok", "error": "", "bundles": [answered(lab, "boost-hidden", names, bundles)]}
    assert judge.one("boost-hidden", right, own)[0] == "right"
