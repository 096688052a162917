"""Where the course lives, as ``_config.yml`` says. ``make address`` writes it (``tools/address.py``).

As it comes from its authors the course has no address (``UNSET`` stands in its place): then no page shows a
button that would lead nowhere, and no page's head names an address.
"""

from pathlib import Path

import yaml

from _ext.paths import ROOT

UNSET = "https://github.com/OWNER/NAME"


def settings(root=ROOT):
    """What ``_config.yml`` says."""
    return yaml.safe_load(Path(root, "_config.yml").read_text(encoding="utf-8"))


def repository(root=ROOT):
    """The address of the repository, or None."""
    url = settings(root)["repository"]["url"]
    return None if url == UNSET else url


def published(root=ROOT):
    """The address of the site, with a slash at its end, or None."""
    return repository(root) and settings(root)["html"]["baseurl"].rstrip("/") + "/"


def no_dead_buttons(app, config):
    """Called by Sphinx: without a repository no page has a button that leads there, or to Binder."""
    if repository() is None:
        buttons = ("use_repository_button", "use_edit_page_button", "use_issues_button")
        nothing = dict.fromkeys(buttons, False) | {"repository_url": "", "launch_buttons": {}}
        config.html_theme_options.update(nothing)


def setup(app):
    """Called by Sphinx through this package."""
    app.connect("config-inited", no_dead_buttons)
