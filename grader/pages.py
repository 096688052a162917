"""The pages: plain HTML that opens from a disk, on a phone, in the dark; only the desk's runs a script.

Whatever came from a submission is escaped.  A student's page tells the status of each check and, where code
stopped, the kind of error if it is one of Python's own; never a value, an output or a message of the
student's process: hidden inputs could be written into any of these.
"""

import base64
import hashlib
import io
import re
from collections import Counter
from html import escape, unescape
from pathlib import Path
from statistics import mean, median
from string import Template

from grader.collect import few
from grader.judge import STATUS

WORDS = STATUS | {
    "bad-notebook": "the file could not be read as this lab",
    "grader-error": "could not be run; it will be tried again",
}
PAGE = Template(Path(__file__).with_name("page.html").read_text(encoding="utf-8"))
SCRIPT = Path(__file__).with_name("desk.js").read_text(encoding="utf-8")
EQUAL = """<p>The same program up to names, comments and white space. Short answers may be equal honestly:
look before you judge.</p>"""
BY_HAND = '<p><a href="by-hand.html">Answers to mark by hand</a>; the points go into by-hand.csv.</p>'
KEYS = """Enter goes to the next answer, Shift and Enter back, Tab to the comment.
What you type is saved in by-hand.csv when you leave its field."""
NO_ANSWER = "<p>No answer.</p>"
MOST_LOST = 5  # cells of which a page speaks
LONGEST_NAME = 100  # letters of a page's file name before its ending; disks take about 250


def student_page(row, run):
    """One student's result, and what happened to it."""
    parts = [f'<p class="total">{row["total"]:g} of {row["of"]:g} points</p>']
    if row["status"] != "marked":
        parts.append(f"<p>{_(WORDS[row['status']])}: {_(row['reason'])}.</p>")
    elif not row["code"] and not any(mark["points"] for mark in row["checks"].values()):
        parts.append("<p>No answer was handed in: the cells to write are as the lab gave them.</p>")
    parts += [f"<p>{_(words[0].upper() + words[1:])}.</p>" for words in lost_cells(row)]
    parts += [f"<p>Note: {_(note)}.</p>" for note in row["notes"]]
    if row["status"] == "marked" and any(mark["points"] is None for mark in row["by_hand"].values()):
        parts.append("<p>Some questions are not marked yet; their points are still to come.</p>")
    told, lines = {one["check"]: one for one in row["told"]}, []
    for id, mark in row["checks"].items():
        if id in told:  # of a run that saw nothing hidden, so that no status tells what is
            mark = mark | {key: told[id][key] for key in ("status", "error")}
        words = WORDS[mark["status"]]
        words += f" ({mark['error']})" if mark["error"] and id in told else ""
        words += f" (with the solution's {_before(mark['ours'])} in place of yours)" if "ours" in mark else ""
        if mark["status"] not in ("right", "not attempted"):
            words = Html(f'<span class="wrong">{_(words)}</span>')
        lines.append([id, words, f"{mark['points']:g} of {mark['of']:g}" if mark["of"] else "practice"])
    parts += ["<h2>Checks</h2>", _table(["check", "result", "points"], lines)]
    if row["by_hand"]:
        lines = []
        for id, mark in row["by_hand"].items():
            words, points = ("not marked yet", "?") if mark["points"] is None else ("", f"{mark['points']:g}")
            words = "no answer" if mark["silent"] else words
            lines.append([id, mark["comment"] or words, f"{points} of {mark['of']:g}"])
        parts += ["<h2>Open questions</h2>", _table(["question", "comment", "points"], lines)]
    parts += _answers(row, run, told)
    return _page(run, row["student"], [*parts, _how(run)])


def _answers(row, run, told):
    """Question by question: the code as it was handed in, its errors, what the check in the notebook said."""
    errors, waiting, last_of = {}, [], {id: last for last, ids in run["titles"].items() for id in ids}
    for one in [*row["told"], {"check": "", "said": ""}]:  # what stands below all checks comes last
        if one["check"] is None:
            waiting += [one["said"]] if one["said"] else []
        else:
            errors.setdefault(last_of.get(one["check"]), []).extend(waiting)
            waiting = []
    for last, ids in (run["titles"] | {None: []}).items():
        said = [told[id]["said"] for id in ids if id in told and told[id]["said"]]
        if last not in row["code"] and not said and not errors.get(last) and not known_mistakes(row, ids):
            continue
        lost = any(row["checks"][id]["status"] != "right" for id in ids)
        yield f"<h2>{_(_before([last])) if last else 'Below the last check'}</h2>"
        if last in row["code"]:
            yield _unfold("Your code, as handed in", _code(row["code"][last]), lost)
        yield from map(_code, errors.get(last, []) + said)
        for mistake, hint in known_mistakes(row, ids):
            yield f"<p><strong>This is what comes out if {_(mistake)}.</strong> {_(hint)}</p>"
        if lost and not said and any(not row["checks"][id]["of"] for id in ids):
            yield "<p>The check in the notebook found nothing wrong; other inputs did.</p>"


def known_mistakes(row, ids):
    """What is known of the mistakes in some checks of one question, each once: pairs of mistake and hint."""
    found = (row["checks"][id].get("mistake") for id in ids)
    return list(dict.fromkeys(tuple(each) for each in found if each))


def _before(checks):
    """Names of questions, by their last checks."""
    return ", ".join(id.removesuffix("-hidden") for id in checks)


def cohort_page(rows, run, twins):
    """All students of one lab: distribution, hardest question, failures by kind, equal submissions."""
    parts = []
    if rows:
        totals = [row["total"] for row in rows]
        words = f"Mean {mean(totals):.1f}, median {median(totals):g} of {rows[0]['of']:g} points."
        parts += [f"<p>{words}</p>", *_waiting(rows)]
        parts += ["<h2>Distribution</h2>", _distribution(totals, rows[0]["of"])]
        parts += ["<h2>Questions, hardest first</h2>", _questions(rows, run)]
    marks = [mark for row in rows for mark in row["checks"].values() if mark["of"]]
    kinds = Counter(mark["status"] for mark in marks if mark["status"] != "right")
    lines = [[WORDS[kind].replace("your code", "the code"), count] for kind, count in kinds.most_common()]
    parts += ["<h2>What went wrong</h2>", _table(["kind", "checks"], lines) if lines else "<p>Nothing.</p>"]
    parts += _mistakes(rows, run)
    groups = "".join(f"<li>{', '.join(map(_name, group))}</li>" for group in twins)
    parts += ["<h2>Equal submissions</h2>", f"{EQUAL}<ul>{groups}</ul>" if twins else "<p>None.</p>"]
    if run["missing"]:
        files = {name: each["files"] for name, each in run["missing"].items()}
        named = {name: f" (not taken: {_(few(each))})" for name, each in files.items() if each}
        names = [_name(name) + named.get(name, "") for name in run["missing"]]
        parts.append(f"<h2>Nothing handed in</h2><p>{', '.join(names)}</p>")
    lines = [[_link(row), f"{row['total']:g}", _state(row), f"{row['seconds']:.1f}"] for row in rows]
    parts += ["<h2>Students</h2>", _table(["student", "points", "status", "seconds"], lines)]
    parts += [BY_HAND] if run["questions"] else []
    return _page(run, f"{len(rows)} submissions", [*parts, _how(run)])


def _mistakes(rows, run):
    """How many made which mistake, of those that are known by name; the most frequent first."""
    counts = Counter()
    for row in rows:
        for last, ids in run["titles"].items():
            counts.update((_before([last]), mistake) for mistake, _hint in known_mistakes(row, ids))
    lines = [[f"{n} of {len(rows)}", question, mistake] for (question, mistake), n in counts.most_common()]
    return (
        ["<h2>Mistakes known by name</h2>", _table(["students", "question", "as if"], lines)] if lines else []
    )


def _link(row):
    return Html(f'<a href="students/{_(page_name(row["student"]))}">{_name(row["student"])}</a>')


def _state(row):
    """A row's status, and what an instructor may want to know."""
    remarks = "; ".join(filter(None, [row["reason"], *row["notes"]]))
    return Html(_(status(row)) + (f' <span class="soft">{_(remarks)}</span>' if remarks else ""))


def own_words(row, id, prompt):
    """What a student wrote for an open question, without the question."""
    return row["answers"].get(id, "").replace(prompt["question"], "").replace(prompt["starter"], "").strip()


def answered(row, id, prompt):
    """Whether there is anything to mark by hand: words, or code cells of their own."""
    return bool(own_words(row, id, prompt) or row["added"])


def answers_page(rows, run, desk=""):
    """The open questions, one after the other, with a model answer and every student's own.

    With ``desk``, a word that only this page knows, there are fields for points and comments.
    """
    parts = [f'<p>{KEYS} <output id="left"></output></p>'] if desk else []
    for id, of in run["questions"].items():
        prompt = run["prompts"][id]
        parts.append(f"<h2>{_(id)} ({of:g} points)</h2>{_rich(prompt['question'])}")
        if prompt["model"]:
            parts.append(_unfold("A model answer", _rich(prompt["model"])))
        silent = []
        for row in rows:
            answer = own_words(row, id, prompt)
            if not answered(row, id, prompt):
                silent.append(row)
                continue
            parts += [_marked(row, id, desk), _prose(answer) if answer else NO_ANSWER]
            if row["added"]:
                parts.append(_unfold("Code cells of their own", _code(row["added"])))
            if row["code"]:
                parts.append(_unfold("Their answers in the lab", _code("\n".join(row["code"].values()))))
        if silent and not desk:
            parts.append(f"<h3>No answer</h3><p>{', '.join(_name(row['student']) for row in silent)}.</p>")
        parts += [_marked(row, id, desk) + NO_ANSWER for row in silent if desk]
    return _page(run, "answers to mark by hand", parts, desk)


def _marked(row, id, desk):
    """The heading of an answer, with its points, or with fields for them."""
    mark = row["by_hand"][id]
    points, of = "" if mark["points"] is None else f"{mark['points']:g}", f"{mark['of']:g}"
    if not desk:
        words = f"{points} points" if points else "not marked yet"
        return f'<h3>{_name(row["student"])} <span class="soft">{words}</span></h3>'
    return f"""<h3>{_name(row["student"])}</h3>
<form data-student="{_(row["student"])}" data-question="{_(id)}">
<label>Points, 0 to {of} <input name="points" inputmode="decimal" size="4" value="{points}"></label>
<label>Comment <input name="comment" size="50" value="{_(mark["comment"])}"></label> <output></output>
</form>"""


def _waiting(rows):
    """A sentence about the answers that nobody has marked yet; none if there are none."""
    count = sum(mark["points"] is None for row in rows for mark in row["by_hand"].values())
    return [f"<p>Open answers not marked yet: {count}. Their points are missing here.</p>"] if count else []


def _unfold(title, content, open=False):
    return f"<details{' open' if open else ''}><summary>{title}</summary>{content}</details>"


def _name(student):
    """A student's name as it was written; whatever it holds turns no letter around it."""
    return Html(f"<bdi>{_(student)}</bdi>")


def _prose(text):
    return f'<pre class="prose">{_(text)}</pre>'


def _code(text):
    return f"<pre>{_(text)}</pre>"


def _rich(text):
    """An instructor's Markdown as far as questions use it: paragraphs, emphasis, code, formulas.

    >>> _rich("Is *this*\\n`x < 1`?\\n\\nWhy?")
    '<p>Is <em>this</em>\\n<code>x &lt; 1</code>?</p><p>Why?</p>'
    """
    if "```" in text:
        return _prose(text)
    text = escape(text, quote=False)
    text = re.sub(r"\$([^$\n]+)\$", _formula, text)
    text = re.sub(r"`([^`]+)`", r"<code>\1</code>", text)
    text = re.sub(r"(?<![\w*=\"/])\*([^*\n]+)\*(?![\w*])", r"<em>\1</em>", text)
    return "".join(f"<p>{part.strip()}</p>" for part in re.split(r"\n\s*\n", text) if part.strip())


def _formula(found):
    """A formula as a picture that needs nothing from outside; as it was written if it cannot be drawn."""
    from matplotlib import mathtext, rc_context

    words, drawn = unescape(found[0]), io.BytesIO()
    try:
        with rc_context({"savefig.transparent": True, "font.size": 12}):
            mathtext.math_to_image(words, drawn, format="svg", dpi=72)
    except ValueError:
        return f"<code>{found[0]}</code>"
    code = base64.b64encode(drawn.getvalue()).decode()
    return f'<img class="formula" alt="{escape(found[1])}" src="data:image/svg+xml;base64,{code}">'


def page_name(student):
    """A file name for a student's page: readable, harmless, and never another's.

    >>> page_name("ada"), page_name("../eve")[:4]
    ('ada.html', 'eve-')
    """
    plain = re.sub(r"[^a-zA-Z0-9_-]+", "-", student).strip("-")
    own = plain.lower() == plain == student and not re.search("-[0-9a-f]{8}$", plain)
    if own and len(plain) <= LONGEST_NAME:
        return f"{plain}.html"
    digest = hashlib.sha256(student.encode("utf-8", "replace")).hexdigest()[:8]
    return f"{plain[:LONGEST_NAME] or 'student'}-{digest}.html"


def lost_cells(row):
    """A sentence for each of the student's own cells that was broken off: why names below it are missing."""
    words = {kind: STATUS[kind] for kind in ("died", "process-limit", "memory-limit", "output-limit")}
    return [
        f"one of your cells {words.get(one['status']) or 'took longer than {limit:g} s'.format(**one)} "
        f"and was not run to its end (it begins: {one['begins']})"
        for one in row["told"]
        if one["begins"] and not one["check"] and one["status"] in (*words, "timeout")
    ][:MOST_LOST]


def status(row):
    """A row's status in one word or a few: what happened to its sandbox, if anything did."""
    return ", ".join(row["incidents"]) or row["status"]


class Html(str):
    """Text that is markup already."""


def _(text):
    return text if isinstance(text, Html) else escape(str(text))


def _page(run, whose, parts, desk=""):
    """A page under one heading, with the desk's script if it is the desk's."""
    rules = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
    rules += f"; connect-src 'self'; script-src 'nonce-{desk}'" if desk else ""
    script = f'<script nonce="{desk}">\n{SCRIPT}</script>' if desk else ""
    words = {"lab": _(run["lab"]), "whose": _(whose), "name": _name(whose), "rules": rules}
    return PAGE.substitute(words, parts="\n".join(parts), script=script)


def _table(header, lines):
    numbers = {"points", "seconds", "checks", "share", "students"}
    kinds = [f' class="number {name}"' if name in numbers else "" for name in header]
    top = "".join(f'<th scope="col"{kind}>{_(name)}</th>' for name, kind in zip(header, kinds, strict=True))
    body = ""
    for line in lines:
        cells = (f"<td{kind}>{_(cell)}</td>" for cell, kind in zip(line, kinds, strict=True))
        body += f"<tr>{''.join(cells)}</tr>"
    table = f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"
    return f'<div class="wide" tabindex="0" role="group" aria-label="{_(", ".join(header))}">{table}</div>'


def _questions(rows, run):
    """Every question that has points, with the share of them that the cohort got."""
    shares = []
    for id in [*run["checks"], *run["questions"]]:
        marks = [(row["checks"] | row["by_hand"])[id] for row in rows]
        marks = [mark for mark in marks if mark["points"] is not None]
        if of := sum(mark["of"] for mark in marks):
            shares.append((sum(mark["points"] for mark in marks) / of, id))
    lines = [[id, f"{share:.0%}", _meter(share, 1, id)] for share, id in sorted(shares)]
    return _table(["question", "share", "of its points"], lines)


def _distribution(totals, of):
    """How many students got how many tenths of the points."""
    counts = Counter(min(9, int(10 * total / of)) if of else 0 for total in totals)
    names = {tenth: f"{10 * tenth} to {10 * tenth + 10} %" for tenth in reversed(range(10))}
    lines = [[name, counts[n], _meter(counts[n], max(counts.values()), name)] for n, name in names.items()]
    return _table(["share of points", "students", "compared"], lines)


def _meter(value, most, name):
    return Html(f'<meter min="0" max="{most}" value="{value:.3f}" aria-label="{_(name)}"></meter>')


def _how(run):
    limits = run["limits"]
    words = f"Isolation: {run['layer']}. {run['layer_words']} "
    words += "A cell had 5 s and 20 times what the solution takes, at least 10 s, but never more than "
    words += f"{limits['cell_seconds']:g} s; the lab had {limits['wall_seconds']:g} s "
    words += f"and {limits['tree_mb']:g} MB of memory. "
    return f'<h2>How it was run</h2><p class="soft">{_(words)}Lab version {_(run["version"])}.</p>'
