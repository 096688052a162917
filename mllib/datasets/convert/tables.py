"""Tables of measurements, from the R packages kernlab, mlbench and MASS of Debian."""

import warnings

import fetch
import numpy as np

from mllib.datasets.files import to_decimal


def read_r(work, package, path):
    """The one data frame in an .rda file, and where it came from."""
    import rdata

    folder, origin = fetch.debian(work, package)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Unknown encoding")  # the files are plain ASCII
        (frame,) = rdata.read_rda(folder / "usr/lib/R/site-library" / path).values()
    return frame, f"{origin}, {path}"


def table(X, feature_names, labels, target_names):
    """The arrays of a decimal table; ``labels`` are the source's, listed in the order of ``target_names``."""
    whole, power = to_decimal(X)
    codes = {label: code for code, label in enumerate(target_names)}
    return dict(
        whole=whole,
        power=power,
        target=np.array([codes[label] for label in labels], dtype=np.uint8),
        feature_names=np.array(feature_names),
        target_names=np.array(
            list(target_names.values()) if isinstance(target_names, dict) else target_names
        ),
    )


def expect(found, wanted):
    if found != wanted:
        raise SystemExit(f"the source has changed: found {found}, expected {wanted}")


# kernlab's names are legal R; these are the donors'.
CHARACTERS = {
    "charSemicolon": "char_freq_;",
    "charRoundbracket": "char_freq_(",
    "charSquarebracket": "char_freq_[",
    "charExclamation": "char_freq_!",
    "charDollar": "char_freq_$",
    "charHash": "char_freq_#",
    "capitalAve": "capital_run_length_average",
    "capitalLong": "capital_run_length_longest",
    "capitalTotal": "capital_run_length_total",
}


def spambase(work):
    frame, origin = read_r(work, "r-cran-kernlab", "kernlab/data/spam.rda")
    names = [CHARACTERS.get(name, "word_freq_" + name.removeprefix("num")) for name in frame.columns[:57]]
    content = table(frame.iloc[:, :57].to_numpy(), names, frame["type"], {"nonspam": "mail", "spam": "spam"})
    expect((content["whole"].shape, np.bincount(content["target"]).tolist()), ((57, 4601), [2788, 1813]))
    return content, origin


SETS = {"spambase": spambase}
