"""The harness of ``make bench``: no time without agreement, no miss within the noise, nothing left out."""

import json
import math
import subprocess
import sys
import time

import numpy as np
import pytest
from sklearn import svm

from benchmarks import __main__ as bench
from benchmarks import judge, peers, speed
from benchmarks.promises import PROMISES
from benchmarks.race import Race, run, turns
from benchmarks.races import RACES
from benchmarks.races.linear import near_optimum
from benchmarks.races.svm import certify, classes
from benchmarks.waits import BOOK, WAITS, Missing, Wait
from mllib import SVC, LinearSVC


def busy(seconds=1e-3):
    """Keep the processor at work."""
    until = time.process_time() + seconds
    while time.process_time() < until:
        pass


def even(size):
    """Two programs that take about the same time, a millisecond."""
    return busy, busy


def quarrel(size):
    np.testing.assert_allclose(1.0, 2.0, err_msg="the objectives differ")


def alone(size):
    import a_package_that_nobody_has  # noqa: F401


def test_a_race_has_a_ratio_and_its_spread():
    result = run(Race("even", 3, even, "svm-small"), seconds=0.02)
    assert result["must"] == 0.8 and result["turns"] >= 3
    ours, theirs = result["seconds"]
    assert result["ratio"] == ours / theirs
    assert result["quartiles"] == sorted(result["quartiles"])


@pytest.mark.parametrize(("start", "reason"), [(quarrel, "disagree"), (alone, "missing")])
def test_without_agreement_or_peer_there_is_no_time(start, reason):
    result = run(Race("odd", 3, start, "svm-small"))
    assert reason in result and not {"seconds", "ratio", "quartiles"} & set(result)
    assert "no time" in speed.untimed(result)
    assert judge.verdicts([result], []) == []


def test_sleep_counts_only_where_threads_race():
    def sleepy(size):
        return lambda: time.sleep(0.01), lambda: time.sleep(0.01)

    one, many = (run(Race("nap", 2, sleepy, axis=axis), seconds=0.02) for axis in ("n", "threads"))
    assert max(one["seconds"]) < 0.005 < 0.01 <= min(many["seconds"])


def test_a_much_shorter_run_is_made_three_times_a_turn():
    counts = [0, 0]

    def short():
        counts[0] += 1

    def long():
        counts[1] += 1
        busy(0.01)

    taken = turns(short, long, seconds=0.05)
    assert taken.shape == (2, counts[1])
    assert counts[0] == 3 * counts[1] - 2  # the first turn does not know yet


@pytest.mark.parametrize(
    ("value", "low", "verdict"), [(0.5, 0.4, "held"), (0.51, 0.5, "noise"), (0.6, 0.51, "missed")]
)
def test_a_miss_is_more_than_the_noise(value, low, verdict):
    assert judge.judgement(value, low, 0.5) == verdict


def made(series, size, ratio, spread=1.1, promise="svm-large", **more):
    """A result as ``run`` writes it."""
    return {
        "name": f"{series}, n = {size}",
        "series": series,
        "axis": "n",
        "size": size,
        "promise": promise,
        "together": "",
        "peer": "scikit-learn",
        "ratio": ratio,
        "quartiles": [ratio / spread, ratio * spread],
        "seconds": [ratio * size**2, float(size**2)],
    } | more


def test_races_together_are_judged_by_their_mean():
    results = [made("a", 5, 0.25, together="both"), made("b", 5, 1.0, together="both")]
    (verdict,) = judge.verdicts(results, [])
    assert math.isclose(verdict["value"], 0.5) and verdict["verdict"] == "held" and not verdict["goal"]


def test_exponents_are_those_of_the_curve():
    results = [made("a", n, 0.1 * n**0.25, must=math.inf) for n in (500, 1000, 4000)]
    (slope,) = judge.slopes(results)
    assert math.isclose(slope["theirs"], 2) and math.isclose(slope["ours"], 2.25)


@pytest.mark.parametrize(("spread", "verdict"), [(1.01, "missed"), (2.0, "noise")])
def test_growth_is_judged_with_the_noise_of_its_ends(spread, verdict):
    results = [made(judge.GROWTH[0], n, 0.1 * n**0.05, spread) for n in (500, 1000, 5000, 20_000)]
    (found,) = judge.growth(results)
    assert math.isclose(found["value"], 0.05) and found["verdict"] == verdict


def test_every_promise_is_raced_and_the_short_run_guards_every_bound():
    built = {key for key in PROMISES if key.startswith(BOOK.promise)}  # minutes: only when it is asked for
    assert {row.promise for row in [*RACES, *WAITS]} - {""} | {"growth"} | built == set(PROMISES)
    quick = {row.promise for row in [*RACES, *WAITS] if row.quick} | {"growth"}
    assert {key for key, promise in PROMISES.items() if promise.must is not None} <= quick | built
    series, axis, peer, least = judge.GROWTH
    line = [r.size for r in RACES if r.quick and (r.series, r.axis, r.peer) == (series, axis, peer)]
    assert len([size for size in line if size >= least]) >= 3
    names = [(race.name, race.peer) for race in RACES]
    assert len(set(names)) == len(names)


def test_no_goal_is_easier_than_its_bound():
    for promise in PROMISES.values():
        assert promise.must is None or promise.goal is None or promise.goal <= promise.must


def test_a_wrong_machine_is_found_out():
    X, y = classes(200)
    peer, ours = svm.SVC().fit(X, y), SVC().fit(X, y)
    certify(ours, peer, X, y)
    with pytest.raises(AssertionError, match="dual objectives"):
        certify(ours, svm.SVC(C=2.0).fit(X, y), X, y)
    with pytest.raises(AssertionError, match="violates"):
        certify(SVC(tol=0.1).fit(X, y).set_params(tol=1e-3), peer, X, y)
    y = 2 * y - 1
    linear = LinearSVC(loss="hinge", C=0.01, random_state=0).fit(X, y)
    other = svm.LinearSVC(loss="hinge", C=0.002, random_state=0, max_iter=10**5).fit(X, y)
    with pytest.raises(AssertionError, match="optimum"):
        near_optimum((linear, other), X, y, "hinge", 0.01)


@pytest.fixture
def small_bench(monkeypatch, tmp_path):
    """``make bench`` with the rows of a test; gives its exit code and what it wrote."""

    def small_bench(races, waits=(), arguments=("--no-peers", "--seconds", "0.02")):
        monkeypatch.setattr("benchmarks.races.RACES", races)
        monkeypatch.setattr("benchmarks.waits.WAITS", list(waits))
        monkeypatch.setattr(peers, "ROOT", tmp_path)
        monkeypatch.setattr(speed, "RESULTS", tmp_path / "speed.json")
        monkeypatch.setattr(bench, "SHORT", tmp_path / "short.json")
        code = bench.main(list(arguments))
        written = sorted(tmp_path.glob("*.json"))
        return code, written[0].name, json.loads(written[0].read_text())

    return small_bench


def shape(value):
    """The types of a JSON value; of a list those of its first entry."""
    if isinstance(value, dict):
        return {key: shape(part) for key, part in value.items()}
    if isinstance(value, list):
        return [shape(part) for part in value[:1]]
    return type(value).__name__


def test_the_results_file_has_this_shape(small_bench, capsys):
    races = [Race("even", n, even, "dual-sparse") for n in (1, 2, 4)]
    code, name, results = small_bench(races, [Wait("nap", "million", lambda: 0.5)])
    assert code == 0 and name == "speed.json"
    assert set(results) == {"machine", "versions", "quick", "seconds", "races", "verdicts", "growth", "waits"}
    assert shape(results["machine"]) == {"processor": "str", "cores": "int", "system": "str"}
    assert shape(results["races"][0]) == {
        **dict.fromkeys(("name", "series", "axis", "promise", "together", "peer"), "str"),
        **dict.fromkeys(("size", "threads", "turns"), "int"),
        **dict.fromkeys(("must", "ratio"), "float"),
        **dict.fromkeys(("seconds", "quartiles"), ["float"]),
    }
    assert shape(results["growth"]) == [
        dict.fromkeys(("series", "axis", "peer"), "str") | dict.fromkeys(("ours", "theirs"), "float")
    ]
    assert results["waits"] == [{"name": "nap", "promise": "million", "value": 0.5}]
    assert shape(results["verdicts"][0]) == {
        **dict.fromkeys(("promise", "name", "verdict"), "str"),
        **dict.fromkeys(("value", "low", "must"), "float"),
        "goal": "bool",
    }
    said = capsys.readouterr().out
    assert "dual coordinate descent, sparse" in said and "held" in said and "speed.json" in said


def test_a_miss_or_a_quarrel_fails_the_run(small_bench, capsys):
    code, _, results = small_bench([Race("odd", 3, quarrel, "svm-small")])
    assert code == 1 and "seconds" not in results["races"][0]
    said = capsys.readouterr().out
    assert "FAILED odd, n = 3: disagrees" in said and "1 of 1 promises and answers failed." in said
    code, _, results = small_bench([Race("even", 3, even, "adaboost")], [Wait("nap", "million", lambda: 6.0)])
    said, (race, _) = capsys.readouterr().out, results["verdicts"]
    assert code == 1 and "FAILED nap: 6\u00a0s, must be at most 5\u00a0s: 1\u00a0s too much\n" in said
    spread = f"{race['value']:.2g} (lower quartile {race['low']:.2g})"
    assert (
        f"FAILED even, n = 3: {spread}, must be at most 0.05: {race['value'] - 0.05:.2g} too much\n" in said
    )
    assert said.startswith(results["machine"]["processor"]) and "2 of 2 promises and answers failed." in said


def test_a_processor_that_passes_for_another_says_so(monkeypatch):
    plain = [monkeypatch.delenv(name, raising=False) or speed.machine() for name in speed.EMULATED][-1]
    monkeypatch.setenv("OPENBLAS_CORETYPE", "Prescott")
    assert speed.machine()["processor"] == plain["processor"] + ", OPENBLAS_CORETYPE=Prescott"


def test_a_wait_that_lacks_something_has_no_time(small_bench, capsys):
    def lacking():
        raise Missing("the book (make book)")

    code, _, results = small_bench([], [Wait("first picture", "page", lacking)])
    assert code == 0 and results["verdicts"] == [] and "value" not in results["waits"][0]
    assert "no time: the book (make book) is missing" in capsys.readouterr().out


@pytest.mark.parametrize(("later", "verdict"), [(4.0, "held"), (7.0, "missed")])
def test_a_wait_that_misses_is_measured_once_more(small_bench, later, verdict):
    taken = [later, 6.0]  # the bound is 5 seconds
    code, _, results = small_bench([], [Wait("nap", "million", lambda: taken.pop())])
    assert taken == [] and results["waits"][0]["value"] == min(later, 6.0)
    assert results["verdicts"][0]["verdict"] == verdict and code == (verdict == "missed")


def test_the_harness_leaves_its_importers_alone():
    """It once chose a number of threads for all, and kernels that it started waited for each other."""
    program = "import os; before = dict(os.environ); import benchmarks.__main__; assert before == os.environ"
    subprocess.run([sys.executable, "-c", program], cwd=peers.ROOT, check=True)


def test_chosen_rows_and_the_short_run_leave_the_book_alone(small_bench):
    races = [Race("even", 3, even, "dual-sparse", quick=True), Race("odd", 3, quarrel, "svm-small")]
    code, name, results = small_bench(races, arguments=["--no-peers", "--seconds", ".02", "even"])
    assert (code, name, len(results["races"])) == (0, "short.json", 1)
    code, name, results = small_bench(races, arguments=["--quick", "--seconds", ".02"])
    assert (code, name, len(results["races"]), results["quick"]) == (0, "short.json", 1, True)


def test_an_interrupted_run_keeps_what_it_has(small_bench, capsys):
    def interrupt():
        raise KeyboardInterrupt

    _, name, results = small_bench([Race("even", 3, even)], [Wait("long", "million", interrupt)])
    assert name == "short.json" and len(results["races"]) == 1 and results["waits"] == []
    assert "Stopped" in capsys.readouterr().err


def test_a_name_that_no_row_has_is_told(small_bench, capsys):
    with pytest.raises(SystemExit):
        small_bench([Race("even", 3, even)], arguments=["--no-peers", "nonsense"])
    assert "the promises are svm-small" in capsys.readouterr().err


def test_rivals_are_those_of_the_extra():
    raced = {race.peer.split(",")[0] for race in RACES} - {"scikit-learn"}
    assert raced == {need.split(">")[0] for need in peers.wanted()} - peers.HELPERS
