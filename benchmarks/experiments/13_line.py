"""When does a line suffice? A linear machine and one with a Gaussian kernel on four tables.

Messages (one column a word, thousands, nearly all zero), splice sites (180 columns of 0 and 1: is there a
site?), e-mails (57 dense columns) and printed letters (16 dense columns, A to M against N to Z): 800 random
rows to train on, up to 3,000 others for the test. C over 0.01 to 100 for the line, C over 1 to 100 and
gamma over three values around the default for the Gaussian kernel, by three folds of the 800. The machines
differ in the kernel only.
"""

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.model_selection import GridSearchCV
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from mllib.datasets import load_dna, load_letters, load_sms_spam, load_spambase

WHAT = "machine"
DRAWS = 20
MEASURES = {"messages": "lower", "splice sites": "lower", "e-mails": "lower", "letters": "lower"}


def tables(number):
    """For each table the training rows, their labels, the test rows and theirs."""
    rng = np.random.RandomState(number)
    texts, spam = load_sms_spam(return_X_y=True)
    dna, mail, letters = load_dna(), load_spambase(), load_letters()
    everything = {
        "messages": (np.asarray(texts), np.asarray(spam)),
        "splice sites": (dna.data, dna.target == 2),
        "e-mails": (mail.data, mail.target),
        "letters": (letters.data, letters.target < 13),
    }
    for name, (X, y) in everything.items():
        if name == "messages":  # each message once
            first = np.unique(X, return_index=True)[1]
            X, y = X[first], y[first]
        rows = rng.permutation(len(y))
        few, others = rows[:800], rows[800:3800]
        scaler = TfidfVectorizer(sublinear_tf=True) if name == "messages" else StandardScaler()
        Z = scaler.fit_transform(X[few])
        yield name, Z, y[few], scaler.transform(X[others]), y[others]


def draw(number):
    found = {"linear": {}, "Gaussian": {}}
    for name, Z, y, new, truth in tables(number):
        spread = Z.multiply(Z).mean() - Z.mean() ** 2 if name == "messages" else Z.var()
        usual = 1 / (Z.shape[1] * spread)
        grids = {
            "linear": {"kernel": ["linear"], "C": [0.01, 0.1, 1, 10, 100]},
            "Gaussian": {"kernel": ["rbf"], "C": [1, 10, 100], "gamma": [usual / 4, usual, 4 * usual]},
        }
        for row, grid in grids.items():
            search = GridSearchCV(SVC(cache_size=500), grid, cv=3).fit(Z, y)
            found[row][name] = np.mean(search.predict(new) != truth)
    return found
