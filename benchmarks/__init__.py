"""Ours and others side by side: every promise of speed, measured in one run.

A *race* runs two programs on the same data, in turns, so that a slow spell of the machine hits both; its
result is the ratio of the best times, ours over theirs, below 1 when ours is faster. Before the clock
starts both must have found the same answer: the race raises when they have not, and then has no time. A
*wait* is a time that nobody races against: a slider, a first fit, an import.

- :mod:`benchmarks.promises` lists what is promised, once.
- :mod:`benchmarks.race` holds the clock and the judgement.
- :mod:`benchmarks.races` are the races, a module for each room of ``mllib``.
- :mod:`benchmarks.waits` are the waits.

``make bench`` runs all, fails when a promise is missed, and writes ``benchmarks/results/speed.json``, from
which the book draws its page on speed. ``make test`` holds no seconds: they belong to a program
and a machine. It counts work instead (tests/mllib/test_counts.py).
"""
