"""Sliders that live everywhere: one call, two lives.

With a kernel (JupyterLab, Binder) the sliders call the drawing function again and the figure is updated in
place. In the published book there is no kernel: while the book is built every position of the sliders is
drawn once, and a small player shows those frames, offline, by mouse, finger or keyboard.

``grid`` holds the slider positions and draws them, ``still`` spares it what does not move; ``widget`` is the
first life, ``player`` (with ``player.js`` and ``player.css``) the second.
"""

from mllib.viz.explore.grid import Explorer, explore

__all__ = ["Explorer", "explore"]
