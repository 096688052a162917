"""A Dask cluster: started with the commands of the page "Beyond one machine", it gives the same answers."""

import contextlib
import os
import re
import socket
import subprocess
import sys
from pathlib import Path

import joblib
import numpy as np
import pytest
from sklearn.base import BaseEstimator, RegressorMixin, clone
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV

from mllib import (
    SVC,
    BaggingClassifier,
    BaggingRegressor,
    DecisionForestClassifier,
    DecisionStump,
    DecisionTreeClassifier,
    ExtraTreesClassifier,
    RandomForestClassifier,
    bias_variance,
)

ROOT = Path(__file__).parents[2]
IRIS = load_iris(return_X_y=True)


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    """A client of a scheduler with two workers, each a process of its own, as the page starts them."""
    distributed = pytest.importorskip("distributed", reason="the extra 'dask' is not installed")
    page = (ROOT / "pages/beyond.md").read_text(encoding="utf-8")
    scheduler, worker = re.findall(r"^\.venv/bin/(dask .+?) *(?:#.*)?$", page, re.M)
    with socket.create_server(("127.0.0.1", 0)) as free:
        address = f"127.0.0.1:{free.getsockname()[1]}"
    here = f"--host 127.0.0.1 --port {address.split(':')[1]} --no-dashboard"
    assert "--nworkers auto" in worker  # as many as the machine has cores; here two
    worker = worker.replace("--nworkers auto", "--nworkers 2 --nthreads 1 --host 127.0.0.1 --no-dashboard")
    folder = tmp_path_factory.mktemp("cluster")
    log, started = open(folder / "log", "w"), []
    try:
        for command in (f"{scheduler} {here}", worker):
            words = command.replace("head.example:8786", address).split()
            assert words[0] == "dask"
            started.append(
                subprocess.Popen(
                    [sys.executable, "-m", "dask", *words[1:]],
                    cwd=folder,
                    env=os.environ | {"PYTHONPATH": str(ROOT)},
                    stdout=log,
                    stderr=log,
                )
            )
        with distributed.Client(f"tcp://{address}", timeout="60s") as client:
            client.wait_for_workers(2, timeout=60)
            yield client
    finally:
        for process in reversed(started):
            process.terminate()
        for process in started:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(10)
            process.kill()
        log.close()


def test_forests_are_the_same(cluster):
    X, y = IRIS
    models = [
        RandomForestClassifier(40, oob_score=True, random_state=3),
        ExtraTreesClassifier(40, random_state=3),
        DecisionForestClassifier(10, random_state=3),
        BaggingClassifier(n_estimators=20, random_state=3),
        BaggingClassifier(DecisionStump(), n_estimators=40, random_state=3),
    ]
    before = tasks_of(cluster)
    for model in models:
        at_home = clone(model).set_params(n_jobs=1).fit(X, y)
        with joblib.parallel_config("dask"):
            away = clone(model).fit(X, y)
            P = away.predict_proba(X)
        np.testing.assert_array_equal(at_home.predict_proba(X), P)
        if hasattr(at_home, "oob_score_"):
            assert at_home.oob_score_ == away.oob_score_
    both_worked(cluster, before)


def test_bias_and_variance_are_the_same(cluster):
    X, y = IRIS
    for learner in (DecisionTreeClassifier(), DecisionStump()):
        settings = {"n_replicates": 30, "random_state": 0}
        at_home = bias_variance(learner, X, y, n_jobs=1, **settings)
        before = tasks_of(cluster)
        with joblib.parallel_config("dask"):
            away = bias_variance(learner, X, y, **settings)
        both_worked(cluster, before)
        for entry in ("prediction", "bias2", "variance", "error"):
            np.testing.assert_array_equal(at_home[entry], away[entry])


def test_a_grid_search_is_the_same(cluster):
    X, y = IRIS
    grid = {"C": [0.1, 1, 10], "gamma": [0.01, 0.1, 1]}
    at_home = GridSearchCV(SVC(), grid, cv=4, n_jobs=1).fit(X, y)
    before = tasks_of(cluster)
    with joblib.parallel_config("dask"):
        away = GridSearchCV(SVC(), grid, cv=4).fit(X, y)
    both_worked(cluster, before)
    assert at_home.best_params_ == away.best_params_
    for split in range(4):
        column = f"split{split}_test_score"
        np.testing.assert_array_equal(at_home.cv_results_[column], away.cv_results_[column])
    np.testing.assert_array_equal(at_home.decision_function(X), away.decision_function(X))


class Traveller(RegressorMixin, BaseEstimator):
    """Remembers the process in which it learned."""

    def fit(self, X, y):
        self.process_ = os.getpid()
        return self

    def predict(self, X):
        return X[:, 0]


def test_members_learn_in_the_workers(cluster):
    X, y = IRIS
    with joblib.parallel_config("dask"):
        travellers = BaggingRegressor(Traveller(), 40).fit(X, y)
    workers = set(cluster.run(os.getpid).values())
    assert {member.process_ for member in travellers} == workers and len(workers) == 2


def tasks_of(client):
    """How many tasks each worker has finished."""
    return client.run(lambda dask_worker: dask_worker.state.executed_count)


def both_worked(client, before):
    after = tasks_of(client)
    assert len(after) == 2 and all(after[worker] > before[worker] for worker in after)
