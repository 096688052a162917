"""The real data sets: each is small, real, and loaded offline in milliseconds.

Every function has the shape of scikit-learn's own loaders. The card of a set, ``bunch.DESCR``, names
its donors and its licence; please name them too when you show a result.
"""

import numpy as np
from sklearn.utils import Bunch

from mllib.datasets.files import card, from_decimal, read_arrays, read_lines


def _answer(bunch, return_X_y):
    return (bunch.data, bunch.target) if return_X_y else bunch


def _table(name, return_X_y, **more):
    """A table of decimal numbers with one class each: arrays whole, power, target and two lists of names."""
    arrays = read_arrays(name)
    bunch = Bunch(
        data=from_decimal(arrays["whole"], arrays["power"]),
        target=arrays["target"].astype(np.int64),
        feature_names=arrays["feature_names"].tolist(),
        target_names=arrays["target_names"],
        DESCR=card(name),
        **more,
    )
    return _answer(bunch, return_X_y)


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
    return _table("spambase", return_X_y)


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
    pairs = [line.split("\t", 1) for line in read_lines("sms_spam")]
    target_names = np.array(["ham", "spam"])
    bunch = Bunch(
        data=np.array([text for _, text in pairs], dtype=object),
        target=np.array([label == "spam" for label, _ in pairs]).astype(np.int64),
        target_names=target_names,
        DESCR=card("sms_spam"),
    )
    return _answer(bunch, return_X_y)
