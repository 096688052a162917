"""The reference of the package: which names stand on which page.

Entries are autodoc's, read by numpydoc, and the list of all names is autosummary's. By hand is only what both
would want typed a second time, the names: they follow the rooms of ``mllib``.
"""

import importlib
import inspect
import re

from docutils.parsers.rst import Directive

import mllib
from _ext.directives import parsed

DEEPER = ["datasets", "kernels", "losses", "smo", "viz"]  # rooms whose names are not at the top of mllib


def rooms():
    """``{room: [full names]}`` for every room with public names."""
    found = {room: [f"mllib.{name}" for name in names] for room, names in mllib._ROOMS.items()}
    return found | {
        r: [f"mllib.{r}.{n}" for n in importlib.import_module(f"mllib.{r}").__all__] for r in DEEPER
    }


def lookup(full_name):
    """The object that a full name means."""
    module, _, name = full_name.rpartition(".")
    return getattr(importlib.import_module(module), name)


def headed(room, mark):
    """What a room is about, the first line of its docstring, as a heading."""
    line = importlib.import_module(f"mllib.{room}").__doc__.splitlines()[0].rstrip(".")
    return [line, mark * len(line), ""]


def quote(app, what, name, obj, options, lines):
    """Called by autodoc for each docstring: behind an equals sign a quotation mark would close."""
    lines[:] = [re.sub(r'="([^"]*)"$', r"=“\1”", line) for line in lines]


class PackageReference(Directive):
    """``.. package-reference:: room ...`` writes an entry for every public name of these rooms."""

    required_arguments = 1
    final_argument_whitespace = True

    def run(self):
        known, lines = rooms(), []
        for room in self.arguments[0].split():
            lines += [f".. module:: mllib.{room}", "", *headed(room, "-")]
            for name in known[room]:
                thing = lookup(name)
                if inspect.isclass(thing):
                    # The fields of a named tuple stand in its list of attributes.
                    lines += [f".. autoclass:: {name}", "   :members:" * (not issubclass(thing, tuple)), ""]
                else:
                    kind = "function" if inspect.isroutine(thing) else "data"
                    lines += [f".. auto{kind}:: {name}", ""]
        return parsed(self, lines, "mllib")


class PackageContents(Directive):
    """``.. package-contents::`` lists all public names with their first sentences."""

    def run(self):
        lines = []
        for room, names in rooms().items():
            lines += headed(room, "-")
            lines += [".. autosummary::", "   :nosignatures:", "", *(f"   {name}" for name in names), ""]
        return parsed(self, lines, "mllib")


def setup(app):
    """Called by Sphinx through this package."""
    for extension in ("sphinx.ext.autodoc", "sphinx.ext.autosummary", "numpydoc"):
        app.setup_extension(extension)
    app.connect("autodoc-process-docstring", quote, priority=100)
    app.add_directive("package-reference", PackageReference)
    app.add_directive("package-contents", PackageContents)
