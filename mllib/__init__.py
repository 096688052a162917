"""Ensembles and large margins: every algorithm of the course, in readable and fast Python.

``from mllib import AdaBoostClassifier`` works for every name in ``__all__``. A room of the
package is imported when one of its names is first asked for, so that ``import mllib`` is quick.
"""

from importlib import import_module

__version__ = "0.1.0"

# room -> the public names it owns
_ROOMS = {
    "bagging": ["BaggingClassifier", "BaggingRegressor", "bias_variance", "estimate_noise"],
    "boosting": [
        "AdaBoostClassifier",
        "BrownBoostClassifier",
        "FloatBoostClassifier",
        "GentleAdaBoostClassifier",
        "GradientBoostingClassifier",
        "GradientBoostingRegressor",
        "LinearStump",
        "LogitBoostClassifier",
        "RealAdaBoostClassifier",
    ],
    "costs": ["bayes_threshold"],
    "forest": [
        "DecisionForestClassifier",
        "ExtraTreesClassifier",
        "ExtraTreesRegressor",
        "RandomForestClassifier",
        "RandomForestRegressor",
        "strength_and_correlation",
    ],
    "kernel_ridge": ["KernelRidge"],
    "linear_svm": ["LinearSVC", "PegasosClassifier", "SGDHingeClassifier"],
    "multiclass": ["OneVsOneClassifier", "OneVsRestClassifier"],
    "perceptron": [
        "AveragedPerceptron",
        "BatchPerceptron",
        "KernelPerceptron",
        "MarginPerceptron",
        "Perceptron",
        "PocketPerceptron",
        "VotedPerceptron",
        "mistake_bound",
        "noisy_mistake_bound",
        "voted_error_bound",
    ],
    "separable": ["is_separable"],
    "structured": ["ChainMarkovNetwork", "viterbi"],
    "svm": ["HardMarginSVC", "SVC", "SVR", "svm_path"],
    "tree": ["DecisionStump", "DecisionTreeClassifier", "DecisionTreeRegressor", "RegressionStump"],
}
_HOME = {name: room for room, names in _ROOMS.items() for name in names}

__all__ = sorted(_HOME)


def __getattr__(name):
    if name not in _HOME:
        raise AttributeError(f"mllib has no {name!r}; it has {', '.join(__all__)}")
    value = getattr(import_module(f"mllib.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__():
    return sorted([*globals(), *__all__])
