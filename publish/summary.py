"""What a chapter says about itself: the front page, the gallery and the printed book repeat it from here.

Nothing is typed a second time. Title, reading time and lab are read from the chapter's prose; its picture is
the first that it draws, without its words, and with the sentence that its author gave it; the question of a
slider is the one that the text asks before the slider answers it.
"""

import io
import json
import re
from pathlib import Path
from typing import NamedTuple

from PIL import Image

from publish.prose import prose

TITLE = re.compile(r"^# (.+)$", re.M)
MINUTES = re.compile(r"Reading time: about (\d+) minutes")
LAB = re.compile(r"\]\(\.\./(labs/[\w-]+)\.ipynb\)")
HEADING = re.compile(r"^#{1,6} (.+)$", re.M)
NAME = re.compile(r"\bexplore\(.*\bname=[\"']([\w-]+)[\"']", re.S)
EMPHASIS = re.compile(r"(?<![\w*])\*{1,2}(?=\S)|(?<=\S)\*{1,2}(?![\w*])")
OPENING = re.compile(r"^(?:[^:?]*\b(?:questions?|before)\b[^:?]*|Guess first|Then):\s+", re.I)
SHORT = 5  # words
SIDE = 600  # pixels: a picture on a card is never shown larger


class Chapter(NamedTuple):
    """The title before its colon, what follows it, minutes of reading, and the lab's page, if any."""

    title: str
    promise: str
    minutes: int
    lab: str | None


class Slider(NamedTuple):
    """The name of a slider figure, the section it stands in, and the question that the text asks of it."""

    name: str
    section: str
    question: str


def chapter(path):
    """What the notebook at ``path`` says in its opening and at its end."""
    text = prose(path)
    title, _, promise = TITLE.search(text)[1].strip().partition(": ")
    minutes, lab = MINUTES.search(text), LAB.search(text)
    if minutes is None:
        raise ValueError(f"{path} does not say 'Reading time: about N minutes'")
    return Chapter(title, promise, int(minutes[1]), lab and lab[1])


def sliders(path):
    """The slider figures of the notebook at ``path``, in order."""
    found, section, before = [], "", []
    for cell in json.loads(Path(path).read_text(encoding="utf-8"))["cells"]:
        text = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            if headings := HEADING.findall(text):
                section, before = headings[-1], []
            before.append(text)
        elif "explore(" in text:
            name = NAME.search(text)
            if name is None:
                raise ValueError(f"{path}: explore(...) in {section!r} has no name=")
            found.append(Slider(name[1], section, question("\n\n".join(before))))
    return found


def question(text):
    """The last question of a text: the sentences at the end of the last paragraph that asks something.

    A very short one ("Do they?") takes the sentence before it along, or nobody would know what it means.

    >>> question("Look.\\n\\nMove it. Two questions before you do: does *it* **fall?** And when?\\n\\nSee.")
    'Does it fall? And when?'
    >>> question("Why? The curve rises. Does it *end*?")
    'The curve rises. Does it end?'
    """
    for paragraph in reversed(re.split(r"\n\s*\n", text)):
        sentences = re.split(r"(?<=[.?!])\s+", EMPHASIS.sub("", " ".join(paragraph.split())))
        while sentences and not sentences[-1].endswith("?"):
            sentences.pop()
        if not sentences:
            continue
        first = len(sentences)
        while first and sentences[first - 1].endswith("?"):
            first -= 1
        if len(sentences[first].split()) < SHORT:
            first = max(first - 1, 0)
        asked = [OPENING.sub("", sentence) for sentence in sentences[first:]]
        return " ".join(sentence[0].upper() + sentence[1:] for sentence in asked)
    return ""


def small(picture):
    """The picture at a path (PNG) in the size of a card, as WebP."""
    image, out = Image.open(picture).convert("RGB"), io.BytesIO()
    image.thumbnail((SIDE, SIDE))
    image.save(out, "WEBP", quality=80)
    return out.getvalue()


def words(executed):
    """What the author of an executed notebook says about the first figure that it shows; "" without one."""
    for cell in json.loads(Path(executed).read_text(encoding="utf-8"))["cells"]:
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            if "image/png" in data and "text/html" not in data:
                return " ".join("".join(data["text/plain"]).split())
    return ""
