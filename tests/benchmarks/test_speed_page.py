"""The page on speed says why, for every goal that may be missed; its plots say in words what they show."""

import base64
import io
import json
import re
from pathlib import Path

import pytest
from PIL import Image

from _ext.results import as_uri
from benchmarks import plots, speed
from benchmarks.promises import PROMISES
from benchmarks.waits import WAITS
from mllib.viz import axes, figure

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "pages/speed.md").read_text(encoding="utf-8")
# No goal, or one that is far away.
NEVER = {"import", "svm-path", "million", "page", "book", "book-code", "book-sentence"}


def test_every_goal_has_a_reason_ready():
    (content,) = re.findall(r"```\{results\} speed lost\n(.*?)```", PAGE, re.S)
    keys = re.findall(r"^([a-z-]+): ", content, re.M)
    assert len(set(keys)) == len(keys) and set(keys) == set(PROMISES) - NEVER


def test_every_promise_is_in_a_table():
    from benchmarks.speed import ROOMS
    from benchmarks.speed import WAITS as TABLES

    shown = {key for keys in [*ROOMS.values(), *TABLES.values()] for key in keys}
    assert shown == set(PROMISES) - {
        "growth",
        "xgboost",
        "best",
    }  # with the exponents, and in tables of rivals
    assert {wait.promise for wait in WAITS} <= shown


def made(peer, sizes, ours, theirs):
    return (
        peer,
        [
            {
                **{"series": "SVC, rbf, C = 1", "axis": "n", "peer": peer, "size": n, "ratio": 1.0},
                "seconds": [n**ours / 1e9, n**theirs / 1e9],
            }
            for n in sizes
        ],
    )


def test_a_plot_says_what_it_shows():
    peers = [
        made("scikit-learn", (1000, 2000, 4000), 1.5, 2),
        made("libsvm-official", (1000, 2000, 4000), 1.5, 2),
    ]
    alt = plots.described("n", {"SVC, rbf, C = 1": peers})
    assert "from 1,000 to 4,000" in alt and "(exponent 1.5)" in alt and "(2.0)" in alt and "libsvm" in alt
    fig = figure(height=2.6)
    ax = axes(fig)
    plots.draw(ax, "SVC, rbf, C = 1", peers)
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["ours", "scikit-learn", "libsvm"]
    uri = as_uri(fig)
    kind, data = uri.split(",")
    assert kind == "data:image/webp;base64" and len(data) < 80_000
    assert Image.open(io.BytesIO(base64.b64decode(data))).size == (1200, 520)


def test_what_the_page_asks_for_besides_tables_is_there():
    results = json.loads(speed.RESULTS.read_text())
    shown = speed.page(results)
    fig, words = shown["plot_n"]()
    assert len(fig.axes) >= 2 and words.startswith("Seconds against the number of points")
    ratios = [race["ratio"] for race in results["races"] if "ratio" in race]
    assert f"In {sum(r < 1 for r in ratios)} of {len(ratios)} races" in shown["brief"]()
    assert shown["brief"]().count("\n| ") == len(speed.BRIEF) + 2, (
        "a line for each kind of work, and the rivals"
    )
    assert results["machine"]["processor"] in shown["setting"]()
    short = {row["promise"] for row in results["verdicts"] if row["goal"] is False}
    said = shown["lost"]("growth: Because it grows.\n\nonline: Because it walks.")
    assert ("Because it grows." in said) == ("growth" in short)
    assert said.count("We have no explanation yet.") == len(short - {"growth", "online"})


@pytest.mark.parametrize("words", ["SVC, rbf, C = 1", "RandomForestClassifier, twonorm, 2,000 points"])
def test_a_long_title_is_folded(words):
    folded = plots.folded(words)
    assert max(map(len, folded.splitlines())) <= 28 and folded.replace("\n", " ") == words


def test_a_work_stands_beside_its_best_rival():
    def race(peer, ratio, **more):
        known = {"name": "SVC", "promise": "best", "peer": peer, "ratio": ratio, "seconds": [0.002, 1]}
        return known | more

    counts = {"steps": 1234, "their steps": 567, "kernel values": 0.5}
    lost = {"name": "SVC", "promise": "best", "peer": "nobody", "missing": "nobody"}
    races = [race("scikit-learn", 0.5, counts=counts), lost, race("libsvm-official", 1.25)]
    headings, (row,) = speed.best_table(races)
    said = dict(zip(headings, row, strict=True))
    assert (said["Best rival"], said["Ratio"]) == ("libsvm-official", "1.25")
    assert said["Others"] == "scikit-learn 0.50, nobody no time: nobody is missing"
    assert speed.count_table(races)[1] == [["SVC", "2\xa0ms", "1,234", "567", "0.50"]]
