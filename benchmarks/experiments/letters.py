"""The typical run of AdaBoost: 1,000 boosted trees on letters.

Protocol: Schapire, Freund, Bartlett and Lee (1998) boosted C4.5 trees on the first 16,000 letters of the UCI
set and tested on the other 4,000. Unclear: which of C4.5's options (pruning, penalties for cuts) were on.

Our choices: SAMME, trees by entropy with two examples or more in a leaf, and cost-complexity pruning with
the light price 1e-6. A whole tree is right on every letter, and boosting would stop at once; without the
pruning the weighted errors sink to nothing within a few rounds. Tolerance: 1.5 points at round 5, where
single trees decide, .6 later.
"""

import numpy as np

from benchmarks.experiments.claims import READ, UNVERIFIED, Claim
from mllib import AdaBoostClassifier, DecisionTreeClassifier
from mllib.datasets import load_letters

FIGURE = "schapire1998, figure 1"
CLAIMS = [
    Claim("test error after 5 rounds, %", 8.4, FIGURE, READ, tolerance=1.5, rival=3.3),
    Claim("test error after 100 rounds, %", 3.3, FIGURE, READ, tolerance=0.6, rival=8.4),
    Claim("test error after 1000 rounds, %", 3.1, FIGURE, READ, tolerance=0.6, rival=8.4),
    Claim("training error after 5 rounds, %", 0.0, FIGURE, READ, tolerance=0.05, rival=8.4),
    Claim("nodes of all trees, millions", 2.0, "schapire1998, section 1: more than", READ),
] + [
    Claim(f"smallest margin after {t} rounds", margin, "schapire2012boosting, section 1.3", UNVERIFIED)
    for t, margin in ((5, 0.14), (100, 0.52), (1000, 0.55))
]
ROUNDS, PRUNING, KEPT = 1000, 1e-6, (5, 100, 1000)
TRAIN, TEST = slice(0, 16000), slice(16000, 20000)


def margins_of(votes, codes):
    """Share of the vote for the right class minus the greatest share of a wrong one."""
    rows = np.arange(len(codes))
    right = votes[rows, codes]
    rest = votes.copy()
    rest[rows, codes] = -np.inf
    return (right - rest.max(axis=1)) / votes[0].sum()


def walk(model, X, y, show):
    """Errors after each round on both parts, margins after the rounds KEPT, nodes of each tree."""
    codes = np.searchsorted(model.classes_, y)
    parts = {"train": (X[TRAIN], codes[TRAIN]), "test": (X[TEST], codes[TEST])}
    votes = {name: np.zeros((len(right), len(model.classes_))) for name, (_, right) in parts.items()}
    errors, margins, nodes = {"train": [], "test": []}, {}, []
    stages = list(zip(model.estimators_, model.history_.alpha, strict=True))
    for t, (member, alpha) in enumerate(show(stages, "votes"), start=1):
        nodes.append(int(member.tree_.node_count))
        for name, (rows, right) in parts.items():
            answers = np.searchsorted(model.classes_, member.predict(rows))
            votes[name][np.arange(len(rows)), answers] += alpha
            errors[name].append(np.mean(votes[name].argmax(axis=1) != right))
        if t in KEPT:
            margins[t] = margins_of(votes["train"], parts["train"][1])
    return errors, margins, np.cumsum(nodes)


def boosted(X, y, rounds, pruning):
    """AdaBoost of trees on the training letters."""
    tree = DecisionTreeClassifier(criterion="entropy", min_samples_leaf=2, ccp_alpha=pruning, random_state=0)
    return AdaBoostClassifier(tree, n_estimators=rounds, random_state=0).fit(X[TRAIN], y[TRAIN])


def run(show):
    """Boost, then walk once through the stages."""
    X, y = load_letters(return_X_y=True)
    model = boosted(X, y, ROUNDS, PRUNING)
    errors, margins, nodes = walk(model, X, y, show)
    shown = sorted({*range(1, 21), 100, *np.geomspace(20, ROUNDS, 60).astype(int).tolist()})
    grid = np.linspace(-1, 1, 201)
    ours = {f"test error after {t} rounds, %": 100 * errors["test"][t - 1] for t in KEPT}
    ours |= {f"smallest margin after {t} rounds": kept.min() for t, kept in margins.items()}
    ours["training error after 5 rounds, %"] = 100 * errors["train"][4]
    ours["nodes of all trees, millions"] = nodes[-1] / 1e6
    data = {
        "rounds": len(nodes),
        "round": shown,
        "train_error": [errors["train"][t - 1] for t in shown],
        "test_error": [errors["test"][t - 1] for t in shown],
        "epsilon": [model.history_.epsilon[t - 1] for t in shown],
        "epsilon_without_pruning": boosted(X, y, 10, pruning=0.0).history_.epsilon,
        "nodes_by_round": [nodes[t - 1] for t in shown],
        "margin_grid": np.round(grid, 2),
        "margin_share": {t: [np.mean(kept <= theta) for theta in grid] for t, kept in margins.items()},
        "smallest_margin": {t: kept.min() for t, kept in margins.items()},
    }
    return {"ours": ours, "data": data}
