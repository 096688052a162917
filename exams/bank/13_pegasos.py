"""Chapter 13, Pegasos and linear machines."""

from fractions import Fraction
from math import sqrt


def translate(n=(2000, 5000, 20000), lam=(1e-2, 1e-3), gap=(0.5, 2)):
    r"""computation: From one objective to the other

    A linear machine without bias has $n = [[n]]$ training examples, all of length at most 1, and
    $\lambda = [[lam]]$. (a) Which $C$ gives the same machine? (b) What are the values of $F$ and of
    $P_C$ at $w = 0$? (c) How long can the solution be at most, by both bounds of the chapter?
    (d) A solver stops with a gap of $[[gap]]$ in $P_C$. How large is its gap in $F$, and how far can
    its $w$ be from the solution? (e) All training examples are used twice, $\lambda$ stays. Which
    $C$ gives the same machine now?

    Solution.

    (a) $C = \frac1{n \lambda} = [[C]]$. (b) Each hinge is 1: $F(0) = 1$, and
    $P_C(0) = \frac1\lambda F(0) = [[P]]$. (c) $\frac1{\sqrt\lambda} = [[first:.1f]]$ and
    $\frac R\lambda = [[second:.0f]]$; the first is smaller. (d) In $F$ it is
    $\lambda \cdot [[gap]] = [[in_F:.4f]]$. From
    $\frac\lambda2 \lVert w - w^* \rVert^2 \le F(w) - F(w^*)$: at most
    $\sqrt{2 \cdot [[gap]]} = [[far:.2f]]$. (e) $\frac1{2 n \lambda} = [[half]]$.

    Rubric.

    - 2: $C$, with $n$
    - 2: both values at zero
    - 2: both bounds
    - 3: the gap in $F$, and strong convexity
    - 1: half of $C$
    """
    exact = Fraction(str(lam))
    C = 1 / (n * exact)
    return {
        "C": C,
        "P": 1 / exact,
        "first": 1 / sqrt(lam),
        "second": 1 / lam,
        "in_F": lam * gap,
        "far": sqrt(2 * gap),
        "half": C / 2,
    }


def easy_example():
    r"""proof: One more easy example

    Let $w^*$ minimise $P_C(w) = \frac12 \lVert w \rVert^2 + C \sum_{i=1}^n (1 - y_i\, w \cdot
    x_i)_+$. A new example $(x, y)$ with $y\, w^* \cdot x \ge 1$ is added. Prove: with the same $C$
    the solution stays. With the same $\lambda$ it need not: what is the new machine, in terms of
    $C$?

    Solution.

    Let $P'$ be the objective with the new example. For every $w$ we have $P'(w) \ge P_C(w)$, as the
    new loss is not negative, and $P_C(w) \ge P_C(w^*)$. At $w^*$ the new loss is zero, so
    $P'(w^*) = P_C(w^*) \le P'(w)$: $w^*$ is a minimiser, and the only one, since the objective is
    strictly convex. With the same $\lambda$ there are $n + 1$ examples, which is
    $C' = \frac1{(n + 1) \lambda} = \frac n{n + 1} C$: the machine for a slightly smaller $C$, shorter
    or as long as before.

    Rubric.

    - 5: the chain of inequalities, with the zero loss at $w^*$
    - 1: unique, with a reason
    - 4: $C'$, and what a smaller $C$ does
    """


def mean_of_weights():
    r"""true or false: The mean of the weights

    True or false, with a reason: "The mean $\bar w$ of weight vectors $w_1, \dots, w_T$ has a mean
    hinge loss that is at most the mean of theirs, and a share of mistakes that is at most the mean
    of theirs."

    Solution.

    The first half is true, the second false. The hinge loss is a convex function of $w$, so at a
    mean it is at most the mean of its values. The number of mistakes is not convex: let one example
    have the margins $1, 1, -10$ under three weight vectors. Only one of three is wrong, but the mean
    margin is $-\frac83$, so $\bar w$ is wrong: 1 against $\frac13$. (The theorem on Pegasos speaks of
    the objective, for which averaging is safe.)

    Rubric.

    - 2: true and false, in this order
    - 4: convexity of the hinge
    - 4: an example for the mistakes
    """


def two_programs(alpha=(1e-3, 1e-4), n=(1000, 4000)):
    r"""output: Two programs for one machine

    Trained on the same $[[n]]$ examples, which are *not* centred:

        model                                       length of w   intercept
        SGDClassifier(loss="hinge", alpha=[[alpha]])    4.1          -14.4
        LinearSVC(C=[[C:g]])                              3.2           -4.7

    "The same $C$, so one of the two has a bug." (a) Check that the two knobs agree. (b) Name two
    differences of the two problems that remain, both of them defaults of `LinearSVC`. (c) Which of
    them explains the intercepts? Give two remedies. (d) How would you check that neither has a bug?

    Solution.

    (a) $C = \frac1{n \alpha} = [[C:g]]$: they agree. (b) `LinearSVC` charges the *squared* hinge,
    and it appends a constant to each example, so that the intercept is penalised like a weight;
    `SGDClassifier` keeps it free. (c) The second: a large intercept costs, the more so as the data
    are far from the origin. Centre the columns, or give a large `intercept_scaling`. (d) Make the
    problems equal (`loss="hinge"`, centred columns or a large scaling, many epochs), and compare the
    *objective* of both at both solutions; SGD should come within a small amount of the other one.

    Rubric.

    - 2: the knobs, with $n$
    - 3: squared hinge, penalised intercept
    - 3: the intercept, two remedies
    - 2: a check on equal problems, by the objective
    """
    return {"C": 1 / (n * alpha)}


def clicks():
    r"""design: A hundred million clicks

    A hundred million lines say who was shown which of 50,000 advertisements and whether he clicked;
    3 in 1,000 did. Ten columns, all of them categories, some with millions of values. One machine,
    16 GB, two hours each night; the model is used for the next day. Plan a linear machine trained by
    stochastic gradient descent: features, loss, step size and $\lambda$, order, number of passes,
    rare clicks, what is measured on which data, and what you would look at to decide whether a second
    pass or a second machine is worth its money. At most one page.

    Solution.

    A good answer has these parts. *Features*: hashed one-hot columns, some pairs of columns; the rows
    are sparse and of equal length. *Loss*: logistic, for probabilities are needed (who pays how much);
    the hinge would only rank. *Steps*: from a grid on the first part of a day; $1 / (\lambda t)$ is
    too wild at the start for tiny $\lambda$; average over the second half. $\lambda$ from $10^{-9}$ to
    $10^{-5}$ by powers of ten. *Order*: the file is sorted by time or by advertisement: shuffle in
    large blocks; within a pass each line once. *Rare clicks*: keep all clicks and a tenth of the
    others, and correct the intercept by the logarithm of the rate. *Measure*: log loss and
    calibration on the *next* day, beside the mean rate of each advertisement; $\lambda$ chosen on one
    day, reported on another. *Is more worth it?* Compare half a pass, one, two on the next day: if the
    optimisation error is below what another day's data change (estimation, and drift), more passes
    polish yesterday; then more recent data are worth more than a second machine.

    Rubric.

    - 2: hashed features, sparse
    - 2: steps, average, order
    - 2: rare clicks, with the correction
    - 2: choice and report on different later days, with a baseline
    - 2: optimisation error against estimation error, by an experiment
    """
