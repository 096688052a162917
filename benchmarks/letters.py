"""The typical run of AdaBoost: 1,000 boosted trees on letter recognition, once in full.

Schapire, Freund, Bartlett and Lee (1998) boosted C4.5 trees on 16,000 letters and tested on the other 4,000.
This runs the same protocol with the trees of ``mllib`` (entropy, two examples or more in a leaf, light
cost-complexity pruning) and writes what chapter 05 plots: errors after each round, margins at rounds 5, 100
and 1,000, and the number of nodes. A few minutes on one core::

    .venv/bin/python benchmarks/letters.py --rounds 1000
"""

import argparse
import json
import platform
import time
from importlib.metadata import version
from pathlib import Path

import numpy as np

from mllib import AdaBoostClassifier, DecisionTreeClassifier
from mllib.datasets import load_letters

RESULTS = Path(__file__).parent / "results"
PUBLISHED = {"5": 8.4, "100": 3.3, "1000": 3.1}  # test error in per cent, Schapire et al. (1998), figure 1
PRUNING = 1e-6


def margins_of(votes, codes):
    """Share of the vote for the right class minus the greatest share of a wrong one."""
    rows = np.arange(len(codes))
    right = votes[rows, codes]
    rest = votes.copy()
    rest[rows, codes] = -np.inf
    return (right - rest.max(axis=1)) / votes[0].sum()


def run(rounds):
    """Boost, then walk once through the stages."""
    X, y = load_letters(return_X_y=True)
    train, test = slice(0, 16000), slice(16000, 20000)
    begun = time.perf_counter()
    tree = DecisionTreeClassifier(criterion="entropy", min_samples_leaf=2, ccp_alpha=PRUNING, random_state=0)
    model = AdaBoostClassifier(tree, n_estimators=rounds, random_state=0, verbose=1).fit(X[train], y[train])
    seconds = time.perf_counter() - begun
    codes = np.searchsorted(model.classes_, y)
    votes = {"train": np.zeros((16000, 26)), "test": np.zeros((4000, 26))}
    parts = {"train": (X[train], codes[train]), "test": (X[test], codes[test])}
    errors, kept, nodes = {"train": [], "test": []}, {}, []
    for t, (member, alpha) in enumerate(zip(model.estimators_, model.history_.alpha, strict=True), start=1):
        nodes.append(int(member.tree_.node_count))
        for name, (rows, right) in parts.items():
            answers = np.searchsorted(model.classes_, member.predict(rows))
            votes[name][np.arange(len(rows)), answers] += alpha
            errors[name].append(float(np.mean(votes[name].argmax(axis=1) != right)))
        if t in (5, 100, 1000):
            kept[t] = margins_of(votes["train"], parts["train"][1])
    return model, errors, kept, nodes, seconds


def main():
    """Run, and write ``results/letters.json``."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=1000)
    parser.add_argument("--out", type=Path, default=RESULTS / "letters.json")
    chosen = parser.parse_args()
    model, errors, kept, nodes, seconds = run(chosen.rounds)
    shown = sorted({*range(1, 21), 100, *np.geomspace(20, len(nodes), 60).astype(int).tolist()})
    shown = [t for t in shown if t <= len(nodes)]
    grid = np.linspace(-1, 1, 201)
    result = {
        "protocol": "UCI letters, first 16000 train, last 4000 test; AdaBoost (SAMME) of trees: entropy, "
        f"min_samples_leaf 2, ccp_alpha {PRUNING}",
        "published_test_error_percent": PUBLISHED,
        "rounds": len(nodes),
        "round": shown,
        "train_error": [round(errors["train"][t - 1], 5) for t in shown],
        "test_error": [round(errors["test"][t - 1], 5) for t in shown],
        "epsilon": [round(float(model.history_.epsilon[t - 1]), 5) for t in shown],
        "nodes": int(np.sum(nodes)),
        "nodes_by_round": [int(np.sum(nodes[:t])) for t in shown],
        "margin_grid": [round(float(theta), 2) for theta in grid],
        "margin_share": {
            t: [round(float(np.mean(m <= theta)), 5) for theta in grid] for t, m in kept.items()
        },
        "smallest_margin": {t: round(float(m.min()), 4) for t, m in kept.items()},
        "seconds": round(seconds, 1),
        "versions": {name: version(name) for name in ("large-margins", "numpy", "numba")},
        "machine": f"{platform.machine()}, Python {platform.python_version()}",
    }
    chosen.out.parent.mkdir(exist_ok=True)
    chosen.out.write_text(json.dumps(result, indent=1) + "\n")
    for t in (5, 100, 1000):
        if t in kept:
            wrong, least = 100 * errors["test"][t - 1], kept[t].min()
            print(f"round {t}: test error {wrong:.1f} %, smallest margin {least:.2f}")
    print(f"{np.sum(nodes):,} nodes, {seconds:.0f} s")


if __name__ == "__main__":
    main()
