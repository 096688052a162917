'''What a lab's check cell calls: show a student what was expected, and emit values for the grader.

A check that says *right* or *wrong* inside the student's own process can be fooled by that process: by
a patched ``np.allclose``, by an object that equals everything.  So a check here decides nothing.  It
*emits the values* that the student's code returns, rounded, as one display bundle; whoever grades
compares them, elsewhere, with the values of the reference solution.  Beside the values the bundle holds
words for the student, as text and as a card, that say at once what kind of answer was expected and what
came.  Nothing is said about an answer that is still the starter's but what to write.

This module is the only part of the grader that a lab imports.  It (and ``grader.values``) needs the standard
library and NumPy, nothing else.

A whole check cell
------------------
``metadata.lab = {"id": "alpha", "points": 0}``, or with ``"hidden": true`` if students shall not see it::

    from grader.check import check

    with check("alpha") as expect:
        expect("alpha at 3/10", learner_weight(0.3), shape=(), equals=0.42365)
        expect("alpha at 1/2", learner_weight(0.5), equals=0, hint="ln 1 is 0: where is your logarithm?")

- ``check(id)``: the id of the cell's metadata.  One block, one bundle; it never raises.  The release writes
  ``check(id, of=7)``, how many checks students see: then each says how many of them are fine so far, and
  that hidden ones follow.
- ``expect(name, value, ...)``: any number of times.  ``value`` is a number, a text, an array, a list or a
  dict of these: what the student's code answers.  *The value is graded against the value that the solution
  gives*, so nothing more is needed; what follows only makes the words kinder (and is checked too):

  ``shape=(10,)`` (``()`` is one number) · ``above=0`` · ``at_least=0`` · ``below=1`` · ``at_most=1`` ·
  ``sums_to=1`` · ``only={-1, 1}`` · ``equals=0.42365`` (shown to students: never in a hidden check) ·
  ``hint="Divide by Z."`` (shown when this answer is not yet right)

  and some change how it is graded:

  ``within=1e-5`` relative tolerance, measured against the largest number of the value ·
  ``agree=0.98`` this share of the entries must be equal (predictions) ·
  ``up_to="sign"`` | ``"scale"`` | ``"order"`` for answers that are the same but for that ·
  ``unique=False`` many answers are right: grade the stated kinds instead of the value
- ``expect.rng``: a NumPy random generator for the inputs.  In the notebook its seed is public and fixed;
  when hidden checks are graded it is secret, so draw the inputs of a hidden check from it::

    with check("alpha-hidden") as expect:                # {"id": "alpha-hidden", "points": 2, "hidden": true}
        expect("alpha", [learner_weight(e) for e in expect.rng.uniform(0.05, 0.45, size=5)])

A planted bug
-------------
A code cell with ``metadata.lab = {"rejects": "alpha-hidden"}``, at the end of the source, after the last
check.  On release it is run just before that check, must make it (and no other check) fail, and is left out
of the released lab.  Every check needs at least one::

    def learner_weight(epsilon):
        return np.log((1 - epsilon) / epsilon)           # the one half is lost

What students write
-------------------
In any code cell of the source::

    def learner_weight(epsilon):
        """Weight of a weak learner with weighted error epsilon."""
        # BEGIN SOLUTION return alpha = 1/2 ln((1 - epsilon) / epsilon)
        return 0.5 * np.log((1 - epsilon) / epsilon)
        # END SOLUTION

is released with ``# YOUR CODE: return alpha = ...`` and ``raise NotImplementedError`` between the markers.
Outside functions the released line is ``name = ...`` for each name that the solution assigns.  Lines
``#: total = 0`` right below the BEGIN line are released instead, as code, without their ``#: ``.
A check whose student code raises ``NotImplementedError`` or answers ``...`` says "not attempted yet".
In Markdown the markers are ``<!-- BEGIN SOLUTION what to write -->`` and ``<!-- END SOLUTION -->``.

Cells that *use* the student's code (a slider, a table) must survive an unsolved lab too::

    from grader.check import when_solved

    with when_solved("learner_weight"):
        explore(draw, epsilon=[0.1, 0.2, 0.3])

Such cells may carry ``metadata.lab = {"demo": true}``: they are not run when the lab is graded.

An open question, marked by hand, is a Markdown cell with ``metadata.lab = {"id": "why", "by_hand": 4}``.
The notebook's own ``metadata.lab = {"imports": ["numpy", "mllib.datasets"]}`` says what students may import
(the standard library and ``grader.check`` always; a room of mllib that is not named does not exist when the
lab is graded).
'''

import builtins
import linecache
import os
import sys
import traceback
import zlib
from contextlib import contextmanager
from html import escape

import numpy as np

from grader.values import KINDS, TERMS, count, kind_faults, plain, same, show, too_many

MIME = "application/vnd.large-margins.check+json"
PUBLIC_SEED = 2024
MOST_NUMBERS = 20_000  # in one check: a lab notebook must stay a readable text file


# Marks and colours; the words say the same. White on each colour is legible, and so is a card on a dark page.
FINE, NOTED, FAULT, OPEN = ("✓", "#1a7f37"), ("•", "#0a62b5"), ("✗", "#b3410b"), ("○", "#5c636a")
CARD = "margin: 0.2em 0; padding: 0.4em 0.9em; border-left: 4px solid {}; background: rgba(128,128,128,0.09)"
WORDS = "font-family: system-ui,sans-serif; line-height: 1.5; white-space: normal; overflow-wrap: break-word"
BADGE = "padding: 0 0.4em; border-radius: 0.6em; color: #ffffff; background: {}"


class AuthorMistake(Exception):
    """The check cell itself is wrong: shown to its author with a traceback, never swallowed."""


_seed = PUBLIC_SEED
_given = {}  # what the lab's own cells bound
_fine = {}  # id of a visible check -> whether it was fine when it was last run


@contextmanager
def check(id, of=None):
    """Run the block below, then display one bundle with the values it expects and words about them.

    Parameters
    ----------
    id : str
        The id in the cell's ``metadata.lab``.
    of : int, optional
        How many checks the lab shows to students.

    Examples
    --------
    >>> with check("half") as expect:
    ...     expect("a half", 1 / 2, above=0, equals=0.5)
    ...     expect("weights", [0.5, 0.6], sums_to=1, hint="Divide by their sum.")
    Check half
      a half: fine. It is 0.5.
      weights: not yet. Expected: numbers that sum to 1. Got: they sum to 1.1. Hint: Divide by their sum.
    """
    expect = Expect(id, _seed)
    state, error = "answered", ""
    try:
        yield expect
    except (AuthorMistake, KeyboardInterrupt):
        raise
    except BaseException as problem:  # also SystemExit: a student's exit() must not end the notebook here
        if _is_starter(problem):
            state = "not attempted"
            expect.say(OPEN, "not attempted yet. " + _starter_words(problem))
        else:
            state, error = "stopped", type(problem).__name__
            expect.say(FAULT, _stopped_words(problem))
    if state == "answered" and not expect.values:
        raise AuthorMistake(f"check {id!r} expects nothing: call expect(name, value) in its block")
    bundle = {"check": id, "state": state, "values": expect.values, "terms": expect.terms}
    bundle |= {"error": error} if error else {}
    bundle |= {"faults": expect.faults} if expect.faults else {}
    total = ""
    if of:
        _fine[id] = state == "answered" and not expect.faults
        total = f"{sum(_fine.values())} of {of} visible checks are fine; grading also tries other inputs."
    text = "\n  ".join([f"Check {id}", *(words for _, words in expect.lines), *([total] if total else [])])
    _display(bundle, text, _card(id, expect.lines, total))


class Expect:
    """The object a check block receives: called once for each answer, it notes value and words."""

    def __init__(self, id, seed):
        self.rng = np.random.default_rng([seed, zlib.crc32(id.encode())])
        self.values, self.terms, self.faults, self.lines = {}, {}, [], []

    def say(self, mark, words):
        self.lines.append((mark, words))

    def __call__(self, name, value, *, equals=None, hint="", **wishes):
        unknown = set(wishes) - set(KINDS) - set(TERMS)
        if unknown or name in self.values:
            what = f"does not know {', '.join(sorted(unknown))}" if unknown else f"has {name!r} twice"
            raise AuthorMistake(f"expect {what}; it knows {', '.join(('equals', 'hint', *KINDS, *TERMS))}")
        if wishes.get("unique") is False and not any(kind in wishes for kind in KINDS):
            raise AuthorMistake(f"{name!r} is not unique: say what every right answer has in common")
        wishes = {k: plain(v) for k, v in wishes.items() if v is not None}
        room = MOST_NUMBERS - sum(map(count, self.values.values()))
        try:
            # Too many are the student's mistake; for the author's own release refuses every fault.
            found = too_many(value, wishes, room)
            value = None if found else plain(value)
        except TypeError as problem:
            value, found = None, [("a number, a text or an array", str(problem))]
        if not found:
            found = kind_faults(value, wishes)
            if equals is not None and not found and not same(value, plain(equals), wishes):
                found = [(show(plain(equals)), show(value))]
        self.values[name] = value
        self.terms |= {name: wishes} if wishes else {}
        if found:
            expected, came = found[0]
            self.faults.append(name)
            tail = f" Hint: {hint}" if hint else ""
            stop = "" if came.endswith("?") else "."
            self.say(FAULT, f"{name}: not yet. Expected: {expected}. Got: {came}{stop}{tail}")
        elif equals is not None:
            self.say(FINE, f"{name}: fine. It is {show(value)}.")
        else:
            kind = "the right kind of answer" if any(k in wishes for k in KINDS) else "noted"
            self.say(NOTED, f"{name}: {kind} ({show(value)}). Grading compares its value.")


@contextmanager
def when_solved(what="the code above"):
    """Run a block that uses the student's code; if that is still the starter, say so and go on.

    Examples
    --------
    >>> with when_solved("alpha"):
    ...     raise NotImplementedError
    Not attempted yet: write alpha,
    then run this cell again.
    """
    try:
        yield
    except Exception as problem:
        if not _is_starter(problem):
            raise
        print(f"Not attempted yet: write {what},\nthen run this cell again.")


def start_from(seed):
    """Let ``expect.rng`` of the checks that follow start from this seed: the grader's own call.

    >>> start_from(7)
    >>> with check("draw") as expect:
    ...     expect("one draw", expect.rng.integers(1, 2))
    Check draw
      one draw: noted (1). Grading compares its value.
    >>> start_from(PUBLIC_SEED)
    """
    global _seed
    _seed = seed


def keep(*names):
    """Remember what a cell of the lab's own has bound to these names: the grader's own call."""
    scope = sys._getframe(1).f_globals
    _given.update({name: scope[name] for name in names})


def apart(source):
    """Run a check cell in names of its own: the grader's own call.

    What the check binds is no business of the student's functions, which may have helpers of any name; and
    what the lab and Python gave means in the check what it meant before the student used such a name.
    """
    scope = sys._getframe(1).f_globals
    name = f"<check {zlib.crc32(source.encode()):x}>"
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    exec(compile(source, name, "exec"), {**scope, **vars(builtins), **_given})


# --- words about code that stopped --------------------------------------------------------------------


def _is_starter(problem):
    """Whether the student's code still is the starter: it raises on purpose or hands ``...`` on."""
    return isinstance(problem, NotImplementedError) or (
        isinstance(problem, TypeError) and "ellipsis" in str(problem).lower()
    )


def _frames(problem):
    """Where it happened, student's code only: neither the grader's nor installed packages."""
    frames = traceback.extract_tb(problem.__traceback__)
    ours = (os.path.dirname(__file__) + os.sep, sys.base_prefix + os.sep)
    return [f for f in frames if not f.filename.startswith(ours) and "site-packages" not in f.filename]


def _starter_words(problem):
    names = [f.name for f in _frames(problem) if not f.name.startswith("<")]
    return f"Write {names[-1] if names else 'the answer'} above, then run this cell again."


def _stopped_words(problem):
    frames = _frames(problem)
    where = advice = ""
    if frames:
        inside = "" if frames[-1].name.startswith("<") else f" in {frames[-1].name}"
        where = f"{inside}, line {frames[-1].lineno}: {frames[-1].line}" if frames[-1].line else inside
        if isinstance(problem, NameError) and not inside:  # the check itself asks for what is not there
            advice = ". Run the cell that defines it first, and see whether it ends in an error."
    where = f" ({where.strip(', ')})" if where else ""
    return f"stopped by {type(problem).__name__}: {str(problem)[:300]}{where}{advice}"


def _card(id, lines, total):
    """The words as HTML in the colour of the worst of them; no style sheet, so any notebook shows it."""
    _, colour = max((mark for mark, _ in lines), key=[FINE, NOTED, OPEN, FAULT].index)
    rows = "".join(
        f'<div style="padding-left: 2em; text-indent: -2em">'
        f'<span style="{BADGE.format(paint)}">{sign}</span> {escape(words)}</div>'
        for (sign, paint), words in lines
    )
    head = f"<div><strong>Check {escape(id)}</strong></div>"
    foot = f'<div style="text-align: right"><em>{total}</em></div>' if total else ""
    return f'<div style="{CARD.format(colour)}; {WORDS}">{head}{rows}{foot}</div>'


def _display(bundle, text, html):
    """Hand the bundle to the notebook; without one (a script, a doctest) print the text."""
    notebook = sys.modules.get("IPython")
    if notebook is None or notebook.get_ipython() is None:
        print(text)
    else:
        notebook.display.publish_display_data({MIME: bundle, "text/plain": text, "text/html": html})
