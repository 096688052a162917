"""Real data that are not tables: messages, DNA, handwritten words, molecules.

Here ``data`` is what the world delivers, raw strings, sequences and graphs, and turning it into
features or kernels is the subject of the chapter that uses it.
"""

import numpy as np
from sklearn.utils import Bunch

from .files import card, read_arrays, read_lines


def _labelled_lines(name, target_names, positive, return_X_y):
    """Lines "label, tab, text" as an array of strings and 0/1 classes; a set of more than one class."""
    pairs = [line.split("\t", 1) for line in read_lines(name)]
    data = np.array([text for _, text in pairs], dtype=object)
    target = np.array([label == positive for label, _ in pairs]).astype(np.int64)
    if return_X_y:
        return data, target
    return Bunch(data=data, target=target, target_names=np.array(target_names), DESCR=card(name))


def load_sms_spam(*, return_X_y=False):
    """Raw text messages, spam or not: the SMS Spam Collection.

    5,574 English messages in the original order, 747 of them spam (1). ``data`` holds plain strings,
    so that a chapter can build its own bag of words.

    Parameters
    ----------
    return_X_y : bool, default=False
        Return ``(data, target)`` in place of the Bunch.

    Returns
    -------
    bunch : :class:`sklearn.utils.Bunch`
        ``data`` (5574,) of str, ``target`` 0 (ham) or 1 (spam), ``target_names``, ``DESCR``.

    References
    ----------
    Almeida, T. A., Gómez Hidalgo, J. M. and Yamakami, A. (2011). Contributions to the study of SMS spam
    filtering: new collection and results. ACM Symposium on Document Engineering, 259-262.

    Examples
    --------
    >>> from mllib.datasets import load_sms_spam
    >>> messages = load_sms_spam()
    >>> messages.data[1], str(messages.target_names[messages.target[1]])
    ('Ok lar... Joking wif u oni...', 'ham')
    """
    return _labelled_lines("sms_spam", ["ham", "spam"], "spam", return_X_y)


def load_promoters(*, return_X_y=False):
    """106 stretches of DNA of 57 bases, half of them promoters (where a gene begins).

    Strings over a, c, g, t. The promoters are from the bacterium E. coli, positions -50 to +7 around the
    start of transcription. The others have another source, and most of them overlap: they look like pieces
    of a few longer stretches.

    Parameters
    ----------
    return_X_y : bool, default=False
        Return ``(data, target)`` in place of the Bunch.

    Returns
    -------
    bunch : :class:`sklearn.utils.Bunch`
        ``data`` (106,) of str, ``target`` 0 (no promoter) or 1 (promoter), ``target_names``, ``DESCR``.

    References
    ----------
    Towell, G. G., Shavlik, J. W. and Noordewier, M. O. (1990). Refinement of approximate domain theories by
    knowledge-based neural networks. AAAI, 861-866.
    Molecular Biology (Promoter Gene Sequences). UCI Machine Learning Repository, doi 10.24432/C5S01D.
    CC BY 4.0.

    Examples
    --------
    >>> from mllib.datasets import load_promoters
    >>> dna, y = load_promoters(return_X_y=True)
    >>> dna[0], int(y.sum())
    ('gccttctccaaaacgtgttttttgttgttaattcggtgtagacttgtaaacctaaat', 53)
    """
    return _labelled_lines("promoters", ["no promoter", "promoter"], "+", return_X_y)


def load_dna(*, return_X_y=False):
    """Is the middle of this stretch of DNA a splice junction, and which way round?

    3,186 stretches of 60 bases of primates, each base coded by three bits: A 100, C 010, G 001, T 000.
    Junctions where the exon ends (``ei``), where it begins (``ie``), and neither (``n``). Statlog's split is
    the first 2,000 rows against the last 1,186.

    Parameters
    ----------
    return_X_y : bool, default=False
        Return ``(data, target)`` in place of the Bunch.

    Returns
    -------
    bunch : :class:`sklearn.utils.Bunch`
        ``data`` (3186, 180) of 0. and 1., ``target`` 0 to 2, ``feature_names``, ``target_names``, ``DESCR``.

    References
    ----------
    Michie, D., Spiegelhalter, D. J. and Taylor, C. C. (1994). Machine Learning, Neural and Statistical
    Classification. Ellis Horwood, section 9.5.
    Molecular Biology (Splice-junction Gene Sequences). UCI Machine Learning Repository,
    doi 10.24432/C5M888. CC BY 4.0.

    Examples
    --------
    >>> from mllib.datasets import load_dna
    >>> import numpy as np
    >>> X, y = load_dna(return_X_y=True)
    >>> X.shape, np.bincount(y).tolist()
    ((3186, 180), [767, 765, 1654])
    """
    arrays = read_arrays("dna")
    X = np.unpackbits(arrays["bits"], axis=1, count=180).astype(np.float64)
    y = arrays["target"].astype(np.int64)
    if return_X_y:
        return X, y
    return Bunch(
        data=X,
        target=y,
        feature_names=[f"{base}{position}" for position in range(1, 61) for base in "ACG"],
        target_names=arrays["target_names"],
        DESCR=card("dna"),
    )


def load_ocr_words(*, return_X_y=False):
    """Handwritten words, letter by letter: for models of sequences.

    6,877 words with 52,152 lower-case letters, each an image of 16 by 8 black-and-white pixels (the capital
    that began each word was left out). Word w is the rows ``starts[w]`` to ``starts[w + 1]``; ten folds of
    words are given.

    Parameters
    ----------
    return_X_y : bool, default=False
        Return ``(data, target)`` in place of the Bunch.

    Returns
    -------
    bunch : :class:`sklearn.utils.Bunch`
        ``data`` (52152, 128) of uint8 0 or 1, ``target`` 0 to 25, ``starts`` (6878,), ``folds`` (6877,)
        0 to 9, ``target_names`` a to z, ``DESCR``.

    References
    ----------
    Taskar, B., Guestrin, C. and Koller, D. (2003). Max-margin Markov networks. NIPS 16, 25-32.
    Kassel, R. H. (1995). A comparison of approaches to on-line handwritten character recognition. PhD
    thesis, Massachusetts Institute of Technology.

    Examples
    --------
    >>> from mllib.datasets import load_ocr_words
    >>> ocr = load_ocr_words()
    >>> first = slice(ocr.starts[0], ocr.starts[1])
    >>> ocr.data[first].shape, "".join(ocr.target_names[ocr.target[first]])
    ((9, 128), 'ommanding')
    """
    arrays = read_arrays("ocr_words")
    X = np.unpackbits(arrays["bits"], axis=1)
    y = arrays["target"].astype(np.int64)
    if return_X_y:
        return X, y
    return Bunch(
        data=X,
        target=y,
        starts=np.concatenate([[0], np.cumsum(arrays["lengths"], dtype=np.int64)]),
        folds=arrays["folds"].astype(np.int64),
        target_names=np.array(list("abcdefghijklmnopqrstuvwxyz")),
        DESCR=card("ocr_words"),
    )


def load_mutag(*, return_X_y=False):
    """188 molecules as graphs: does the substance damage the genes of a bacterium?

    Nitro compounds; a node is an atom (hydrogen left out), an edge a bond. Each element of ``data`` is a
    Bunch with ``node_labels`` (n,), indices into ``atom_names``, ``edges`` (m, 2), each bond once with the
    smaller end first, and ``edge_labels`` (m,), indices into ``bond_names``.

    Parameters
    ----------
    return_X_y : bool, default=False
        Return ``(data, target)`` in place of the Bunch.

    Returns
    -------
    bunch : :class:`sklearn.utils.Bunch`
        ``data`` (188,) of Bunch, ``target`` 0 (not mutagenic) or 1 (mutagenic), ``target_names``,
        ``atom_names``, ``bond_names``, ``DESCR``.

    References
    ----------
    Debnath, A. K., Lopez de Compadre, R. L., Debnath, G., Shusterman, A. J. and Hansch, C. (1991).
    Structure-activity relationship of mutagenic aromatic and heteroaromatic nitro compounds. Journal of
    Medicinal Chemistry 34(2), 786-797.
    Kriege, N. and Mutzel, P. (2012). Subgraph matching kernels for attributed graphs. ICML.

    Examples
    --------
    >>> from mllib.datasets import load_mutag
    >>> molecules, y = load_mutag(return_X_y=True)
    >>> len(molecules[0].node_labels), molecules[0].edges[:2].tolist(), int(y.sum())
    (17, [[0, 1], [0, 5]], 125)
    """
    arrays = read_arrays("mutag")
    atoms = np.split(arrays["node_labels"].astype(np.int64), np.cumsum(arrays["n_nodes"])[:-1])
    cut = np.cumsum(arrays["n_edges"])[:-1]
    edges = np.split(arrays["edges"].astype(np.int64), cut)
    bonds = np.split(arrays["edge_labels"].astype(np.int64), cut)
    data = np.empty(len(atoms), dtype=object)
    for i, (nodes, pairs, kinds) in enumerate(zip(atoms, edges, bonds, strict=True)):
        data[i] = Bunch(node_labels=nodes, edges=pairs, edge_labels=kinds)
    target = arrays["target"].astype(np.int64)
    if return_X_y:
        return data, target
    return Bunch(
        data=data,
        target=target,
        target_names=np.array(["not mutagenic", "mutagenic"]),
        atom_names=np.array(["C", "N", "O", "F", "I", "Cl", "Br"]),
        bond_names=np.array(["aromatic", "single", "double", "triple"]),
        DESCR=card("mutag"),
    )
