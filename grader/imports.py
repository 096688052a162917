"""What a submission imports beyond what its lab opens: told to student and instructor.

The doors themselves are closed elsewhere (a room of mllib that the lab does not name does not exist in the
sandbox); this is the friendly word about it.
"""

import ast
import sys

ALWAYS = {"grader.check", "IPython", "ipywidgets"}


def outside(sources, allowed):
    """The modules that code imports and a lab does not open, sorted.

    >>> outside(["import os, numpy as np\\nfrom sklearn.svm import SVC", "from mllib import SVC"], ["numpy"])
    ['mllib', 'sklearn.svm']
    """
    open_ = set(allowed) | ALWAYS | sys.stdlib_module_names
    found = set()
    for source in sources:
        try:
            tree = ast.parse(source)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                found |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                # ``from mllib import datasets`` names a room; ``from mllib import SVC`` needs all of mllib.
                full = {f"{node.module}.{alias.name}" for alias in node.names}
                found |= {node.module} if not full <= open_ else set()
    return sorted(name for name in found if not any(name == o or name.startswith(f"{o}.") for o in open_))
