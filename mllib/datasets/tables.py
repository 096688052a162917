"""Real tables: one row a case, one column a measurement, one class (or number) to predict.

Every function has the shape of scikit-learn's own loaders. The card of a set, ``bunch.DESCR``, names
its donors and its licence; please name them too when you show a result.
"""

import numpy as np
from sklearn.utils import Bunch

from .files import card, from_decimal, read_arrays


def _classes(name, return_X_y, **more):
    """A table of decimal numbers with one class each, and what else a set has to say."""
    arrays = read_arrays(name)
    bunch = Bunch(
        data=from_decimal(arrays["whole"], arrays["power"]),
        target=arrays["target"].astype(np.int64),
        feature_names=arrays["feature_names"].tolist(),
        target_names=arrays["target_names"],
        DESCR=card(name),
        **more,
    )
    return (bunch.data, bunch.target) if return_X_y else bunch


def load_spambase(*, return_X_y=False):
    """E-mails as 57 frequencies and lengths, spam or not.

    Of 4,601 e-mails of 1999, 1,813 are spam (1) and 2,788 are not (0): percentages of 48 words and 6
    characters, and the average, longest and total length of runs of capitals. In the original order,
    which is all spam first: shuffle before you split.

    Parameters
    ----------
    return_X_y : bool, default=False
        Return ``(data, target)`` in place of the Bunch.

    Returns
    -------
    bunch : :class:`sklearn.utils.Bunch`
        ``data`` (4601, 57), ``target`` 0 (mail) or 1 (spam), ``feature_names``, ``target_names``, ``DESCR``.

    References
    ----------
    Hopkins, M., Reeber, E., Forman, G. and Suermondt, J. (1999). Spambase. UCI Machine Learning
    Repository, doi 10.24432/C53G6X. CC BY 4.0.

    Examples
    --------
    >>> from mllib.datasets import load_spambase
    >>> mails = load_spambase()
    >>> mails.data.shape, int(mails.target.sum()), mails.feature_names[:2]
    ((4601, 57), 1813, ['word_freq_make', 'word_freq_address'])
    """
    return _classes("spambase", return_X_y)


def load_letters(*, return_X_y=False):
    """Letters of the alphabet from distorted typefaces: 26 classes.

    20,000 images of capital letters in twenty typefaces, each described by 16 numbers from 0 to 15 (size,
    moments, edge counts). The customary split is the first 16,000 rows against the last 4,000.

    Parameters
    ----------
    return_X_y : bool, default=False
        Return ``(data, target)`` in place of the Bunch.

    Returns
    -------
    bunch : :class:`sklearn.utils.Bunch`
        ``data`` (20000, 16), ``target`` 0 to 25, ``feature_names``, ``target_names`` A to Z, ``DESCR``.

    References
    ----------
    Frey, P. W. and Slate, D. J. (1991). Letter recognition using Holland-style adaptive classifiers.
    Machine Learning 6(2), 161-182.
    Slate, D. (1991). Letter Recognition. UCI Machine Learning Repository, doi 10.24432/C5ZP40. CC BY 4.0.

    Examples
    --------
    >>> from mllib.datasets import load_letters
    >>> letters = load_letters()
    >>> letters.data.shape, "".join(letters.target_names[letters.target[:5]])
    ((20000, 16), 'TIDNG')
    """
    return _classes("letters", return_X_y)


def load_sonar(*, return_X_y=False):
    """Sonar echoes from a metal cylinder (a mine) or a rock of its shape.

    208 echoes, each the energy in 60 frequency bands, 111 from the cylinder. Few rows, many columns: where
    large margins and forests shine.

    Parameters
    ----------
    return_X_y : bool, default=False
        Return ``(data, target)`` in place of the Bunch.

    Returns
    -------
    bunch : :class:`sklearn.utils.Bunch`
        ``data`` (208, 60), ``target`` 0 (rock) or 1 (mine), ``feature_names``, ``target_names``, ``DESCR``.

    References
    ----------
    Gorman, R. P. and Sejnowski, T. J. (1988). Analysis of hidden units in a layered network trained to
    classify sonar targets. Neural Networks 1(1), 75-89.
    Sejnowski, T. and Gorman, R. Connectionist Bench (Sonar, Mines vs. Rocks). UCI Machine Learning
    Repository, doi 10.24432/C5T01Q. CC BY 4.0.

    Examples
    --------
    >>> from mllib.datasets import load_sonar
    >>> load_sonar().data.shape
    (208, 60)
    """
    return _classes("sonar", return_X_y)


def load_vowel(*, return_X_y=False):
    """Eleven English vowels, six times each, by fifteen speakers.

    990 utterances as 10 log area parameters (a description of the vocal tract). Utterances of one speaker
    resemble each other: the customary test set is the last seven speakers, ``speaker >= 8``, and a random
    split is much easier.

    Parameters
    ----------
    return_X_y : bool, default=False
        Return ``(data, target)`` in place of the Bunch.

    Returns
    -------
    bunch : :class:`sklearn.utils.Bunch`
        ``data`` (990, 10), ``target`` 0 to 10, ``speaker`` (990,) 0 to 14, ``sex`` (990,) 0 (male) or
        1 (female), ``feature_names``, ``target_names``, ``DESCR``.

    References
    ----------
    Deterding, D. H. (1989). Speaker normalisation for automatic speech recognition. PhD thesis, University
    of Cambridge.
    Connectionist Bench (Vowel Recognition - Deterding Data). UCI Machine Learning Repository,
    doi 10.24432/C58P4S. CC BY 4.0.

    Examples
    --------
    >>> from mllib.datasets import load_vowel
    >>> vowel = load_vowel()
    >>> vowel.data.shape, int((vowel.speaker < 8).sum())
    ((990, 10), 528)
    """
    who = np.arange(990) // 66  # the file goes speaker by speaker
    sex = np.isin(who, (4, 5, 6, 7, 12, 13, 14)).astype(np.int64)
    return _classes("vowel", return_X_y, speaker=who, sex=sex)


def load_vehicle(*, return_X_y=False):
    """Silhouettes of four model vehicles: bus, van and two cars.

    846 silhouettes as 18 whole numbers (compactness, moments, hollows). The two cars, an Opel and a Saab,
    are hard to tell apart; bus and van are easy.

    Parameters
    ----------
    return_X_y : bool, default=False
        Return ``(data, target)`` in place of the Bunch.

    Returns
    -------
    bunch : :class:`sklearn.utils.Bunch`
        ``data`` (846, 18), ``target`` 0 to 3, ``feature_names``, ``target_names``, ``DESCR``.

    References
    ----------
    Siebert, J. P. (1987). Vehicle recognition using rule based methods. Turing Institute Research
    Memorandum TIRM-87-018.
    Statlog (Vehicle Silhouettes). UCI Machine Learning Repository. CC BY 4.0.

    Examples
    --------
    >>> from mllib.datasets import load_vehicle
    >>> vehicle = load_vehicle()
    >>> vehicle.data.shape, vehicle.target_names.tolist()
    ((846, 18), ['bus', 'opel', 'saab', 'van'])
    """
    return _classes("vehicle", return_X_y)


def load_glass(*, return_X_y=False):
    """What was this splinter of glass once part of? Six kinds, nine measurements.

    214 splinters: refractive index and percentage by weight of eight oxides. Small and unbalanced.

    Parameters
    ----------
    return_X_y : bool, default=False
        Return ``(data, target)`` in place of the Bunch.

    Returns
    -------
    bunch : :class:`sklearn.utils.Bunch`
        ``data`` (214, 9), ``target`` 0 to 5, ``feature_names``, ``target_names``, ``DESCR``.

    References
    ----------
    German, B. (1987). Glass Identification. UCI Machine Learning Repository, doi 10.24432/C5WW2P.
    CC BY 4.0.

    Examples
    --------
    >>> from mllib.datasets import load_glass
    >>> import numpy as np
    >>> np.bincount(load_glass().target).tolist()
    [70, 76, 17, 13, 9, 29]
    """
    return _classes("glass", return_X_y)


def load_ionosphere(*, return_X_y=False):
    """Radar returns from the ionosphere: with structure (good) or without.

    351 returns as 17 complex numbers, real and imaginary part of an autocorrelation at 17 lags. The second
    column is 0 throughout: a constant feature that an algorithm has to survive.

    Parameters
    ----------
    return_X_y : bool, default=False
        Return ``(data, target)`` in place of the Bunch.

    Returns
    -------
    bunch : :class:`sklearn.utils.Bunch`
        ``data`` (351, 34), ``target`` 0 (bad) or 1 (good), ``feature_names``, ``target_names``, ``DESCR``.

    References
    ----------
    Sigillito, V. G., Wing, S. P., Hutton, L. V. and Baker, K. B. (1989). Classification of radar returns
    from the ionosphere using neural networks. Johns Hopkins APL Technical Digest 10(3), 262-266.
    Ionosphere. UCI Machine Learning Repository, doi 10.24432/C5W01B. CC BY 4.0.

    Examples
    --------
    >>> from mllib.datasets import load_ionosphere
    >>> X, y = load_ionosphere(return_X_y=True)
    >>> X.shape, int(y.sum())
    ((351, 34), 225)
    """
    return _classes("ionosphere", return_X_y)


def load_credit(*, return_X_y=False):
    """Loans that were paid back or not: numbers, categories and gaps in one table.

    Of 4,454 loans 1,254 went bad (1). Nine columns are numbers, four are categories, and 455 entries are
    missing (NaN), most of them incomes. A category stands in the table as the place of its word in a list;
    ``categories`` has that list for each column of categories, and so tells which columns these are: their
    numbers mean nothing to compute with.

    Parameters
    ----------
    return_X_y : bool, default=False
        Return ``(data, target)`` in place of the Bunch.

    Returns
    -------
    bunch : :class:`sklearn.utils.Bunch`
        ``data`` (4454, 13), ``target`` 0 (good) or 1 (bad), ``categories``, ``feature_names``,
        ``target_names``, ``DESCR``.

    References
    ----------
    Kuhn, M. (2023). modeldata: data sets useful for modeling packages. R package, version 1.1.0. MIT licence.

    Examples
    --------
    >>> from mllib.datasets import load_credit
    >>> credit = load_credit()
    >>> [credit.feature_names[column] for column in credit.categories]
    ['home', 'marital', 'records', 'job']
    >>> credit.categories[6]
    ['fixed', 'freelance', 'others', 'part-time']
    """
    arrays = read_arrays("credit")
    data = np.where(arrays["whole"] < 0, np.nan, arrays["whole"]).T
    data, target = np.ascontiguousarray(data), arrays["target"].astype(np.int64)
    if return_X_y:
        return data, target
    return Bunch(
        data=data,
        target=target,
        categories={j: words.split("|") for j, words in enumerate(arrays["levels"].tolist()) if words},
        feature_names=arrays["feature_names"].tolist(),
        target_names=np.array(["good", "bad"]),
        DESCR=card("credit"),
    )


def load_mcycle(*, return_X_y=False):
    """Acceleration of a dummy's head in a simulated motorcycle crash, for regression.

    133 times (milliseconds after the impact) and accelerations (in g): flat, then a plunge, a rebound, and
    noise that grows on the way. 94 of the times are distinct, so that the noise can be estimated from
    repeated x.

    Parameters
    ----------
    return_X_y : bool, default=False
        Return ``(data, target)`` in place of the Bunch.

    Returns
    -------
    bunch : :class:`sklearn.utils.Bunch`
        ``data`` (133, 1) times, ``target`` (133,) accelerations, ``feature_names``, ``DESCR``.

    References
    ----------
    Silverman, B. W. (1985). Some aspects of the spline smoothing approach to non-parametric regression
    curve fitting. Journal of the Royal Statistical Society B 47(1), 1-52.
    Venables, W. N. and Ripley, B. D. (2002). Modern Applied Statistics with S. Fourth edition, Springer.

    Examples
    --------
    >>> from mllib.datasets import load_mcycle
    >>> X, y = load_mcycle(return_X_y=True)
    >>> X.shape, float(y.min())
    ((133, 1), -134.0)
    """
    arrays = read_arrays("mcycle")
    table = from_decimal(arrays["whole"], arrays["power"])
    X, y = np.ascontiguousarray(table[:, :1]), np.ascontiguousarray(table[:, 1])
    if return_X_y:
        return X, y
    return Bunch(data=X, target=y, feature_names=["times"], DESCR=card("mcycle"))
