"""Data: what ships is complete, undamaged and documented; what is synthetic follows its published law."""

import re
import shutil
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mllib.datasets
from mllib.datasets import files

DATA = Path(files.__file__).parent / "data"
NAMES = sorted(path.stem for path in DATA.glob("*.md"))

# name -> rows, columns, sizes of the classes
TABLES = {
    "spambase": (4601, 57, [2788, 1813]),
    "letters": (20000, 16, None),
    "sonar": (208, 60, [97, 111]),
    "vowel": (990, 10, [90] * 11),
    "vehicle": (846, 18, [218, 212, 217, 199]),
    "glass": (214, 9, [70, 76, 17, 13, 9, 29]),
    "ionosphere": (351, 34, [126, 225]),
    "dna": (3186, 180, [767, 765, 1654]),
}


def loader(name):
    return getattr(mllib.datasets, f"load_{name}")


# ------------------------------------------------------------------------------------------- files


def test_the_data_are_small_and_each_has_card_file_and_loader():
    shipped = [path for path in DATA.iterdir() if path.suffix != ".md"]
    assert sum(path.stat().st_size for path in DATA.iterdir()) < 3_000_000
    assert sorted(path.name.partition(".")[0] for path in shipped) == NAMES
    assert {f"load_{name}" for name in NAMES} | {"load_ten_points"} == {
        name for name in mllib.datasets.__all__ if name.startswith("load_")
    }


@pytest.mark.parametrize("name", NAMES)
def test_card(name):
    card = loader(name)().DESCR
    for field in (
        "file",
        "sha256",
        "original",
        "donors",
        "licence",
        "obtained from",
        "converted by",
        "changes",
    ):
        assert re.search(rf"^- {field}: \S", card, re.MULTILINE), field
    assert (DATA / re.search(r"^- file: (\S+)$", card, re.MULTILINE).group(1)).is_file()


@pytest.mark.parametrize("name", NAMES)
def test_damage_is_noticed(name, tmp_path, monkeypatch):
    shutil.copytree(DATA, tmp_path / "data")
    monkeypatch.setattr(files, "_folder", lambda: tmp_path / "data")
    loader(name)()
    (path,) = (path for path in (tmp_path / "data").glob(f"{name}.*") if path.suffix != ".md")
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)
    with pytest.raises(OSError, match=rf"{name}.* is damaged.* its card says .*git checkout"):
        loader(name)()
    path.write_bytes(b"")
    with pytest.raises(OSError, match="it has 0 bytes"):
        loader(name)()
    path.unlink()
    with pytest.raises(FileNotFoundError, match="is missing"):
        loader(name)()


def test_the_conversion_knows_every_set_and_runs_from_anywhere(tmp_path):
    script = Path(files.__file__).parent / "convert"
    done = subprocess.run(
        [sys.executable, script, "--help"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    listed = re.search(r"any of: ([\w, \n]+)\n", done.stdout).group(1)
    assert sorted(re.split(r",\s+", listed.strip())) == NAMES


def test_import_is_lazy():
    code = (
        "import sys, mllib.datasets;"
        "assert not [m for m in sys.modules if m.startswith(('mllib.datasets.', 'numpy', 'sklearn'))];"
        "mllib.datasets.make_rings();"
        "assert 'mllib.datasets.tables' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
    assert set(mllib.datasets.__all__) <= set(dir(mllib.datasets))
    with pytest.raises(AttributeError, match="has no 'load_pima'"):
        mllib.datasets.load_pima  # noqa: B018


decimals = st.integers(0, 4).flatmap(
    lambda power: st.lists(st.integers(-(10**6), 10**6), min_size=3, max_size=3).map(
        lambda column: [float(Fraction(whole, 10**power)) for whole in column]
    )
)


@given(st.lists(decimals, min_size=1, max_size=4))
def test_decimals_survive_exactly(columns):
    X = np.array(columns).T
    back = files.from_decimal(*files.to_decimal(X))
    assert back.flags["C_CONTIGUOUS"]
    np.testing.assert_array_equal(back, X)


def test_what_is_not_decimal_is_refused():
    with pytest.raises(ValueError, match="column 1 has more than 8 decimals"):
        files.to_decimal([[0.5, np.pi]])


# -------------------------------------------------------------------------------------- real data


@pytest.mark.parametrize("name", TABLES)
def test_tables(name):
    rows, columns, counts = TABLES[name]
    bunch = loader(name)()
    X, y = loader(name)(return_X_y=True)
    np.testing.assert_array_equal(X, bunch.data)
    np.testing.assert_array_equal(y, bunch.target)
    assert X.shape == (rows, columns) and X.dtype == np.float64 and np.isfinite(X).all()
    assert y.shape == (rows,) and y.dtype == np.int64
    assert len(bunch.feature_names) == len(set(bunch.feature_names)) == columns
    assert len(bunch.target_names) == len(np.unique(y)) == y.max() + 1
    if counts:
        assert np.bincount(y).tolist() == counts


def test_credit():
    credit = mllib.datasets.load_credit()
    X, y = mllib.datasets.load_credit(return_X_y=True)
    np.testing.assert_array_equal(X, credit.data)
    assert X.shape == (4454, 13) and X.flags["C_CONTIGUOUS"] and np.bincount(y).tolist() == [3200, 1254]
    gaps = dict(zip(credit.feature_names, np.isnan(X).sum(axis=0).tolist(), strict=True))
    known = {"home": 6, "marital": 1, "job": 2, "income": 381, "assets": 47, "debt": 18}
    assert {name: count for name, count in gaps.items() if count} == known
    for column, words in credit.categories.items():
        assert set(X[:, column][~np.isnan(X[:, column])]) == set(range(len(words)))
    assert credit.target_names[y[:3]].tolist() == ["good", "good", "bad"]


def test_two_loads_share_nothing():
    first = mllib.datasets.load_sonar()
    first.data[:] = 0
    assert mllib.datasets.load_sonar().data.any()


def test_rows_as_the_donors_printed_them():
    mail = mllib.datasets.load_spambase()
    assert mail.data[0, [1, 2, 54, 55, 56]].tolist() == [0.64, 0.64, 3.756, 61.0, 278.0]
    assert mail.feature_names[-4:-2] == ["char_freq_#", "capital_run_length_average"]
    assert mail.target[:1813].all() and not mail.target[1813:].any()
    vowel = mllib.datasets.load_vowel()
    assert vowel.data[0].tolist() == [
        -3.639,
        0.418,
        -0.67,
        1.779,
        -0.168,
        1.627,
        -0.388,
        0.529,
        -0.874,
        -0.814,
    ]
    assert (np.bincount(vowel.speaker) == 66).all() and vowel.sex.sum() == 7 * 66
    letters = mllib.datasets.load_letters()
    assert letters.data[0].tolist() == [2, 8, 3, 5, 1, 8, 13, 0, 6, 6, 10, 8, 0, 8, 0, 8]
    assert letters.target_names[letters.target[0]] == "T"
    glass = mllib.datasets.load_glass()
    assert glass.data[0].tolist() == [1.52101, 13.64, 4.49, 1.1, 71.78, 0.06, 8.75, 0.0, 0.0]


def test_mcycle():
    X, y = mllib.datasets.load_mcycle(return_X_y=True)
    assert X.shape == (133, 1) and y.shape == (133,)
    assert (np.diff(X[:, 0]) >= 0).all() and len(np.unique(X)) == 94
    assert (y.min(), y.max()) == (-134.0, 75.0)


def test_messages_and_promoters():
    for name, n, positive in (("sms_spam", 5574, 747), ("promoters", 106, 53)):
        data, target = loader(name)(return_X_y=True)
        assert len(data) == len(target) == n and target.sum() == positive
        assert all(type(text) is str for text in data)
        assert data[np.arange(3)].shape == (3,)  # an array, so that a split can index it
    assert {len(text) for text in data} == {57} and set("".join(data)) == set("acgt")


def test_ocr_words():
    ocr = mllib.datasets.load_ocr_words()
    assert ocr.data.shape == (52152, 128) and set(np.unique(ocr.data)) == {0, 1}
    assert ocr.starts[0] == 0 and ocr.starts[-1] == len(ocr.target) and (np.diff(ocr.starts) >= 1).all()
    assert len(ocr.folds) == len(ocr.starts) - 1 == 6877 and (np.bincount(ocr.folds) > 600).all()
    ink = ocr.data[ocr.target == 11].mean(axis=0).reshape(16, 8)  # the mean "l" is a tall stroke
    assert (ink.max(axis=1) > 0.3).all()


def test_mutag():
    bunch = mllib.datasets.load_mutag()
    assert len(bunch.data) == 188 and bunch.target.sum() == 125
    assert sum(len(graph.node_labels) for graph in bunch.data) == 3371
    assert sum(len(graph.edges) for graph in bunch.data) == 3721
    for graph in bunch.data:
        assert (graph.edges[:, 0] < graph.edges[:, 1]).all() and graph.edges.max() == len(
            graph.node_labels
        ) - 1
        assert len(graph.edge_labels) == len(graph.edges)
        assert graph.node_labels.max() < len(bunch.atom_names)
        assert graph.edge_labels.max() < len(bunch.bond_names)
        assert (graph.node_labels == 1).any()  # a nitro compound contains nitrogen
