"""Perceptrons: learn from mistakes, one example at a time.

Where to read what: ``online`` has the rule, in its last function, the state of a walk, the perceptron and its
sister with margin; ``voted`` what becomes of all the weights on the way; ``pocket`` the best of them;
``batch`` steepest descent on the same loss; ``kernel`` the walk in feature space; ``bounds`` how many
mistakes there can be. (Whether any hyperplane separates is told by :mod:`mllib.separable`.)
"""

from .batch import BatchPerceptron
from .bounds import mistake_bound, noisy_mistake_bound, voted_error_bound
from .kernel import KernelPerceptron
from .online import MarginPerceptron, Perceptron
from .pocket import PocketPerceptron
from .voted import AveragedPerceptron, VotedPerceptron
