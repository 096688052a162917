"""What a chapter says about itself: the front page, the gallery and the printed book repeat it from here.

Nothing is typed a second time. Title and lab are read from the chapter's prose; its picture is
the first that it draws, without its words, and with the sentence that its author gave it.
"""

import base64
import io
import re
from pathlib import Path
from typing import NamedTuple

from PIL import Image

from _ext.kernel import MIME
from _ext.prose import HEADING, notebook_at, prose
from _ext.reading import reading

TITLE = re.compile(r"^# (.+)$", re.M)
LAB = re.compile(r"\]\(\.\./(labs/[\w-]+)\.ipynb\)")
SIDE = 600  # pixels: a picture on a card is never shown larger


class Chapter(NamedTuple):
    """The title before its colon, what follows it, minutes of reading, and the lab's page, if any."""

    title: str
    promise: str
    minutes: int
    lab: str | None


def chapter(path):
    """What the notebook at ``path`` says in its opening and at its end."""
    text = prose(path)
    title, _, promise = TITLE.search(text)[1].strip().partition(": ")
    lab = LAB.search(text)
    return Chapter(title, promise, reading(notebook_at(path)).main, lab and lab[1])


def outputs(executed):
    """``(section, data)`` for each output of the executed notebook at this path, in order."""
    section = ""
    for cell in notebook_at(executed).cells:
        if cell.cell_type == "markdown":
            section = [section, *HEADING.findall(cell.source)][-1]
        for output in cell.get("outputs", []):
            yield section, output.get("data", {})


def sliders(executed):
    """``(section, manifest)`` for each slider figure of an executed notebook, in order."""
    return [(section, data[MIME]) for section, data in outputs(executed) if MIME in data]


def card(folder):
    """The picture for the card of a chapter that was executed into ``folder``, as WebP; None without one.

    It is the first figure, without its words; without one, the start of its first slider.
    """
    figure = Path(folder, "card.png")
    if not figure.exists():
        starts = (data["image/png"] for _, data in outputs(Path(folder, "notebook.ipynb")) if MIME in data)
        if (start := next(starts, None)) is None:
            return None
        figure = io.BytesIO(base64.b64decode(start))
    image, out = Image.open(figure).convert("RGB"), io.BytesIO()
    image.thumbnail((SIDE, SIDE))
    image.save(out, "WEBP", quality=80)
    return out.getvalue()


def words(executed):
    """What the author of an executed notebook says about the picture on its card; "" without one."""
    figures = (d["text/plain"] for _, d in outputs(executed) if "image/png" in d and "text/html" not in d)
    sliders_too = (d[MIME]["alt"] for _, d in outputs(executed) if MIME in d)
    return " ".join(next(figures, next(sliders_too, "")).split())
