"""What a chapter shows beside figures: real source, tables, and quizzes that explain themselves."""

import ast
import inspect
import re
import textwrap
from html import escape
from importlib import import_module
from numbers import Integral
from pathlib import Path

import numpy as np


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


class table:
    """A table with a caption: HTML on a page, and beside it the aligned text that nbval compares.

    Parameters
    ----------
    columns : dict
        Each heading with the values below it, as many for each: numbers, texts, truths (shown as yes and no),
        and None or NaN for an empty entry. If the first column holds texts, they name the rows.
    caption : str
        What the table shows, in a few words; screen readers announce the table by it.
    digits : int, str or dict, default=3
        Digits after the point of what is not a whole number, or a format such as ".1e"; a dict says it for
        some columns.

    Examples
    --------
    >>> table({"round": [1, 5], "edge": [0.301, -0.171], "holds": [True, True]}, "Two rounds", digits=2)
    Two rounds
    round   edge  holds
        1   0.30    yes
        5  -0.17    yes
    """

    def __init__(self, columns, caption, digits=3):
        columns = {name: list(values) for name, values in columns.items()}
        if not columns or len({len(values) for values in columns.values()}) != 1:
            raise ValueError("a table needs columns, with as many values in each")
        given = digits if isinstance(digits, dict) else dict.fromkeys(columns, digits)
        if unknown := set(given) - set(columns):
            raise ValueError(f"digits for columns that are not there: {sorted(unknown)}")
        self.caption = caption
        self.headings = list(columns)
        self.texts = [any(isinstance(v, str) for v in values) for values in columns.values()]
        shown = [[_entry(v, given.get(name, 3)) for v in values] for name, values in columns.items()]
        self.rows = list(zip(*shown, strict=True))

    def __repr__(self):
        lines = [self.headings, *self.rows]
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        sides = ["<" if text else ">" for text in self.texts]
        layout = "  ".join(f"{{:{side}{width}}}" for side, width in zip(sides, widths, strict=True))
        return "\n".join([self.caption, *(layout.format(*line).rstrip() for line in lines)])

    def _repr_html_(self):
        left = [' style="text-align: left"' * text for text in self.texts]  # numbers stand at the right
        heads = ['th scope="col"'] * len(left)
        cells = ['th scope="row"' if self.texts[0] else "td", *["td"] * (len(left) - 1)]

        def line(tags, entries):
            return "".join(
                f"<{tag}{side}>{escape(entry)}</{tag[:2]}>"
                for tag, side, entry in zip(tags, left, entries, strict=True)
            )

        head = line(heads, self.headings)
        body = "\n".join(f"<tr>{line(cells, map(_minus, row))}</tr>" for row in self.rows)
        return (
            f'<table class="lm-table">\n<caption>{escape(self.caption)}</caption>\n'
            f"<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>"
        )


def _entry(value, digits):
    """The text of one value; a zero has no sign."""
    if value is None or value != value:
        return ""
    if isinstance(value, bool | np.bool_):
        return "yes" if value else "no"
    if isinstance(value, Integral):
        return f"{value:,}"
    if isinstance(value, float | np.floating):
        return f"{value:{digits}}" if isinstance(digits, str) else f"{round(value, digits) + 0.0:,.{digits}f}"
    return str(value)


def _minus(text):
    """A number, alone or with its error, with a true minus sign; anything else as it is."""
    return re.sub(r"^-(?=[\d.,]+( ±.*)?$)", "−", text)


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
        for name, answers in (("right", right), ("wrong", wrong)):
            if not isinstance(answers, dict) or not all(isinstance(t, str) for t in sum(answers.items(), ())):
                wanted = f'{name} must give each answer with its reason, {name}={{"4": "it is 2 + 2"}}'
                raise TypeError(f"{wanted}, got {answers!r}")
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
