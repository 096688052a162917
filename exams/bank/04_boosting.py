"""Chapter 04, Boosting (AdaBoost)."""

from fractions import Fraction
from math import exp, log, sqrt


def two_rounds(n=(12, 16, 20), k=(2, 3), j=(1, 2, 3)):
    r"""computation: Two rounds with fractions

    AdaBoost starts with $[[n]]$ examples of equal weight. The first rule errs on $[[k]]$ of
    them. The second rule errs on $[[j]]$ examples, all of which the first rule got right.
    (a) What are the weights in $D_2$ of the examples that the first rule got wrong, and of those
    that it got right? (b) What is $\varepsilon_2$? (c) On which examples does the vote of the
    two rules err? (d) What does the theorem on the training error promise after these two
    rounds (as a number), and is it kept?

    Solution.

    (a) The wrong ones share one half, $[[wrong]]$ each; the right ones the other half,
    $[[right]]$ each. (b) $\varepsilon_2 = [[j]] \cdot [[right]] = [[epsilon]]$. (c)
    $\varepsilon_1 = [[first]] > \varepsilon_2$, so $\alpha_2 > \alpha_1$ ($[[alpha_2:.3f]]$
    against $[[alpha_1:.3f]]$): the second rule decides wherever they disagree, and the vote errs
    on its $[[j]]$ examples. (d) $\prod_t 2 \sqrt{\varepsilon_t (1 - \varepsilon_t)} =
    [[bound:.3f]]$; the training error is $[[error]]$, about $[[error:.3f]]$, which is less.

    Rubric.

    - 3: both weights, by the two halves or by exponentials
    - 2: the weighted error of the second rule
    - 3: the larger vote weight decides; the examples
    - 2: the product, and the comparison
    """
    first, right = Fraction(k, n), Fraction(1, 2 * (n - k))
    epsilon = j * right
    alpha_1, alpha_2 = (0.5 * log((1 - e) / e) for e in (first, epsilon))
    bound = 4 * sqrt(first * (1 - first) * epsilon * (1 - epsilon))
    return {
        "wrong": Fraction(1, 2 * k),
        "right": right,
        "first": first,
        "epsilon": epsilon,
        "alpha_1": alpha_1,
        "alpha_2": alpha_2,
        "bound": bound,
        "error": Fraction(j, n),
    }


def any_step():
    r"""proof: Any step that is not too long

    Let a rule have weighted error $0 < \varepsilon < \frac12$ under $D$, and
    $Z(\alpha) = \sum_i D(i)\, e^{-\alpha y_i h(x_i)}$, with the best vote weight
    $\alpha^* = \frac12 \ln \frac{1 - \varepsilon}{\varepsilon}$. Prove that $Z(\alpha) < 1$ if and
    only if $0 < \alpha < 2 \alpha^*$. What does this say about AdaBoost with a learning rate
    between 0 and 2?

    Solution.

    $Z(\alpha) = (1 - \varepsilon)\, e^{-\alpha} + \varepsilon\, e^{\alpha}$. So $Z(0) = 1$; and
    $e^{2 \alpha^*} = \frac{1 - \varepsilon}{\varepsilon}$ gives
    $Z(2 \alpha^*) = \varepsilon + (1 - \varepsilon) = 1$. The second derivative of $Z$ is $Z$
    itself, which is positive, so $Z$ is strictly convex: below 1 strictly between its two points
    of height 1, and above 1 outside them. A learning rate $\eta$ between 0 and 2 makes the step
    $\eta \alpha^*$: every factor $Z_t$ stays below 1, so the bound on the training error falls in
    each round, only more slowly than with $\eta = 1$.

    Rubric.

    - 2: $Z$ in terms of $\varepsilon$
    - 3: both points of height 1
    - 3: strict convexity, and what follows on both sides
    - 2: the learning rate
    """


def one_more_rule():
    r"""true or false: One more rule

    True or false, with a reason: "In a round whose rule has an edge the training error of the
    committee cannot rise."

    Solution.

    False. What cannot rise is the *bound*: it is multiplied by $Z_t < 1$. The error itself may
    rise. Let 100 examples have equal weight, the first rule err on 40 ($\varepsilon_1 = 0.4$),
    and the second on 45 of the 60 others: each of these weighs $\frac1{120}$ in $D_2$, so
    $\varepsilon_2 = \frac{45}{120} = 0.375 < \frac12$. As $\varepsilon_2 < \varepsilon_1$, the
    second rule has the larger vote and decides alone: the training error goes from 0.40 to 0.45.

    Rubric.

    - 2: "false"
    - 4: bound and error are told apart
    - 4: an example, or a convincing account of how one can arise
    """


def ignored_weights(epsilon=(Fraction(1, 5), Fraction(1, 4), Fraction(3, 10))):
    r"""output: Nothing happens after round 1

    A colleague boosts a learner of her own. The program prints

        round   weighted error   alpha   training error
        1       [[epsilon:.3f]]            [[alpha:.3f]]   [[epsilon:.3f]]
        2       0.500            0.000   [[epsilon:.3f]]
        3       0.500            0.000   [[epsilon:.3f]]

    and so on for ever. She has checked that the weights are updated correctly. (a) What does the
    learner do wrong? (b) Explain the second line by a proposition, and the third by the second.
    (c) What is the weight in round 2 of all examples together that the rule gets wrong? (d) Her
    learner cannot be changed. How can it be boosted all the same?

    Solution.

    (a) It ignores the weights: it returns the same rule in each round. (b) After round 1 its
    rule has weighted error exactly $\frac12$ under the new weights. Then $\alpha_2 = 0$, all
    factors are $e^0 = 1$, the weights stay, and everything repeats; the score is
    $\alpha_1 h_1$ in all rounds. (c) $[[half:.1f]]$ (before the update it was $[[epsilon]]$).
    (d) Draw for each round a sample of the examples with probabilities $D_t$, and train on the
    sample.

    Rubric.

    - 3: the learner ignores the weights
    - 4: error one half; vote weight zero; nothing changes any more
    - 1: one half
    - 2: resampling
    """
    alpha = 0.5 * log((1 - epsilon) / epsilon)
    wrong, right = epsilon * exp(alpha), (1 - epsilon) * exp(-alpha)
    return {"alpha": alpha, "half": wrong / (wrong + right)}


def pump():
    r"""design: A chip in a pump

    A chip in a pump shall report a beginning fault from 24 measurements a second. It can store
    300 numbers and compare and add, nothing else. There are 40,000 labelled seconds of 80
    pumps; 2 in 100 are faults, and a technician says that one label in twenty is wrong. Plan a
    boosted classifier: weak rule, number of rounds, what you choose on which data, how faults
    are not drowned, what the wrong labels call for, and one result that would make you give up
    boosting. At most one page.

    Solution.

    A good answer has these parts. *Weak rule*: a stump; it needs a column, a threshold and a
    vote, three numbers, so at most about 100 rounds fit. Only comparisons and additions are
    needed. *Data*: split by pump, since seconds of a pump are relatives; choose rounds and
    learning rate on pumps that are left out, test on others, once. One fit gives all stages.
    *Rare faults*: the vote at threshold zero may never say fault; choose the threshold by cost
    on the pumps left out, report recall and false alarms a day. *Wrong labels*: boosting gives
    weight to them; small steps and few rounds, chosen by validation; look at the smallest
    margins by hand and correct; judge on labels that were checked. *Give up*: if a simple
    threshold on one measurement, or logistic regression with 25 numbers, does as well on the
    pumps left out; or if stumps have no edge because faults show in combinations only, and
    deeper trees do not fit on the chip.

    Rubric.

    - 2: a rule that fits, and the number of rounds that follows
    - 3: split by pump; choice and test apart
    - 2: rare faults: threshold by cost, not accuracy
    - 2: wrong labels: small steps, early stopping, margins looked at
    - 1: a rival or a failure that would end it
    """
