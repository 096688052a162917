"""Where the course lives: `make address URL=https://github.com/owner/name` writes it everywhere.

The repository stands in ``_config.yml``, in the labs, which say how to install the package, in README and
CITATION.cff; the address of the site follows from it. As it comes from its authors the course has none
(``UNSET`` stands in its place): then no page shows a button that would lead nowhere, no page's head names an
address, and a lab says how to install the package from the course's folder.
"""

import argparse
import re
import sys
from pathlib import Path
from urllib.parse import urlsplit

import nbformat

from _ext.address import UNSET, published, repository, settings
from _ext.contents import contents, lab_sources, labs, source
from _ext.paths import ROOT
from grader.lab import Lab
from tools.normalise import as_text, normalise

HERE = """# If you have downloaded only this notebook, install the course's package once
# (in the folder of the course: pip install .), then restart the kernel.
"""
THERE = """# If you have downloaded only this notebook, install what it needs once,
# then restart the kernel:
# %pip install "large-margins @ git+{}"
"""
INSTALL = re.compile(re.escape(HERE) + "|" + re.escape(THERE).replace(r"\{\}", r"[^\s\"]+"))
PLACES = ("_config.yml", "*.md", "*.cff")  # and the pages and the labs


def site_of(url):
    """Where GitHub or GitLab publish the site of a repository.

    >>> site_of("https://github.com/Ada/margins"), site_of("https://gitlab.com/ada/ada.gitlab.io")
    ('https://ada.github.io/margins/', 'https://ada.gitlab.io/')
    """
    host, (owner, name) = urlsplit(url).hostname, urlsplit(url).path.strip("/").split("/")
    home = f"{owner.lower()}.{host.partition('.')[0]}.io"
    return f"https://{home}/" + (f"{name}/" if name.lower() != home else "")


def checked(url, site):
    """The two addresses in the form that is written; ValueError says what is wrong with one."""
    url = url.strip().rstrip("/").removesuffix(".git")
    if not re.fullmatch(r"https://(github|gitlab)\.com/[\w.-]+/[\w.-]+", url):
        raise ValueError(
            f"{url!r} is no address of a repository on GitHub or GitLab; it looks like https://github.com/owner/name"
        )
    site = site.strip() or site_of(url)
    if not re.fullmatch(r"https://[\w.-]+(/[\w.~-]+)*/?", site):
        raise ValueError(f"{site!r} is no address of a site; it looks like https://margins.example/")
    return url, site.rstrip("/") + "/"


def set_address(url, site="", branch="", root=ROOT):
    """Write the addresses in place of the old ones; return the files that changed."""
    url, site = checked(url, site)
    old = settings(root)
    was = old["repository"]["url"], old["html"]["baseurl"].rstrip("/")
    pairs = [*zip(was, (url, site.rstrip("/")), strict=True)]
    changed = []
    files = {p for place in PLACES for p in Path(root).glob(place)}
    pages = (source(page, root) for page in contents(root) if page.startswith("pages/"))
    files |= {path for path in pages if path}
    for path in sorted(files):
        text = before = path.read_text(encoding="utf-8")
        for was, now in pairs:
            text = re.sub(rf"{re.escape(was)}(?![\w-])", now, text)
        if path.name == "_config.yml" and branch:
            text = re.sub(r"^(  branch:) \S+", rf"\1 {branch}", text, flags=re.M)
        if text != before:
            path.write_text(text, encoding="utf-8")
            changed.append(path)
    for path in [*lab_sources(root), *labs(root)]:  # the source first: it gives a lab its version
        before = path.read_text(encoding="utf-8")
        if (text := _lab(path, before, url)) != before:
            path.write_text(text, encoding="utf-8")
            changed.append(path)
    return changed


def _lab(path, text, url):
    """A lab that says how to install its package, as the normaliser and the release would write it."""
    install = HERE if url == UNSET else THERE.format(url)
    notebook = nbformat.reads(text, as_version=4)
    for cell in notebook.cells:
        cell.source = INSTALL.sub(lambda _: install, cell.source)
    notebook = normalise(notebook)
    if (lab := path.parent / "source" / path.name).exists():
        notebook.metadata["lab"]["version"] = Lab(lab).version
    return as_text(notebook)


def main(arguments=None):
    """Command line: ``python -m tools.address URL [--site ADDRESS] [--branch NAME]``."""
    parser = argparse.ArgumentParser(
        prog="make address",
        usage="make address URL=https://github.com/owner/name [SITE=...] [BRANCH=...]",
        description=__doc__.splitlines()[0],
    )
    parser.add_argument("url", metavar="URL", help="of the repository, on GitHub or GitLab")
    parser.add_argument("--site", default="", metavar="SITE", help="of the site, if it has a name of its own")
    parser.add_argument("--branch", default="", metavar="BRANCH", help="that the pages link to")
    chosen = parser.parse_args(arguments)
    try:
        changed = set_address(chosen.url, chosen.site, chosen.branch)
    except ValueError as problem:
        parser.error(str(problem))
    print(f"{len(changed)} files name {repository() or 'no address'}; the site is {published() or 'nowhere'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
