"""Everything that is read from ``results.jsonl``: tables for machines, pages for students and instructors.

Nothing is run and nothing is marked here, so reports can be made again at any time: after the open questions
were marked by hand, for instance.  ``by-hand.csv`` has a row a student and, for each open question, a column
for points and one for a comment; a template is written once, filled rows are never touched.
"""

import csv
import io
import json
from collections import Counter
from pathlib import Path

from grader.grade import Refused, latest, read_rows, write_whole, written
from grader.pages import (
    WORDS,
    answered,
    answers_page,
    cohort_page,
    known_mistakes,
    lost_cells,
    page_name,
    status,
    student_page,
)

EARLIER = "marked with an earlier version of this lab or with other limits, and handed in in another folder"
RISKY = tuple("=+-@\t\r")  # a spreadsheet would take such a cell for a formula


def report(out):
    """Write every report for one lab's folder ``grades/<NN-name>``; return its rows, marks by hand merged.

    Raises :class:`grader.grade.Refused` if ``by-hand.csv`` gives a mark that cannot be.
    """
    out = Path(out)
    rows = [row for _, row in sorted(latest(read_rows(out / "results.jsonl")).items())]
    try:
        run = read_run(out)
    except (OSError, ValueError):
        run = {"complete": False, "measure": "", "titles": {}}
        if not rows:
            raise Refused(f"no results in {out}: python -m grader grade SUBMISSIONS first") from None
    if not {"measure", "titles"} <= run.keys():
        raise Refused(f"{out}: results of an older grader; give the command `grade` again first")
    if not run["complete"]:
        raise Refused(f"{out}: not all is marked yet; give the command `grade` again first")
    rows = [row if row["measure"] == run["measure"] else _earlier(row, run) for row in rows]
    with written(out):
        _merge(rows, run, out / "by-hand.csv")
        _write(rows, run, out)
    return rows


def _earlier(row, run):
    """A row that another version of the lab, or other limits, gave: its points stay, and this is said."""
    unknown = {"status": "not marked yet", "error": "", "points": 0, "of": 0}
    checks = {id: row["checks"].get(id, unknown) for id in run["checks"]}
    return row | {"checks": checks, "notes": [*row["notes"], EARLIER]}


def read_run(out):
    """What all rows of a lab's folder have in common: its ``run.json``."""
    return json.loads(Path(out, "run.json").read_text())


def _write(rows, run, out):
    """Every table and every page."""
    _table(out / "scores.csv", _scores(rows, run))
    _table(out / "moodle.csv", _moodle(rows, run))
    _table(out / "canvas.csv", _canvas(rows, run))
    (out / "index.html").write_text(cohort_page(rows, run, equal(rows, run.get("twin"))), encoding="utf-8")
    if run["questions"]:
        (out / "by-hand.html").write_text(answers_page(rows, run), encoding="utf-8")
    pages = out / "students"
    pages.mkdir(exist_ok=True)
    wanted = {page_name(row["student"]): row for row in rows}
    for name, row in wanted.items():
        (pages / name).write_text(student_page(row, run), encoding="utf-8")
    for page in pages.glob("*.html"):
        if page.name not in wanted:
            page.unlink()


def equal(rows, solution=None):
    """Groups of students whose answers are the same program; the solution is one of them."""
    groups = {solution: ["(the solution)"]} if solution else {}
    for row in rows:
        if row["twin"]:
            groups.setdefault(row["twin"], []).append(row["student"])
    return [students for students in groups.values() if len(students) > 1]


def _merge(rows, run, path):
    """Add the marks given by hand to the rows; write or extend the template.

    Who answered nothing has no points for it, without anybody typing a nought; unless somebody types more.
    """
    questions = run["questions"]
    for row in rows:
        row["by_hand"] = {}
        for id, of in questions.items():
            silent = row["status"] != "grader-error" and not answered(row, id, run["prompts"][id])
            mark = {"points": 0 if silent else None, "of": of, "comment": "", "silent": silent}
            row["by_hand"][id] = mark
    if not questions:
        return
    given, columns = _by_hand(path, questions, rows)
    known = {row["student"]: row for row in rows}
    for line, (student, marks) in enumerate(given.items(), start=2):
        if student not in known and not any(marks.values()):  # gone, and nothing is lost
            continue
        if student not in known:
            raise Refused(f"{path}, line {line}: no submission of {student!r}")
        for id, of in questions.items():
            mark = known[student]["by_hand"][id]
            mark["comment"] = (marks.get(f"{id} comment") or "").strip()
            try:
                points = _points(marks.get(id) or "", id, of)
                mark |= {"points": points, "silent": False} if points is not None else {}
            except Refused as problem:
                raise Refused(f"{path}, line {line}: {problem}") from None
    for row in rows:
        row["total"] += sum(mark["points"] or 0 for mark in row["by_hand"].values())
        row["of"] += sum(questions.values())
    missing = [row["student"] for row in rows if row["student"] not in given]
    if missing:
        table = io.StringIO(path.read_bytes().decode() if path.exists() else "", newline="")
        if before := table.getvalue():
            table.seek(0, io.SEEK_END)
            table.write("" if before.endswith("\n") else "\r\n")
        writer = csv.DictWriter(table, columns, restval="")
        if not before:
            writer.writeheader()
        writer.writerows({"student": harmless(student)} for student in missing)
        write_whole(path, table.getvalue())


def _points(text, id, of):
    """Points as they are written; None if they are not."""
    text = text.strip()
    try:
        points = float(text.replace(",", ".")) if text else None
    except ValueError:
        raise Refused(f"{text!r} is no number of points") from None
    if points is not None and not 0 <= points <= of:
        raise Refused(f"{text} for {id!r}, which has 0 to {of:g} points")
    return points


def give(out, student, question, points, comment):
    """Write one mark into ``by-hand.csv``, whole or not at all; the next report merges it."""
    rows, run = read_rows(out / "results.jsonl"), read_run(out)
    path = out / "by-hand.csv"
    given, columns = _by_hand(path, run["questions"], rows)
    if question not in run["questions"] or student not in given:
        raise Refused(f"no answer of {student!r} to {question!r}")
    _points(points, question, run["questions"][question])
    columns = [*columns, *({f"{question} comment"} - set(columns))]
    given[student] |= {question: points.strip(), f"{question} comment": comment}
    table = io.StringIO()
    writer = csv.DictWriter(table, columns, restval="", extrasaction="ignore")
    writer.writeheader()
    writer.writerows({"student": harmless(name), **line} for name, line in given.items())
    write_whole(path, table.getvalue())


def _by_hand(path, questions, rows):
    """What ``by-hand.csv`` says: student -> its row; and its columns."""
    columns = ["student", *(column for id in questions for column in (id, f"{id} comment"))]
    if not path.exists():
        return {}, columns
    names, given = {harmless(row["student"]): row["student"] for row in rows}, {}
    try:
        with open(path, newline="", encoding="utf-8-sig") as file:
            reader = csv.DictReader(file, strict=True)
            found = reader.fieldnames or []
            if "student" not in found or not set(questions) <= set(found):
                raise Refused(f"{path} needs the columns {', '.join(['student', *questions])}")
            for row in reader:
                written = row.pop("student") or ""
                student = names.get(written, written)
                if student in given:
                    raise Refused(f"{path}, line {reader.line_num}: {student!r} stands there twice")
                given[student] = row
    except (UnicodeDecodeError, csv.Error) as problem:
        raise Refused(f"{path} cannot be read ({problem}); save it as CSV in UTF-8") from None
    return given, found


def harmless(text):
    """Text for a cell of a spreadsheet: a leading ``=`` would make it a formula; no two texts become one."""
    return f"'{text}" if text.startswith((*RISKY, "'")) else text


def _table(path, lines):
    with open(path, "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([harmless(c) if isinstance(c, str) else c for c in line] for line in lines)


def _scores(rows, run):
    yield ["student", *run["checks"], *run["questions"], "total", "of", "status", "seconds"]
    for row in rows:
        marks = [(row["checks"] | row["by_hand"])[id]["points"] for id in (*run["checks"], *run["questions"])]
        points = ["" if mark is None else f"{mark:g}" for mark in (*marks, row["total"], row["of"])]
        yield [row["student"], *points, status(row), row["seconds"]]


def _moodle(rows, run):
    """For "Import grades from CSV": map Username to the user and the other two to the grade item."""
    yield ["Username", run["lab"], f"{run['lab']} feedback"]
    for row in rows:
        yield [row["student"], f"{row['total']:g}", feedback(row, run)]


def _canvas(rows, run):
    """For the gradebook's "Import": students are known by their login."""
    of = rows[0]["of"] if rows else run["points"]
    yield ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", run["lab"]]
    yield ["Points Possible", "", "", "", "", f"{of:g}"]
    for row in rows:
        yield [row["student"], "", "", row["student"], "", f"{row['total']:g}"]


def feedback(row, run):
    """A student's row in a sentence or two."""
    if row["status"] != "marked":
        return row["reason"] if row["status"] == "bad-notebook" else WORDS[row["status"]]
    counts = Counter(mark["status"] for mark in row["checks"].values())
    words = [f"{count} {name}" for name, count in counts.most_common()]
    comments = [f"{id}: {mark['comment']}" for id, mark in row["by_hand"].items() if mark["comment"]]
    if any(mark["points"] is None for mark in row["by_hand"].values()):
        comments.append("an open question is not marked yet")
    mistakes = [f"{said[0]}. {said[1]}" for said in known_mistakes(row, row["checks"])]
    said = [f"this is what comes out if {words}" for words in mistakes]
    return "; ".join([f"checks: {', '.join(words)}", *said, *lost_cells(row), *comments])
