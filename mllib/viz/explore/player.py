"""The life without a kernel: the HTML of the player that shows the frames of an :func:`explore` call."""

import hashlib
import json
from html import escape

BUTTON = (  # two signs, of which the style sheet shows one
    '<button type="button" aria-label="Play {}" aria-pressed="false">'
    '<svg viewBox="0 0 16 16" aria-hidden="true"><path d="M3 1l12 7-12 7z"/>'
    '<path d="M2 1h4v14h-4zm8 0h4v14h-4z"/></svg></button>'
)


def range_of(slider, own):
    """A slider over what comes one after the other, with the button that plays it."""
    value = escape(slider["values"][slider["start"]])
    return (
        f"{BUTTON.format(escape(slider['label']))}"
        f'<input type="range" id="{own}" min="0" max="{len(slider["values"]) - 1}" step="1" '
        f'value="{slider["start"]}" aria-valuetext="{value}" autocomplete="off">'
        f'<output for="{own}">{value}</output>'
    )


def choice_of(slider, own):
    """A list to choose from: between these values there is no way to slide."""
    options = "".join(
        f'<option value="{at}"{" selected" * (at == slider["start"])}>{escape(value)}</option>'
        for at, value in enumerate(slider["values"])
    )
    return f'<select id="{own}" autocomplete="off">{options}</select>'


def bet_of(bet, own):
    """The question with its answers, which the player shows before the sliders."""
    answers = "".join(f'<button type="button">{escape(answer)}</button>' for answer in bet["answers"])
    just = '<button type="button" class="lm-just">Just play</button>'
    return (
        f'<div class="lm-bet" role="group" aria-labelledby="{own}-bet" hidden><p id="{own}-bet">'
        f"{escape(bet['question'])}</p>{answers}{just}</div>"
        '<p class="lm-told" aria-live="polite" hidden></p>'
    )


def player(manifest, frames):
    """HTML for ``manifest`` (see :meth:`Explorer.render`); ``frames`` is the way to the frames' folder.

    The picture of the start position stands in the HTML, so that a page that is printed, or read without
    JavaScript, shows it; ``player.js`` brings the sliders to life and fetches the others near the viewport.

    Examples
    --------
    >>> html = player({"name": None, "alt": "A line.", "width": 600, "height": 380,
    ...     "sliders": [{"label": "slope", "values": ["1", "2"], "start": 1, "ordered": True}],
    ...     "frames": [["a.webp", "slope one"], ["b.webp", "slope two"]]}, "frames")
    >>> 'src="frames/b.webp"' in html, 'aria-valuetext="2"' in html, 'aria-label="Play slope"' in html
    (True, True, True)
    """
    sliders, pictures = manifest["sliders"], manifest["frames"]
    at = 0
    for slider in sliders:
        at = at * len(slider["values"]) + slider["start"]
    file, sentence = pictures[at]
    own = "lm-" + hashlib.sha256(json.dumps(manifest, sort_keys=True).encode()).hexdigest()[:10]
    rows = "".join(
        f'<div class="lm-slider"><label for="{own}-{number}">{escape(slider["label"])}</label>'
        f"{(range_of if slider['ordered'] else choice_of)(slider, f'{own}-{number}')}</div>"
        for number, slider in enumerate(sliders)
    )
    shown = {"root": frames, "values": [slider["values"] for slider in sliders], "frames": pictures}
    if manifest.get("name"):
        shown |= {"name": manifest["name"], "labels": [slider["label"] for slider in sliders]}
    bet, more = manifest.get("bet"), ""
    if manifest.get("playground"):
        there = f"{frames.removesuffix('_frames')}pages/playground.html{manifest['playground']}"
        more = f'<p class="lm-more"><a href="{escape(there)}">Try it on your own points</a></p>'
    if bet:
        shown["bet"] = {"answers": list(bet["answers"].items()), "at": bet["at"]}
    data = json.dumps(shown, separators=(",", ":")).replace("<", "\\u003c")
    return (
        f'<figure class="lm-player" id="{own}" aria-label="{escape(manifest["alt"])}">'
        f'{bet_of(bet, own) if bet else ""}<div class="lm-sliders">{rows}</div>'
        f'<img src="{frames}/{file}" width="{manifest["width"]}" height="{manifest["height"]}" '
        f'alt="{escape(manifest["alt"])} {escape(sentence)}" data-alt="{escape(manifest["alt"])}">'
        f'<figcaption aria-live="polite">{escape(sentence)}</figcaption>{more}'
        f'<script type="application/json">{data}</script></figure>'
    )
