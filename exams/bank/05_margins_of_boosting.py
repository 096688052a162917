"""Chapter 05, Margins of boosting."""

from fractions import Fraction

RIGHT = ((1, 1, 1), (-1, 1, 1), (1, -1, 1), (-1, -1, 1))


def four_examples(weights=((2, 3, 4), (1, 2, 2), (3, 4, 6))):
    r"""computation: Four examples, three rules

    Three rules have the vote weights $[[weights]]$. All are right on example 1; on example 2 only
    the first is wrong, on example 3 only the second, on example 4 the first two. (a) Compute the
    four margins. (b) Which share of the margins is at most 0, and which at most $\frac12$? Which
    of the two is the training error? (c) The weight of the third rule is changed. From which
    value on is no example wrong? (d) How large can the smallest margin become in this way? Why
    is that no reason to trust the committee more than the third rule alone?

    Solution.

    (a) $[[margins]]$, for the weights sum to $[[total]]$. (b) $[[at_zero]]$, the training error,
    and $[[at_half]]$. (c) Example 4 needs more than $[[needed]]$. (d) As near to 1 as one likes:
    with a huge weight the third rule decides alone, and it is right on all four. The margins are
    then those of a single rule; what they are worth depends on the family that it comes from.

    Rubric.

    - 4: the margins, divided by the sum
    - 2: both shares, and which is the training error
    - 2: the bound on the weight
    - 2: close to 1; a vote of one; the family counts
    """
    total = sum(weights)
    margins = tuple(
        Fraction(sum(a * right for a, right in zip(weights, row, strict=True)), total) for row in RIGHT
    )
    return {
        "margins": margins,
        "total": total,
        "at_zero": Fraction(sum(m <= 0 for m in margins), 4),
        "at_half": Fraction(sum(m <= Fraction(1, 2) for m in margins), 4),
        "needed": weights[0] + weights[1],
    }


def mean_margin():
    r"""proof: What the mean margin promises

    Vote weights are not negative. Let $\bar m$ be the mean of the margins of $n$ examples. Prove:
    for every $\theta < 1$ the share of margins that are at most $\theta$ is at most
    $\frac{1 - \bar m}{1 - \theta}$. What does it say for $\theta = 0$?

    Solution.

    No margin is above 1, so the numbers $1 - m_i$ are not negative, and their mean is
    $1 - \bar m$. Each example with $m_i \le \theta$ has $1 - m_i \ge 1 - \theta > 0$. If their
    share is $s$, the mean of all $1 - m_i$ is at least $s\, (1 - \theta)$, so
    $s \le \frac{1 - \bar m}{1 - \theta}$. For $\theta = 0$: the training error is at most
    $1 - \bar m$.

    Rubric.

    - 3: $1 - m_i \ge 0$, with the reason
    - 4: the inequality of Markov, or the same argument
    - 2: the condition $\theta < 1$ is used
    - 1: the case $\theta = 0$
    """


def least_and_mean():
    r"""true or false: The least and the others

    True or false, with a reason: "Of two committees of stumps on the same training examples, the
    one with the larger smallest margin has the smaller value of the margin bound, for every
    $\theta$."

    Solution.

    False. For given $n$, family, $\theta$ and $\delta$ the committees differ in the bound only by
    the share of margins that are at most $\theta$. The smallest margin is one point of that curve.
    Let one committee have the margin 0.2 on each of 100 examples, and the other 0.1 on one and
    0.9 on 99: at $\theta = 0.3$ the shares are 1 and $\frac1{100}$, so the one with the larger
    smallest margin has the larger bound.

    Rubric.

    - 2: "false"
    - 4: only the share up to $\theta$ differs
    - 4: two committees (or curves) that show it
    """


def undivided(sums=((2, 14, 120), (4, 20, 150)), least=((0.3, 2.1, 24), (0.2, 3, 30))):
    r"""output: Margins that grow and grow

    A student boosts stumps on two classes and prints, after each of three rounds, the smallest of
    $y_i g_T(x_i)$ over the training examples and the sum of the vote weights:

        round                     10    100   1000
        smallest margin           [[line]]
        sum of the vote weights   [[totals]]

    "The smallest margin grows without end, as the theory says." (a) Which of these numbers cannot be
    margins, and what has been forgotten? (b) Give the smallest margins. (c) Under some weighting of
    the examples every rule has an edge of at most $\gamma$. How large can the smallest margin become,
    however many rounds there are?

    Solution.

    (a) A margin of a vote is at most 1; the scores have not been divided by the sum of the vote
    weights. (b) $[[margins:.3f]]$. (c) At most $2 \gamma$, whatever the number of rounds: under
    a weighting in which every rule has an edge of at most $\gamma$ the mean margin of every
    committee is at most $2 \gamma$, and the smallest is not above the mean.

    Rubric.

    - 3: above 1; not divided
    - 3: the three quotients
    - 4: $2 \gamma$, with the mean under the worst weighting
    """
    return {
        "line": "   ".join(str(value) for value in least),
        "totals": "   ".join(str(value) for value in sums),
        "margins": tuple(value / total for value, total in zip(least, sums, strict=True)),
    }


def fair_comparison():
    r"""design: Bagging or boosting?

    A colleague wants to write: "On our data of 3,000 patients boosting (AdaBoost, 500 trees of
    depth 3, error 0.081) is better than bagging (50 whole trees, error 0.094)." Plan an experiment
    that could support the sentence or a better one. Some labels are known to be doubtful. Say what
    is held equal, what is chosen and how, how often it is repeated, what is counted, and which
    three results would lead to which three sentences. At most one page.

    Solution.

    A good answer has these parts. *Held equal*: the same base learner, the same number of members,
    the same splits; then each method with settings of its own, chosen by the same search with the
    same effort, inside the training part. *Splits*: by patient, twenty or more; both methods on
    each, differences taken split by split; how often each is better, mean difference, spread.
    *Doubtful labels*: the test labels are checked by hand, or the comparison is made on those that
    are sure; besides, flip 0, 5, 10 and 20 % of the training labels and repeat, for the order of
    the two is known to depend on it. *Sentences*: better in nearly all splits at every level:
    "boosting errs less here"; better without flips and worse with many: "boosting as long as the
    labels are right", with the level at which they cross; neither in most splits: "no difference
    could be found with 3,000 patients", with how large one would have been noticed.

    Rubric.

    - 3: the same learner, numbers, splits; equal effort of tuning
    - 3: pairs of results over many splits, counted, with a spread
    - 2: labels: honest test labels, and a study with flips
    - 2: three results with the sentences that they allow
    """
