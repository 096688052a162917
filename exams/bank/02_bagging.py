"""Chapter 02, Bagging."""

from fractions import Fraction

REPLICATES = ((1, 1, 2, 4), (2, 3, 3, 4), (1, 2, 2, 3))


def judged_by_strangers(
    y=((2, 7, 4, 9), (3, 5, 9, 1), (8, 2, 6, 10), (1, 6, 3, 12)),
):
    r"""computation: Judged by the members that have not seen them

    The four examples of a data set have $y = [[y]]$. A learner ignores $x$ and answers with the
    mean of the $y$ that it is given, repetitions included. Three replicates are drawn, as
    numbers of examples: $1, 1, 2, 4$; $2, 3, 3, 4$; $1, 2, 2, 3$. (a) What do the three members
    answer, what does the bag, and what does the learner alone? (b) Compute the out-of-bag error
    (squared). Which example does not enter, and why?

    Solution.

    (a) The members answer $[[members]]$, their mean is $[[bag]]$; the learner alone answers
    $[[alone]]$. (b) Example 1 was left out by the second member, example 3 by the first,
    example 4 by the third: the squared errors are $[[squares]]$, their mean is $[[oob]]$.
    Example 2 is in every replicate, so nobody can judge it.

    Rubric.

    - 3: the members, with repetitions
    - 1: the bag, the mean of the members
    - 1: the learner alone
    - 4: the three examples, each with the right judge, and the mean over three
    - 1: example 2 has no judge
    """
    members = tuple(Fraction(sum(y[i - 1] for i in rows), 4) for rows in REPLICATES)
    squares = tuple((y[i] - members[j]) ** 2 for i, j in [(0, 1), (2, 0), (3, 2)])
    return {
        "members": members,
        "bag": sum(members) / 3,
        "alone": Fraction(sum(y), 4),
        "squares": squares,
        "oob": sum(squares) / 3,
    }


def equal_weights():
    r"""proof: Should some members count for more?

    Members $h_1, \dots, h_B$ have the same variance $s^2$, and any two the correlation
    $\rho < 1$. They are averaged with weights $a_b$ that sum to 1. Find the variance of
    $\sum_b a_b h_b$, and prove that equal weights, and no others, make it least.

    Solution.

    The variance is $\sum_b a_b^2 s^2 + \sum_{b \ne c} a_b a_c\, \rho s^2$. As
    $\sum_{b \ne c} a_b a_c = (\sum_b a_b)^2 - \sum_b a_b^2 = 1 - \sum_b a_b^2$, it is
    $\rho s^2 + (1 - \rho)\, s^2 \sum_b a_b^2$. Since $1 - \rho > 0$, it is least where
    $\sum_b a_b^2$ is. And $\sum_b (a_b - \frac1B)^2 = \sum_b a_b^2 - \frac1B$, so
    $\sum_b a_b^2 \ge \frac1B$, with equality if and only if all $a_b = \frac1B$.

    Rubric.

    - 4: the variance, both kinds of terms
    - 2: the mixed terms expressed by the sum of squares
    - 4: the sum of squares is least for equal weights, and only there
    """


def agreement():
    r"""true or false: They all agree

    True or false, with a reason: "At a point $x$ all 500 members of a bag give nearly the same
    answer. So the bag's answer at $x$ would hardly change with another data set of the same
    size."

    Solution.

    False. The spread of the members around their mean estimates $(1 - \rho)\, s^2$, the part of
    the variance that comes from drawing replicates. The part $\rho s^2$, how the mean itself
    varies from data set to data set, cannot be seen in one data set: all members share it. It
    may be large although the members agree, for instance where one example that is in most
    replicates decides the answer.

    Rubric.

    - 2: "false"
    - 4: the spread shows only the part that bagging removes
    - 4: the part that is shared, and why one data set cannot show it
    """


def no_replicates():
    r"""output: Fifty members

    A student bags whole trees with a program of his own, on 1,000 examples that all differ, and
    prints

        share of distinct examples in a replicate   1.00
        examples with an out-of-bag answer          0
        largest disagreement of two members         0.00
        error on new examples: bag, one tree        0.27  0.27

    The trees are grown without any chance of their own. (a) How does the program draw?
    (b) Explain all four lines by it. (c) What should the first two lines be?

    Solution.

    (a) Without replacement: each "replicate" is all examples in another order (a permutation).
    (b) Every example is in it, so the share is 1 and none is left out; a tree does not depend on
    the order of its examples, so all members are one tree: no disagreement, $\rho = 1$, and the
    mean of equal trees is that tree. (c) About $1 - \frac1e = 0.63$, and practically all 1,000:
    an example escapes being left out by 50 members with probability $0.63^{50}$.

    Rubric.

    - 3: drawn without replacement
    - 4: each of the four lines explained, one point each
    - 3: 0.63, and all examples, with the reason
    """


def river_level():
    r"""design: The level of a river tomorrow

    Thirty gauges on ten rivers have given the level of the water each hour for six years. You
    are to predict the level at a gauge 24 hours ahead, from levels and rain at this gauge and at
    those upstream, and you have been told to bag regression trees. Plan it: what is an example,
    how you estimate the error at these gauges next year and at a *new* gauge on a new river,
    how many members, and how you find out whether bagging pays. At most one page.

    Solution.

    A good answer has these parts. Examples an hour apart are relatives: the out-of-bag error
    judges an hour by trees that have seen its neighbours, so it is far too low. *Next year*:
    leave out whole years, train on the earlier ones. *A new gauge*: leave out all gauges of a
    river. Report both, for they answer different questions. *Members*: 50 to 200, until the
    error on the part left out is flat; nothing is tuned by it. The size of the leaves is tuned,
    inside the training years. Replicates may be drawn by blocks (weeks, rivers), so that
    members differ more. *Does it pay?* Compare the bag with the learner alone, each on the same
    parts left out, not with a member; count in how many years (rivers) it is better. A
    baseline: tomorrow's level is today's. Floods are rare and matter: report the error on high
    levels apart.

    Rubric.

    - 3: out of bag fails here, and why
    - 3: two questions, two ways of leaving out
    - 2: bag against the learner alone, on the same parts, with a count or a spread
    - 1: the number of members is not tuned, something else is
    - 1: a baseline
    """
