"""What a Dask cluster costs: the same forest, bootstrap and grid search at home and on two workers.

All of them run their independent parts through joblib, so nothing in them changes: inside of
``joblib.parallel_config("dask")`` the parts go to the workers.  Two workers, a process with one thread each,
on this machine: so a cluster cannot win here, and what it takes longer than the same two cores without a
cluster is its overhead.  Answers are compared, bit by bit, before a time is written::

    python -m benchmarks.cluster [--rounds 3]

Runs take turns; the least seconds of each are kept.
"""

import argparse
import sys
import time
from functools import partial
from pathlib import Path

from benchmarks import output
from benchmarks.speed import machine, versions

RESULTS = Path(__file__).parent / "results/cluster.json"
WHERE = ("n_jobs=1", "n_jobs=2", "two workers")


def forest():
    """A forest of 200 trees on all of Spambase; its answer is what it says about each message."""
    from mllib import RandomForestClassifier
    from mllib.datasets import load_spambase

    X, y = load_spambase(return_X_y=True)
    grow = partial(RandomForestClassifier, 200, random_state=0)
    return lambda n_jobs: grow(n_jobs=n_jobs).fit(X, y).predict_proba(X)


def bootstrap():
    """Bias and variance of a regression tree from 2,000 replicates of 400 points."""
    from mllib import DecisionTreeRegressor, bias_variance
    from mllib.datasets import make_friedman1

    X, y = make_friedman1(400, random_state=0)
    tree = DecisionTreeRegressor(random_state=0)
    return lambda n_jobs: bias_variance(tree, X, y, n_replicates=2000, random_state=0, n_jobs=n_jobs).error


def grid_search():
    """A support vector machine on the vowels, 30 settings, 5 folds: 150 fits."""
    import numpy as np
    from sklearn.model_selection import GridSearchCV

    from mllib import SVC
    from mllib.datasets import load_vowel

    X, y = load_vowel(return_X_y=True)
    grid = {"C": [0.1, 1, 10, 100, 1000], "gamma": np.geomspace(0.01, 3, 6)}
    return lambda n_jobs: (
        GridSearchCV(SVC(), grid, cv=5, n_jobs=n_jobs).fit(X, y).cv_results_["mean_test_score"]
    )


def nothing():
    """1,000 tasks that do nothing: what is left is the way to a worker and back."""
    import joblib

    tasks = [joblib.delayed(abs)(-1) for _ in range(1000)]
    return lambda n_jobs: joblib.Parallel(n_jobs=n_jobs)(tasks)


# what a reader calls it, how it is made, and its number of tasks
JOBS = {
    "forest, 200 trees": (forest, 200),
    "bias and variance, 2,000 replicates": (bootstrap, 2000),
    "grid search, 150 fits": (grid_search, 150),
    "1,000 tasks that do nothing": (nothing, 1000),
}


def seconds(run, *arguments):
    """How long a call took, and what it returned."""
    begun = time.perf_counter()
    answer = run(*arguments)
    return time.perf_counter() - begun, answer


def measure(rounds):
    """Everything that the results file holds."""
    import joblib
    import numpy as np
    from distributed import Client, LocalCluster
    from tqdm import tqdm

    def ask(place, run):
        if place != "two workers":
            return seconds(run, int(place[-1]))
        with joblib.parallel_config("dask"):
            return seconds(run, None)

    starting = {"n_workers": 2, "threads_per_worker": 1, "processes": True, "dashboard_address": None}
    start, cluster = seconds(lambda: LocalCluster(**starting))
    jobs, total = [], len(JOBS) * rounds * len(WHERE)
    with cluster, Client(cluster), tqdm(total=total, desc="runs", disable=None) as bar:
        first = None
        for name, (make, tasks) in JOBS.items():
            run, least, answers = make(), dict.fromkeys(WHERE, np.inf), {}
            fresh, _ = ask("two workers", run)  # also brings the data and the compiled code to the workers
            first = fresh if first is None else first
            for _ in range(rounds):
                for place in WHERE:
                    took, answers[place] = ask(place, run)
                    least[place] = min(least[place], took)
                    bar.update()
            for place in WHERE[1:]:
                if not np.array_equal(answers[place], answers[WHERE[0]]):
                    raise AssertionError(f"{name}: {place} gives another answer than {WHERE[0]}")
            jobs.append({"job": name, "tasks": tasks, "seconds": least})
    found = {"rounds": rounds, "machine": machine(), "versions": versions()}
    return found | {"start": start, "first forest": first, "jobs": jobs}


def tables(results):
    """``jobs``: seconds at home and away; ``start``: what is paid once."""
    rows = []
    for job in results["jobs"]:
        one, two, away = (job["seconds"][place] for place in WHERE)
        extra = 1000 * (away - two) / job["tasks"]
        rows.append([job["job"], f"{one:.2f}", f"{two:.2f}", f"{away:.2f}", f"{extra:+.1f} ms"])
    heading = ["Job", "1 core,\u00a0s", "2 cores,\u00a0s", "2 workers,\u00a0s", "Overhead per task"]
    once = [
        ["start a scheduler and two workers", f"{results['start']:.1f} s"],
        ["first forest: workers import the package, data travel", f"{results['first forest']:.1f} s"],
    ]
    return {"jobs": (heading, rows), "start": (["Paid once", "Seconds"], once)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3)
    results = measure(parser.parse_args().rounds)
    output.keep(RESULTS, results)
    output.show(tables(results))
    return 0


if __name__ == "__main__":
    sys.exit(main())
