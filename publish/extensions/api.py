"""The reference of the package: directives that write the docstrings of whole rooms onto pages.

``package-reference ROOM ...`` writes an entry for every public name of these rooms; ``package-contents``
lists all names, each with its first sentence and a link. Text and formulas are the docstrings, which autodoc
reads. What a docstring may contain and a page may not, numbered footnotes (two entries would both have a
number 1) and links to modules that have no page, is put into plain words first.
"""

import importlib
import inspect
import re
from pathlib import Path

from docutils import nodes
from docutils.parsers.rst import Directive
from sphinx.addnodes import pending_xref

import mllib
from publish.extensions.directives import parsed

PACKAGE = Path(mllib.__file__).parent
DEEPER = ["datasets", "kernels", "losses", "smo", "viz"]  # rooms whose names are not at the top of mllib
FOOTNOTE_MARK = re.compile(r"\s*\[(\d+)\]_")
FOOTNOTE = re.compile(r"^(\s*)\.\. \[(\d+)\] ")
ROLE = re.compile(r":(?:class|mod|func|meth|attr):`~?([^`]+)`")


def rooms():
    """``{room: [full names]}`` for every room with public names."""
    found = {room: [f"mllib.{name}" for name in names] for room, names in mllib._ROOMS.items()}
    for room in DEEPER:
        module = importlib.import_module(f"mllib.{room}")
        known = [name.rpartition(".")[2] for name in found.get(room, [])]
        found[room] = found.get(room, []) + [f"mllib.{room}.{n}" for n in module.__all__ if n not in known]
    return found


def lookup(full_name):
    """The object that a full name means."""
    module, _, name = full_name.rpartition(".")
    return getattr(importlib.import_module(module), name)


def heading(room):
    """What a room is about: the first line of its docstring."""
    return plain(importlib.import_module(f"mllib.{room}").__doc__.strip().splitlines()[0].rstrip("."))


def first_sentence(thing):
    """The first line of a docstring; of a constant, its value."""
    documented = inspect.isclass(thing) or inspect.isroutine(thing)
    return plain((inspect.getdoc(thing) or "").split("\n")[0]) if documented else f"the constant {thing!r}"


def inline(text):
    """Nodes for a line of reStructuredText: code, formulas and words."""
    kinds = {"``": nodes.literal, ":math:`": nodes.math}
    parts = re.split(r"(``.+?``|:math:`.+?`)", text)
    for part in filter(None, parts):
        mark = next((m for m in kinds if part.startswith(m)), None)
        yield kinds[mark]("", part[len(mark) :].rstrip("`")) if mark else nodes.Text(part)


def plain(line):
    """A line of a docstring without footnotes and links, and with quotes that open where they begin."""
    line = re.sub(r'default="([^"]*)"', r"default=“\1”", line)
    return FOOTNOTE.sub(r"\1\2. ", ROLE.sub(r"``\1``", FOOTNOTE_MARK.sub(r" [\1]", line)))


def make_plain(app, what, name, obj, options, lines):
    """Called by autodoc for each docstring."""
    lines[:] = [plain(line) for line in lines]


def leave_out(app, what, name, obj, skip, options):
    """Called by autodoc for each member: only what the package itself documents is shown.

    The fields of a named tuple stand in its list of attributes; their own docstrings are Python's.
    """
    if isinstance(getattr(obj, "__doc__", None), str) and obj.__doc__.startswith("Alias for field number"):
        return True
    try:
        ours = Path(inspect.getsourcefile(inspect.unwrap(obj))).is_relative_to(PACKAGE)
    except TypeError:  # a property or an attribute
        return None
    return None if ours else True


def bring_home(app, doctree):
    """Called for each page that was read: all its nodes belong to the page itself.

    An ``{eval-rst}`` block leaves nodes that point to a document of their own and, through its settings, to
    all that Sphinx knows: six megabytes with every page of the reference, read again in each build.
    """
    for node in doctree.findall():
        if node.document is not None:
            node.document = doctree


class PackageReference(Directive):
    """``.. package-reference:: room ...`` inside an ``{eval-rst}`` block."""

    required_arguments = 1
    final_argument_whitespace = True

    def run(self):
        known, lines = rooms(), []
        for room in self.arguments[0].split():
            if room not in known:
                raise self.error(f"mllib has no room {room!r}; it has {', '.join(sorted(known))}")
            lines += [heading(room), "-" * len(heading(room)), ""]
            for name in known[room]:
                thing = lookup(name)
                if inspect.isclass(thing):
                    lines += [f".. autoclass:: {name}", "   :members:", ""]
                elif inspect.isroutine(thing):
                    lines += [f".. autofunction:: {name}", ""]
                else:
                    lines += [f".. data:: {name}", "", f"   ``{thing!r}``", ""]
        return parsed(self, lines, "mllib")


class PackageContents(Directive):
    """``{package-contents}``: all public names with their first sentences."""

    def run(self):
        env, result = self.state.document.settings.env, []
        for path in PACKAGE.rglob("*.py"):
            env.note_dependency(str(path))
        for room, names in rooms().items():
            entries = nodes.definition_list(classes=["lm-names"])
            for name in names:
                link = pending_xref(
                    "", nodes.literal("", name.removeprefix("mllib.")), refdomain="py", reftype="obj",
                    reftarget=name, refexplicit=True, refwarn=True, refdoc=env.docname,
                )  # fmt: skip
                meaning = nodes.paragraph("", "", *inline(first_sentence(lookup(name))))
                entries += nodes.definition_list_item(
                    "", nodes.term("", "", link), nodes.definition("", meaning)
                )
            result += [nodes.rubric("", "", *inline(heading(room))), entries]
        return result


def setup(app):
    """Called by Sphinx through this package."""
    app.setup_extension("sphinx.ext.autodoc")
    app.setup_extension("sphinx.ext.napoleon")
    app.connect("autodoc-process-docstring", make_plain, priority=100)
    app.connect("autodoc-skip-member", leave_out)
    app.connect("doctree-read", bring_home, priority=900)
    app.add_directive("package-reference", PackageReference)
    app.add_directive("package-contents", PackageContents)
