"""The judgement: which promises a run has kept.

A bound is *missed* only when the lower quartile of the turns lies above it as well: then three turns out of
four say so, and noise is no excuse. A value above its bound whose quartile is below is called *noise*.
Waits are best times and their bounds are wide; they are granted no noise.
"""

import numpy as np

from benchmarks.promises import PROMISES

GROWTH = (
    "SVC, rbf, C = 1",
    "n",
    "scikit-learn",
    1000,
)  # the series, and the size that its exponent starts at


def judgement(value, low, must):
    """``held``, ``noise`` or ``missed``."""
    return "held" if value <= must else "noise" if low <= must else "missed"


def verdict(promise, name, value, low, must):
    """One line of the judgement; ``goal`` says whether the promise's goal is reached, if it has one."""
    goal = PROMISES[promise].goal
    return {
        "promise": promise,
        "name": name,
        "value": float(value),
        "low": float(low),
        "must": must,
        "verdict": judgement(value, low, must) if must is not None else "",
        "goal": None if goal is None else bool(value <= goal),
    }


def verdicts(races, waits):
    """The judgement of every promise on what has times: races alone and together, their growth, waits."""
    found, groups = [], {}
    for race in races:
        if "ratio" not in race or not race["promise"]:
            continue
        if race["together"]:
            groups.setdefault((race["promise"], race["together"]), []).append(race)
        if "must" in race or not race["together"]:
            found.append(
                verdict(race["promise"], race["name"], race["ratio"], race["quartiles"][0], race.get("must"))
            )
    for (promise, name), members in groups.items():
        value = geometric_mean([m["ratio"] for m in members])
        low = geometric_mean([m["quartiles"][0] for m in members])
        title = f"{name}, mean of {len(members)}"
        found.append(verdict(promise, title, value, low, PROMISES[promise].must))
    found += growth(races)
    for wait in waits:
        if "value" in wait:
            must = PROMISES[wait["promise"]].must
            found.append(verdict(wait["promise"], wait["name"], wait["value"], wait["value"], must))
    return found


def geometric_mean(ratios):
    """The mean in which twice as fast and twice as slow cancel."""
    return np.exp(np.mean(np.log(ratios)))


def lines(races):
    """The races that have times, by series, axis and peer."""
    found = {}
    for race in races:
        if "ratio" in race:
            found.setdefault((race["series"], race["axis"], race["peer"]), []).append(race)
    return {key: sorted(members, key=lambda r: r["size"]) for key, members in found.items()}


def pull(sizes):
    """The weight of each point in the slope of a least-squares line over log sizes."""
    x = np.log(sizes) - np.mean(np.log(sizes))
    return x / (x @ x)


def slopes(races):
    """The exponent of growth of each series with three sizes or more: seconds ~ size to this power."""
    found = []
    for (series, axis, peer), members in lines(races).items():
        if len(members) >= 3:
            weights = pull([m["size"] for m in members])
            ours, theirs = weights @ np.log([m["seconds"] for m in members])
            found.append(
                {"series": series, "axis": axis, "peer": peer, "ours": float(ours), "theirs": float(theirs)}
            )
    return found


def growth(races):
    """Our exponent less LIBSVM's is the slope of the log ratio; its noise comes from the quartiles."""
    *series, least = GROWTH
    members = [m for m in lines(races).get(tuple(series), []) if m["size"] >= least]
    if len(members) < 3:
        return []
    w = pull([m["size"] for m in members])
    q1, q3 = np.log([m["quartiles"] for m in members]).T
    low = w @ np.where(w > 0, q1, q3)
    title = f"{GROWTH[0]}, from {members[0]['size']:,} to {members[-1]['size']:,}"
    return [verdict("growth", title, w @ np.log([m["ratio"] for m in members]), low, PROMISES["growth"].must)]
