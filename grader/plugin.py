"""The grader as a plugin of pytest: ``pytest --grade SUBMISSIONS``, and honest labs under ``pytest --nbval``.

With ``--grade`` each check of each submission is a test, ``ada::04-boosting::boost-hidden``; nothing else is
collected, and pytest itself reads no file of a submission.  Reference, sandbox, verdicts and results are
those of ``python -m grader grade``: what one front end began, the other can end.

With ``--nbval`` the check cells of a lab are compared by what they found, not by what they printed: one that
is not attempted is skipped, one that found a fault fails, and the last digit of a value is no fault.
"""

import shlex
import sys
import warnings
from contextlib import ExitStack
from functools import cached_property
from pathlib import Path

import pytest

ENTRY = "Mark submissions in their sandbox"


def pytest_addoption(parser):
    group = parser.getgroup("grade", "labs of Large Margins")
    group.addoption("--grade", metavar="SUBMISSIONS", help=f"{ENTRY}: one folder a student, one test a check")
    words = "options of `python -m grader grade` and names of labs, in one string"
    group.addoption("--grade-with", metavar="OPTIONS", default="", help=words)


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config):
    known = early_config.known_args_namespace
    if known.grade is not None:  # a folder of a submission may bear any name and hold any conftest.py
        known.noconftest, known.file_or_dir = True, []
        early_config._rootpath = early_config.invocation_params.dir  # names of tests begin with the student's


def pytest_configure(config):
    if config.getoption("grade") is None:
        return
    if not config.getoption("grade").strip():
        raise pytest.UsageError("--grade: which folder? Name the one that holds a folder for each student")
    folder = Path(config.getoption("grade"))
    if any(Path(p).resolve().is_relative_to(folder.resolve()) for p in (Path.cwd(), config.inipath or "/")):
        raise pytest.UsageError("--grade: give it in the folder of the course; no settings among submissions")
    config.pluginmanager.register(Marking(config, folder), "grade-marking")


class Marking:
    """One run of ``pytest --grade``; under xdist one in each worker, and the leader's makes the reports."""

    def __init__(self, config, folder):
        from grader.__main__ import cohorts, read
        from grader.grade import Refused
        from grader.lab import LabError
        from grader.run import SandboxError, die_with_parent

        self.leads = not hasattr(config, "workerinput")
        if not self.leads:  # a worker would mark on for seconds after its leader was killed
            die_with_parent()
        try:
            chosen, parser = read(["grade", str(folder), *shlex.split(config.getoption("grade_with"))])
            self.cohorts, self.locks = list(cohorts(chosen, parser)), ExitStack()
            for cohort in self.cohorts if self.leads else ():
                self.locks.enter_context(cohort.alone())
                cohort.begin(chosen.fresh, chosen.forget)
        except SystemExit:
            raise pytest.UsageError("--grade: nothing was marked") from None
        except (Refused, LabError, SandboxError) as problem:
            raise pytest.UsageError(f"--grade: {problem}") from None

    @pytest.hookimpl
    def pytest_collection(self, session):
        if session.config.pluginmanager.hasplugin("dsession"):
            return None  # its workers collect
        session.items, found = [], [(each, cohort) for cohort in self.cohorts for each in cohort.found]
        for submission, cohort in sorted(found, key=lambda pair: pair[0].student):
            name = f"{_plain(submission.student)}::{cohort.reference['name']}"
            one = Submitted.from_parent(session, name=name, nodeid=name, cohort=cohort, submission=submission)
            session.items += session.genitems(one)
        hook, config = session.config.hook, session.config
        hook.pytest_collection_modifyitems(session=session, config=config, items=session.items)
        hook.pytest_collection_finish(session=session)
        session.testscollected = len(session.items)
        return True

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_make_scheduler(self, config, log):
        from xdist.scheduler import LoadScopeScheduling

        return LoadScopeScheduling(config, log)  # the checks of one submission go to one worker

    def pytest_sessionfinish(self):
        """Write tables and pages if all is marked; give the folders back."""
        from grader.report import report
        from grader.run import close_nurseries

        self.rows = []
        for cohort in self.cohorts if self.leads else ():
            if cohort.complete():
                cohort.finish()
                self.rows += report(cohort.out)
            else:
                self.rows += cohort.known().values()
        self.locks.close()
        close_nurseries()

    def pytest_terminal_summary(self, terminalreporter):
        terminalreporter.section("students")
        for row in sorted(self.rows, key=lambda row: (row["student"], row["lab"])):
            words = f"{row['total']:g} of {row['of']:g} points"
            words += f", {row['status']}: {row['reason']}" if row["status"] != "marked" else ""
            terminalreporter.line(f"{_plain(row['student'])}  {row['lab']}  {_plain(words)}")
        for cohort in self.cohorts:
            for student in sorted(cohort.missing.keys() - cohort.all().keys()):
                terminalreporter.line(f"{_plain(student)}  {cohort.reference['name']}  nothing handed in")
            words = "see index.html" if cohort.complete() else "not all is marked yet"
            terminalreporter.line(f"{cohort.out}: {words}")


class Submitted(pytest.Collector):
    """One student's submission for one lab; run when the first of its checks is asked for."""

    def __init__(self, cohort, submission, **more):
        super().__init__(**more)
        self.cohort, self.submission = cohort, submission

    def collect(self):
        for id in self.cohort.reference["checks"]:
            yield Check.from_parent(self, name=id)

    @cached_property
    def row(self):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of students' code, when it is read
            return self.cohort.row(self.submission)


class NotRight(Exception):
    """A verdict other than right, in words."""


class Check(pytest.Item):
    """One check of one submission."""

    def runtest(self):
        from grader.pages import WORDS

        row = self.parent.row
        mark = row["checks"][self.name]
        self.user_properties += [("points", mark["points"]), ("of", mark["of"])]
        if row["status"] != "marked":
            raise NotRight(f"{WORDS[row['status']]}: {row['reason']}")
        if mark["status"] != "right":
            said = [one["said"] for one in row["told"] if one["check"] == self.name]
            raise NotRight("\n".join([WORDS[mark["status"]], *said]))

    def repr_failure(self, excinfo):
        if isinstance(excinfo.value, NotRight):
            return _plain(str(excinfo.value), "\n")
        return super().repr_failure(excinfo)

    def reportinfo(self):
        return self.path, None, self.nodeid


def _plain(text, keep=""):
    """Text that commands no terminal and is no other test's name."""
    from grader.__main__ import printable

    return printable(text, keep).replace("::", ":\u200b:")


# --- pytest --nbval on labs -----------------------------------------------------------------------------


UNSOLVED = "Not attempted yet"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    """Judge the check cell of a lab by the values in its bundle, and no demonstration before there is one."""
    nbval = sys.modules.get("nbval.plugin")
    marks = item.cell.metadata.get("lab", {}) if nbval and isinstance(item, nbval.IPyNbCell) else {}
    stored = item.cell.get("outputs", []) if marks else []
    if "id" in marks or marks.get("demo") and _printed(stored).startswith(UNSOLVED):
        item.compare_outputs = lambda *_, **__: True  # of texts; what the cell raised fails as ever
    yield
    outputs = (item.test_outputs or []) if marks else []
    if "id" in marks and (problem := _fault(marks["id"], outputs, stored)):
        item.raise_cell_error(problem)
    if marks.get("demo") and _printed(outputs).startswith(UNSOLVED):
        pytest.skip(" ".join(_printed(outputs).split()))


def _printed(outputs):
    return "".join(each.get("text", "") for each in outputs)


def _fault(id, outputs, stored):
    """What is wrong with a check cell's outputs, or nothing; skips the test if there is no answer yet."""
    from grader.check import MIME
    from grader.judge import agree

    shown, before = ([e["data"] for e in some if MIME in e.get("data", {})] for some in (outputs, stored))
    if len(shown) != 1 or shown[0][MIME].get("check") != id:
        return f"check {id!r} displays {len(shown)} results, not one of its own"
    bundle, words = shown[0][MIME], shown[0].get("text/plain", "")
    if bundle["state"] == "not attempted":
        pytest.skip(": ".join(line.strip() for line in words.splitlines()))
    if bundle["state"] != "answered" or bundle.get("faults"):
        return words
    known = before[0][MIME] if before else {}
    if known.get("state") == "answered" and not known.get("faults"):
        if not agree(bundle["values"], known):
            return f"the stored values are others\n{words}\nstored:\n{before[0].get('text/plain', '')}"
    return ""
