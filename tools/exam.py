"""An examination from the bank: `make exam CHAPTERS="04 10" SEED=7`.

A problem is a function in ``exams/bank/NN_name.py``. Its docstring is the text: a first line
``kind: title``, then the question, the solution and the rubric. Its parameters have lists
of choices as defaults, from which the seed draws; what it returns are the numbers of the
solution. ``[[name]]`` in the text is a parameter or such a number, ``[[name:.3f]]`` says
how it is printed. So no number of a solution is typed, and tests/exams compares each with
one that was found in another way.
"""

import argparse
import importlib.util
import inspect
import random
import re
import sys
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
BANK, OUT = ROOT / "exams/bank", ROOT / "_build/exams"
PLACE = re.compile(r"\[\[(\w+)(?::([^\]]+))?\]\]")
PARTS = re.compile(r"(?ms)^(.+?): (.+?)\n\n(.+?)\n\nSolution\.\n\n(.+?)\n\nRubric\.\n\n(.+)")
POINTS = re.compile(r"^- (\d+): ", re.M)


class Problem(NamedTuple):
    """One problem: where it is from, its parts as they are written, and the function."""

    chapter: str
    name: str
    kind: str
    title: str
    question: str
    solution: str
    rubric: str
    solve: object

    def draw(self, seed):
        """The parameters for a seed."""
        chance = random.Random(f"{seed} {self.chapter} {self.name}")
        choices = inspect.signature(self.solve).parameters.items()
        return {name: chance.choice(choice.default) for name, choice in choices}

    def write(self, part, seed):
        """A part with the numbers for a seed."""
        given = self.draw(seed)
        values = given | (self.solve(**given) or {})
        return PLACE.sub(lambda place: shown(values[place[1]], place[2]), getattr(self, part))

    @property
    def points(self):
        """What the rubric gives in all."""
        return sum(map(int, POINTS.findall(self.rubric)))


def shown(value, form=None):
    """A number as Markdown prints it between dollars.

    >>> shown(Fraction(-3, 10)), shown((1, Fraction(4, 2))), shown(0.125, ".2f")
    ('-\\\\frac{3}{10}', '1, 2', '0.12')
    """
    if isinstance(value, tuple):
        return ", ".join(shown(entry, form) for entry in value)
    if form:
        return format(float(value), form)
    if isinstance(value, Fraction) and value.denominator > 1:
        sign = "-" * (value < 0)
        return f"{sign}\\frac{{{abs(value.numerator)}}}{{{value.denominator}}}"
    return str(value)


def bank(folder=BANK):
    """``{chapter: its problems}`` of a folder, chapters by their two digits."""
    found = {}
    for path in sorted(Path(folder).glob("[0-9][0-9]_*.py")):
        spec = importlib.util.spec_from_file_location(f"exams_{path.stem}", path)
        spec.loader.exec_module(module := importlib.util.module_from_spec(spec))
        own = [f for f in vars(module).values() if getattr(f, "__module__", "") == module.__name__]
        found[path.stem[:2]] = [Problem(path.stem, f.__name__, *parts_of(f), f) for f in own if f.__doc__]
    return found


def parts_of(function):
    """Kind, title, question, solution and rubric, as the docstring of a problem has them."""
    parts = PARTS.fullmatch(inspect.getdoc(function))
    if parts is None:
        raise ValueError(f"{function.__name__}: not 'kind: title', question, Solution., Rubric.")
    return parts.groups()


def compose(problems, seed):
    """``(examination, solutions)`` in Markdown."""
    head = f"Examination, {sum(problem.points for problem in problems)} points\n"
    exam, solutions = (
        f"# {head}",
        f"# Solutions: {head}\nSeed {seed}. Not for students.\n",
    )
    for number, problem in enumerate(problems, start=1):
        title = f"\n## {number}. {problem.title} ({problem.points} points)\n\n"
        exam += f"{title}{problem.write('question', seed)}\n"
        solutions += f"{title}*{problem.chapter}: {problem.name} ({problem.kind})*\n"
        for part in ("question", "solution", "rubric"):
            solutions += f"\n**{part.capitalize()}.**\n\n{problem.write(part, seed)}\n"
    return exam, solutions


def main(arguments=None):
    """The command line; the exit code."""
    parser = argparse.ArgumentParser(prog="exam.py", description=__doc__.splitlines()[0])
    parser.add_argument("chapters", nargs="*", help="two digits each, such as 04 10")
    parser.add_argument("--seed", type=int, default=1, help="chooses problems and numbers (1)")
    parser.add_argument("--per", type=int, default=2, help="problems of each chapter (2)")
    parser.add_argument("--bank", type=Path, default=BANK, help="your private copy")
    parser.add_argument("--out", type=Path, default=OUT, help="folder (_build/exams)")
    asked = parser.parse_args(arguments)
    problems = bank(asked.bank)
    has = f"the bank {asked.bank} has {', '.join(problems) or 'none'}"
    if not asked.chapters:
        parser.error(f'which chapters? make exam CHAPTERS="04 10" SEED=7; {has}')
    if unknown := [chapter for chapter in asked.chapters if chapter not in problems]:
        parser.error(f"no problems for chapter {', '.join(unknown)}; {has}")
    chosen = []
    for chapter in asked.chapters:
        if not 1 <= asked.per <= len(problems[chapter]):
            parser.error(f"--per {asked.per}: chapter {chapter} has {len(problems[chapter])} problems")
        some = random.Random(f"{asked.seed} {chapter}").sample(problems[chapter], asked.per)
        chosen += sorted(some, key=problems[chapter].index)
    asked.out.mkdir(parents=True, exist_ok=True)
    for name, text in zip(("exam.md", "solutions.md"), compose(chosen, asked.seed), strict=True):
        (asked.out / name).write_text(text, encoding="utf-8")
        print(asked.out / name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
