"""What is promised, once: ``make bench`` and the book's page read this table."""

from typing import NamedTuple


class Promise(NamedTuple):
    """A kind of work with two bounds: one that must hold, one to be reached.

    Bounds of races are ratios, ours over theirs; bounds of waits are in ``unit``.
    """

    work: str
    must: float | None
    goal: float | None
    unit: str = ""


PROMISES = {
    "svm-small": Promise("SVC, SVR, up to 1,000 points", 0.8, 0.5),
    "svm-large": Promise("SVC, SVR, 2,000 to 20,000 points", 0.5, 0.3),
    "svm-classes": Promise("SVC with many classes, one against one", 1.0, 0.6),
    "svm-predict": Promise("SVC, prediction", 0.25, 0.1),
    "svm-path": Promise("exact path over C, against one SVC for each of its pieces", 1.0, None),
    "adaboost": Promise("AdaBoost with stumps, 200 rounds", 0.05, 0.02),
    "xgboost": Promise("AdaBoost with stumps, 200 rounds, against XGBoost's histograms", None, 1.0),
    "trees": Promise("tree, bagging, random forest, continuous features", 0.3, 0.15),
    "one-hot": Promise("tree, random forest, extra-trees, few values a feature", 1.0, 0.6),
    "extra-trees": Promise("extra-trees, continuous features", 1.0, 0.6),
    "forest-predict": Promise("trees and forests, prediction", 1.0, 0.5),
    "online": Promise("perceptrons, SGD with the hinge, Pegasos", 0.6, 0.4),
    "dual-dense": Promise("dual coordinate descent, dense", 0.8, 0.4),
    "dual-sparse": Promise("dual coordinate descent, sparse", 1.2, 1.0),
    "voted": Promise("voted prediction, against the product with all stored vectors", 0.5, 0.25),
    "best": Promise("whatever it is, against the best rival that has a wheel", None, 1.0),
    "growth": Promise("SVC, exponent of growth with n, ours less LIBSVM's", 0.0, -0.05, "exponent"),
    "slider-look-up": Promise("slider, a look-up on the exact path", 1e-4, 1e-5, "s"),
    "slider-fit": Promise("slider, SVC fitted anew to 300 points", 5e-3, 1e-3, "s"),
    "slider": Promise("slider, from the event to the new picture", 0.05, 0.02, "s"),
    "playground": Promise("playground, 200 points, from a drag to the new picture", 0.05, 0.016, "s"),
    "first-fit": Promise("first fit in a fresh kernel, compiled code at hand", 0.5, 0.3, "s"),
    "import": Promise("import of mllib, cold", 0.5, 0.5, "s"),
    "import-learner": Promise("import of a learner with NumPy, scikit-learn and numba, cold", None, 0.5, "s"),
    "data": Promise("loading a data set", 0.02, 0.01, "s"),
    "million": Promise("an epoch of Pegasos over a million examples", 5.0, 1.0, "s"),
    "memory": Promise("memory of SVC on 20,000 points, a cache of 100 MB", 130.0, 120.0, "MB"),
    "page": Promise("first picture of a page, on the first visit", 1.0, None, "s"),
    "book": Promise("building the book with two cores, from nothing", 480.0, 180.0, "s"),
    "book-code": Promise("the same after an edit of a chapter's code", 60.0, 30.0, "s"),
    "book-sentence": Promise("the same after an edit of a sentence, without a kernel", 20.0, 10.0, "s"),
}
