"""All races, a module for each room."""

from benchmarks.races import boosting, forest, linear, svm, tree

RACES = [*svm.RACES, *linear.RACES, *boosting.RACES, *tree.RACES, *forest.RACES]
