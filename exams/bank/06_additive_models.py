"""Chapter 06, Gradient boosting."""

from fractions import Fraction


def medians(y=((1, 2, 4, 8, 9, 40), (0, 3, 4, 6, 10, 50), (2, 3, 6, 12, 13, 60))):
    r"""computation: A round for the absolute error

    At $x = 1, \dots, 6$ the labels are $[[y]]$. Gradient boosting with the loss $|y - F(x)|$,
    stumps and $\eta = \frac12$ starts with $F_0$, the mean of the two middle labels. (a) Give
    $F_0$ and the negative gradients $g_i$. (b) Which cut does the least-squares stump make? Which
    value does each leaf get, if it shall lower the loss of its examples most? (c) Give $F_1$.
    (d) The last label is replaced by $1000$. What changes in $F_1$? How far does the start of
    gradient boosting with the *squared* error move?

    Solution.

    (a) $F_0 = [[start]]$; $g = (-1, -1, -1, 1, 1, 1)$, the signs of the residuals. (b) It cuts in
    the middle, where it fits the $g_i$ exactly; the leaves get the medians of their residuals,
    $[[left]]$ and $[[right]]$. (c) $[[low]]$ on the left, $[[high]]$ on the right. (d) Nothing:
    signs and medians stay. The mean of the labels moves by $[[moved]]$.

    Rubric.

    - 3: start and signs
    - 3: the cut; medians, not means, of the residuals
    - 2: both values, with $\eta$
    - 2: nothing moves; the mean does
    """
    start = Fraction(y[2] + y[3], 2)
    left, right = y[1] - start, y[4] - start
    return {
        "start": start,
        "left": left,
        "right": right,
        "low": start + left / 2,
        "high": start + right / 2,
        "moved": Fraction(1000 - y[5], 6),
    }


def line_search():
    r"""proof: Used up, for any loss

    Let $\phi$ be differentiable and strictly decreasing, and let $h$ be a rule with values
    $\pm 1$. The step $\alpha$ minimises $\sum_i \phi\bigl(y_i (F(x_i) + \alpha h(x_i))\bigr)$ over
    all real numbers. Prove: if the examples are weighted in proportion to $-\phi'$ at their *new*
    margins, $h$ has weighted error exactly $\frac12$. Which proposition on AdaBoost is the case
    $\phi(m) = e^{-m}$?

    Solution.

    Let $m_i$ be the margins after the step and $w_i = -\phi'(m_i)$; as $h^2 = 1$, the
    derivative of the sum with respect to $\alpha$ is $\sum_i \phi'(m_i)\, y_i h(x_i) =
    -\sum_i w_i\, y_i h(x_i)$. At a minimum over all real numbers it is zero. The product
    $y_i h(x_i)$ is $+1$ where $h$ is right and $-1$ where it is wrong, so the right examples weigh
    as much as the wrong ones, one half each of the total (which is positive, or every weight is
    zero and there is nothing to distribute). With $\phi(m) = e^{-m}$ it says that a rule is used
    up after its round.

    Rubric.

    - 3: the derivative, with the chain rule
    - 2: zero at the minimum
    - 4: right and wrong weigh the same
    - 1: the proposition that a rule is used up
    """


def logistic_ratio():
    r"""true or false: Nobody weighs more than twice

    True or false, with a reason: "With the logistic loss $\ln (1 + e^{-m})$ no example ever weighs
    more than twice as much as another one."

    Solution.

    False. The weight is $1 / (1 + e^m)$. It is at most 1, and at margin 0 it is $\frac12$, so no
    example weighs more than twice as much as one *at margin 0*. But for large margins the weight
    goes to zero: an example with margin 0 weighs $\frac12 (1 + e^5)$, about 75 times as much as
    one with margin 5. What is bounded is the weight that a hopeless example can gather.

    Rubric.

    - 2: "false"
    - 3: the weight as a function of the margin
    - 3: two margins with a larger ratio
    - 2: what is true: at most 1, at most twice that of margin 0
    """


def stopped_early():
    r"""output: Finished after three rounds

    `HistGradientBoostingClassifier(learning_rate=0.001, max_iter=5000, early_stopping=True,`
    `n_iter_no_change=3, tol=0.001)` on 20,000 rows, two equally frequent classes:

        round   validation log loss
            0   0.6931
            1   0.6929
            2   0.6927
            3   0.6925
        stopped after 3 rounds; error on the test part 0.24

    With `learning_rate=0.1` it makes 140 rounds; log loss 0.31, error 0.12. "A small step is worse
    for this table." (a) Where does 0.6931 come from? (b) Why did the first run stop, although the
    loss fell in every round? (c) Change two settings so that small steps get a fair trial, with
    reasons. (d) About how many rounds would you expect then? Why is the error of the first run
    not one half, although its log loss is nearly that of a coin?

    Solution.

    (a) $\ln 2$: before the first tree every example gets the probability $\frac12$. (b) It stops
    unless the loss has fallen by more than `tol` within three rounds. A step of a thousandth lowers
    it by 0.0002 a round, 0.0006 in three: progress, but too small to count. (c) `tol` near 0 (its default
    is $10^{-7}$), and more patience, for instance 200 rounds: a small step needs as much more
    patience as it is smaller. `max_iter` has to grow, too. (d) A hundredth of the step: about a
    hundred times as many rounds, some 14,000. The probabilities have hardly left $\frac12$, but on
    the right side for three quarters of the examples: the error looks only at the side.

    Rubric.

    - 2: $\ln 2$ and its meaning
    - 3: the tolerance against the size of the step
    - 3: two settings, with reasons
    - 2: about a hundred times; side and distance are told apart
    """


def used_cars():
    r"""design: Prices of used cars

    From 60,000 advertisements of four years (age, kilometres, power, make, model, equipment as a
    list of words, gaps everywhere) you are to predict at which price a car will be sold this
    month. Some prices are typed wrongly, by a factor of ten or a hundred. Plan a gradient
    boosting machine: target and loss, trees, step, rounds, handling of gaps and of the 900
    models, how it is validated, and what you report beside the error. At most one page.

    Solution.

    A good answer has these parts. *Target*: the logarithm of the price, since errors are in per
    cent; *loss*: the absolute error or Huber, whose pull is bounded, so that a price that is wrong
    by a factor of a hundred pulls no harder than any other; gross cases are looked at by hand.
    *Trees*: small, 8 to 31 leaves; step .05 to .1; rounds by early stopping with patience.
    `HistGradientBoosting` takes gaps and categories as they are; 900 models are more than 255
    categories, so rare ones are joined. *Validation*: by time; train on the first three years,
    stop and choose on the following months, test on the last ones; the advertisements of one car
    stay together. *Report*: median and quartiles of the error in per cent, per make and age; the
    rivals: the median price of the model and age, and a linear model of the logarithm. The test
    has wrong prices, too: judge by the median, and say so.

    Rubric.

    - 3: a loss whose pull is bounded, with the reason; the logarithm or another scale
    - 2: size, step, rounds, stopping
    - 2: gaps and many categories
    - 2: validation by time, relatives together
    - 1: a rival, and a measure that gross errors do not rule
    """
