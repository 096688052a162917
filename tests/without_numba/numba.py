"""First on the path (``make test-without-numba``) this makes the machine one on which numba cannot be had."""

raise ImportError("numba cannot be had here")
