"""All races, a module for each room."""

from benchmarks.races import best, boosting, forest, linear, svm, tree

RACES = [*svm.RACES, *linear.RACES, *boosting.RACES, *tree.RACES, *forest.RACES, *best.RACES]
