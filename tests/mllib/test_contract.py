"""Every estimator of the package keeps scikit-learn's contract.

``check_estimator`` runs over each estimator class of ``mllib.__all__``. A check that an estimator is allowed
to fail stands in ``EXCEPTIONS`` with its reason, and must really fail: an exception that is no longer needed
is an error too.
"""

import inspect
import pkgutil
from functools import partial
from importlib import import_module
from pathlib import Path

import pytest
from sklearn.base import BaseEstimator
from sklearn.naive_bayes import GaussianNB
from sklearn.utils.estimator_checks import parametrize_with_checks

import mllib

# class name -> {check name: reason}
DRAWN = "a replicate is drawn with the weights as chances: weight is repetition in law, not draw by draw"
STEPS = "one step with weight 2 ends elsewhere than two steps, and a removed example changes the draws"
STOCHASTIC = {
    "check_sample_weight_equivalence_on_dense_data": STEPS,
    "check_sample_weight_equivalence_on_sparse_data": STEPS,
}
EXCEPTIONS = {
    "BaggingClassifier": {"check_sample_weight_equivalence_on_dense_data": DRAWN},
    "BaggingRegressor": {"check_sample_weight_equivalence_on_dense_data": DRAWN},
    "PegasosClassifier": STOCHASTIC,
    "RandomForestClassifier": {"check_sample_weight_equivalence_on_dense_data": DRAWN},
    "RandomForestRegressor": {"check_sample_weight_equivalence_on_dense_data": DRAWN},
    "SGDHingeClassifier": STOCHASTIC,
}

# class name -> parameters with which it is checked (smaller members, so that the checks stay quick;
# or required parameters)
SMALL = {
    # data of some checks are not separable by a line, and then it says so
    "HardMarginSVC": {"kernel": "rbf"},
    # weight is repetition to rounding only at a tight tolerance, and gamma="scale" sees the repeated points
    "SVC": {"tol": 1e-11, "gamma": 0.1},
    "SVR": {"tol": 1e-11, "gamma": 0.1},
    "BaggingClassifier": {"n_estimators": 5},
    "BaggingRegressor": {"n_estimators": 5},
    "DecisionForestClassifier": {"n_estimators": 1},  # some checks have fewer examples than ten
    "ExtraTreesClassifier": {"n_estimators": 5},
    "ExtraTreesRegressor": {"n_estimators": 5},
    "RandomForestClassifier": {"n_estimators": 5},
    "RandomForestRegressor": {"n_estimators": 5},
    "AdaBoostClassifier": {"n_estimators": 10},
    "BrownBoostClassifier": {"n_estimators": 20},
    "FloatBoostClassifier": {"n_estimators": 10},
    "GentleAdaBoostClassifier": {"n_estimators": 10},
    "GradientBoostingClassifier": {"n_estimators": 10},
    "GradientBoostingRegressor": {"n_estimators": 10},
    "LogitBoostClassifier": {"n_estimators": 10},
    "RealAdaBoostClassifier": {"n_estimators": 10},
    # with this tolerance weight and repetition give the same numbers, not only about the same
    "LinearSVC": {"tol": 1e-10, "max_iter": 10**5},
    "OneVsOneClassifier": {"estimator": GaussianNB()},
    "OneVsRestClassifier": {"estimator": GaussianNB()},
}


def estimators():
    """One instance of each estimator class of the package."""
    found = []
    for name in mllib.__all__:
        thing = getattr(mllib, name)
        if inspect.isclass(thing) and issubclass(thing, BaseEstimator) and hasattr(thing, "fit"):
            found.append(thing(**SMALL.get(name, {})))
    return found


def allowed_to_fail(estimator):
    return EXCEPTIONS.get(type(estimator).__name__, {})


# The data of the checks are often not separable, and some checks allow only a few iterations.
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@parametrize_with_checks(estimators(), expected_failed_checks=allowed_to_fail, xfail_strict=True)
def test_check_estimator(estimator, check):
    check(estimator)


def test_every_exception_belongs_to_an_estimator():
    names = {type(estimator).__name__ for estimator in estimators()}
    assert set(EXCEPTIONS) <= names and set(SMALL) <= names


@pytest.mark.parametrize("estimator", estimators(), ids=lambda e: type(e).__name__)
def test_the_constructor_only_stores(estimator):
    """No checks and no changes in __init__: what went in is what get_params gives back."""
    fresh = type(estimator)(**estimator.get_params(deep=False))
    for name, value in estimator.get_params(deep=False).items():
        assert getattr(fresh, name) is value
    assert not [name for name in vars(fresh) if name.endswith("_") and not name.startswith("_")]


def test_the_package_tells_what_it_has():
    assert mllib.__all__ == sorted(set(mllib.__all__))
    assert set(mllib.__all__) <= set(dir(mllib))
    with pytest.raises(AttributeError, match="mllib has no 'NoSuchThing'"):
        _ = mllib.NoSuchThing
    for name in mllib.__all__:
        assert getattr(mllib, name).__doc__, f"{name} has no docstring"


def classes():
    """Every class that a module of the package defines."""
    modules = [import_module(found.name) for found in pkgutil.walk_packages(mllib.__path__, "mllib.")]
    return {
        thing
        for module in modules
        for thing in vars(module).values()
        if inspect.isclass(thing) and thing.__module__ == module.__name__
    }


def test_no_class_keeps_a_partial():
    """From Python 3.14 on ``partial`` is a method: called on an object it is handed that object, too."""
    kept = [
        (owner, name)
        for owner in classes()
        for name, value in vars(owner).items()
        if isinstance(value, partial)
    ]
    assert classes() and not kept


def test_nobody_looks_for_annotations_where_they_need_not_be():
    """From Python 3.14 on a class makes its annotations when they are asked for: ``get_annotations`` asks."""
    root = Path(__file__).parents[2]
    looks = [
        path
        for room in ("mllib", "grader", "_ext", "tools", "benchmarks", "labs/source")
        for path in (root / room).rglob("*")
        if path.suffix in (".py", ".ipynb") and "__annotations__" in path.read_text(encoding="utf-8")
    ]
    assert not looks
