"""Published experiments, each run again by the same protocol: one module an experiment.

A module's docstring tells the protocol, who published it and what of it is unclear. ``CLAIMS`` lists what
was published, with a tolerance fixed before the run that is kept; ``run(show)`` computes our numbers and
returns::

    {"ours": {what: value or [mean, standard deviation]}, "data": {small lists that chapter 16 draws}}

``show`` wraps a loop that takes long, as tqdm does: ``for seed in show(range(50), "seeds")``. Seeds are
fixed, so that a second run gives the same numbers. A miss is a result and stays.
"""

NAMES = [  # in the order in which chapter 16 tells them
    "ten_points",
    "voted_iris",
    "letters",
    "arcing",
    "forests",
    "forest_tables",
    "friedman",
    "promoters",
    "dna",
    "ocr",
    "sms",
    "mutag",
    "nested_spheres",
]
