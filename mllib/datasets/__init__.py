"""Small data sets: real ones that ship with the package, and synthetic ones as published.

Two kinds of function, named as scikit-learn names them:

``load_*``
    Real data (and the hand-made ten points). They read one file of this package, check that it is
    undamaged, and return a :class:`sklearn.utils.Bunch` with ``data``, ``target``, ``feature_names``,
    ``target_names`` and ``DESCR``, the card that says where the data come from, who gave them, under
    which licence, and how they were converted. With ``return_X_y=True`` they return the pair only.
    Classes are numbered 0, 1, ... in the order of ``target_names``.

``make_*``
    Synthetic data with a known law, drawn with the generator that is passed in. Two-class problems
    carry the labels -1 and +1 of the chapters.

The modules are imported when one of their names is first asked for, so that
``import mllib.datasets`` costs nothing.
"""

from importlib import import_module

# module -> the public names it owns
_MODULES = {
    "breiman": ["make_ringnorm", "make_threenorm", "make_twonorm", "make_waveform", "posterior"],
    "friedman": ["make_friedman1", "make_friedman2", "make_friedman3"],
    "structures": ["load_dna", "load_mutag", "load_ocr_words", "load_promoters", "load_sms_spam"],
    "tables": [
        "load_credit",
        "load_glass",
        "load_ionosphere",
        "load_letters",
        "load_mcycle",
        "load_sonar",
        "load_spambase",
        "load_vehicle",
        "load_vowel",
    ],
    "toys": [
        "flip_labels",
        "load_ten_points",
        "make_checkerboard",
        "make_crescents",
        "make_long_servedio",
        "make_rings",
        "make_spirals",
    ],
}
_HOME = {name: module for module, names in _MODULES.items() for name in names}

__all__ = sorted(_HOME)


def __getattr__(name):
    if name not in _HOME:
        raise AttributeError(f"mllib.datasets has no {name!r}; it has {', '.join(__all__)}")
    value = getattr(import_module(f"mllib.datasets.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__():
    return sorted([*globals(), *__all__])
