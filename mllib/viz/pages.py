"""What a chapter shows beside figures: the real source of a function, and quizzes that explain themselves."""

import ast
import inspect
import re
import textwrap
from html import escape
from importlib import import_module
from pathlib import Path


class source:
    """Show the code of ``thing`` as it stands in the package: never a copy, so it cannot go stale.

    Parameters
    ----------
    thing : function, method or class
    docstring : bool
        Whether the docstring is shown too; a chapter has just said the same in its own words.

    Examples
    --------
    >>> from mllib.viz import figures
    >>> source(figures.box)
    mllib/viz/figures.py: box
    """

    def __init__(self, thing, docstring=False):
        thing = getattr(thing, "py_func", thing)  # a compiled function shows the Python it was made from
        code = textwrap.dedent(inspect.getsource(thing))
        if not docstring:
            code = _without_docstring(code)
        self.code = code.rstrip()
        package, _, _ = thing.__module__.partition(".")
        root = Path(inspect.getsourcefile(import_module(package))).parent.parent
        self.where = Path(inspect.getsourcefile(thing)).relative_to(root).as_posix()
        self.name = thing.__qualname__

    def __repr__(self):
        return f"{self.where}: {self.name}"

    def _repr_markdown_(self):
        return f"*{self.where}*\n```python\n{self.code}\n```\n"


def _without_docstring(code):
    body = ast.parse(code).body[0]
    first = body.body[0]
    if ast.get_docstring(body) is None or len(body.body) == 1:
        return code
    lines = code.splitlines(keepends=True)
    return "".join(lines[: first.lineno - 1] + lines[first.end_lineno :])


def printed(words):
    """The words with true minus signs and apostrophes; sums, products and per cents stay on one line.

    >>> printed("Don't: a - b is not -(b), and 1-nearest is a word")
    'Don’t: a\xa0−\xa0b is not −(b), and 1-nearest is a word'
    >>> printed("2 · 3 + 1 is 7, or 700 %, if x = 1 and probability = 1")
    '2\xa0·\xa03\xa0+\xa01 is 7, or 700\xa0%, if x\xa0=\xa01 and probability = 1'
    """
    words = re.sub(r"(?<=\S) - (?=\S)", " − ", words)
    words = re.sub(r"(?<=\S) ([−+·]) (?=\S)", "\u00a0\\1\u00a0", words)
    short = r"(?<!\S)(\S{1,6}) ([=<>≤≥]) (?=\S{1,6}(?:\s|$))"  # no line could hold a long one
    words = re.sub(short, "\\1\u00a0\\2\u00a0", words)
    words = re.sub(r"(?<=\d) (?=%)", "\u00a0", words)
    words = re.sub(r"(?<![\w)-])-(?=[\w(√])", "−", words)
    return re.sub(r"(?<=\w)'(?=\w)", "’", words)


class quiz:
    """A question whose every answer explains itself when it is opened.

    It is plain HTML, so it works in JupyterLab, in the published page, offline and without JavaScript.

    Parameters
    ----------
    question : str
    right : dict
        One answer or more, each with the reason why it is right.
    wrong : dict
        The other answers, each with what leads to it and what is true instead.

    Notes
    -----
    Answers appear in alphabetical order, so their order says nothing. Hyphens that stand for a minus and
    straight apostrophes are set as they are in print.

    Examples
    --------
    >>> quiz("Is 2 a square?", right={"No": "1 and 4 are."}, wrong={"Yes": "Of what?"})
    Quiz: Is 2 a square? (2 answers)
    """

    def __init__(self, question, right, wrong):
        if not right or not wrong:
            raise ValueError("a quiz needs a right and a wrong answer, each with its reason")
        if both := set(right) & set(wrong):
            raise ValueError(f"an answer cannot be right and wrong: {sorted(both)}")
        self.question = printed(question)
        self.right, self.wrong = (
            {printed(text): printed(reason) for text, reason in answers.items()} for answers in (right, wrong)
        )

    def __repr__(self):
        return f"Quiz: {self.question} ({len(self.right) + len(self.wrong)} answers)"

    def _repr_html_(self):
        answers = "\n".join(
            f'<details class="lm-answer {"lm-right" if text in self.right else "lm-wrong"}">'
            f"<summary>{escape(text)}</summary><p><strong>"
            f"{'Right.' if text in self.right else 'Not so.'}</strong> {escape(reason)}</p></details>"
            for text, reason in sorted((self.right | self.wrong).items())
        )
        return f'<div class="lm-quiz"><p>{escape(self.question)}</p>\n{answers}\n</div>'
