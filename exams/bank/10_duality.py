"""Chapter 10, Duality and the soft margin."""

from fractions import Fraction


def nearest_point(c=(5, 10, 15), a=(1, 2, 3)):
    r"""computation: The nearest point of a half-plane

    Minimise $f(u, v) = \frac12 (u^2 + v^2)$ such that $u + [[a]] v \ge [[c]]$. (a) Write the
    constraint as $g \le 0$, give the Lagrangian and its lowest point for a multiplier
    $\alpha \ge 0$, and the dual function. (b) Solve the dual; give the solution $(u, v)$ and both
    values. (c) Somebody has the point $([[c]], 0)$ and the multiplier $\frac{\alpha^*}2$. Between
    which numbers is the least value, judged by this pair alone?

    Solution.

    (a) $g = [[c]] - u - [[a]] v$. $L = \frac12 (u^2 + v^2) + \alpha\, ([[c]] - u - [[a]] v)$ is
    lowest at $(u, v) = (\alpha, [[a]] \alpha)$, so
    $D(\alpha) = [[c]]\, \alpha - \frac{[[norm]]}2\, \alpha^2$. (b) $\alpha^* = [[alpha]]$, the point
    is $([[u]], [[v]])$, and $D = f = [[value]]$. (c) The point is feasible, with $f = [[above]]$;
    $D(\frac{\alpha^*}2) = [[below]]$. So the least value is between $[[below]]$ and $[[above]]$.

    Rubric.

    - 4: Lagrangian, lowest point, dual function
    - 3: multiplier, point, equal values
    - 3: the point is feasible; both bounds
    """
    norm = 1 + a * a
    alpha = Fraction(c, norm)
    return {
        "norm": norm,
        "alpha": alpha,
        "u": alpha,
        "v": a * alpha,
        "value": c * alpha / 2,
        "above": Fraction(c * c, 2),
        "below": c * alpha / 2 - norm * (alpha / 2) ** 2 / 2,
    }


def price():
    r"""proof: A multiplier is a price

    Let $p^*(u)$ be the greatest lower bound of $f(w)$ over all $w$ with $g(w) \le u$. For $u = 0$
    let strong duality hold, with the multiplier $\alpha^*$. Prove, without derivatives or
    convexity: $p^*(u) \ge p^*(0) - \alpha^* u$ for every real $u$. What does it say about a
    constraint that is loosened ($u > 0$), and about one with $\alpha^* = 0$?

    Solution.

    Strong duality says $f(w) + \alpha^* g(w) \ge D(\alpha^*) = p^*(0)$ for *all* $w$. If
    $g(w) \le u$, then $\alpha^* g(w) \le \alpha^* u$, because $\alpha^* \ge 0$; so
    $f(w) \ge p^*(0) - \alpha^* u$. This holds for all $w$ that are allowed, hence for the greatest
    lower bound. (If none is allowed, $p^*(u) = \infty$.) Loosening by $u$ gains at most
    $\alpha^* u$: the multiplier is the highest price that is worth paying for a unit. With
    $\alpha^* = 0$ loosening gains nothing.

    Rubric.

    - 4: the inequality for all $w$, from strong duality
    - 3: the sign of the multiplier is used
    - 3: both readings
    """


def twice_the_multipliers():
    r"""true or false: Twice the multipliers

    True or false, with a reason: "Let $\alpha^*$ solve the dual of the hard-margin problem for
    separable data with both classes. Then $2 \alpha^*$ is feasible for this dual, and its value
    there is 0."

    Solution.

    True. Signs and the equation $\sum_i \alpha_i y_i = 0$ survive the factor 2, and there is no
    upper limit. With $S = \sum_i \alpha_i^*$ the value is $2 S - \frac12 \cdot 4\, \lVert w
    \rVert^2 = 2 S - 2 \lVert w \rVert^2$, where $w = \sum_i \alpha_i^* y_i x_i$. At the solution
    $\frac12 \lVert w \rVert^2 = D = S - \frac12 \lVert w \rVert^2$, so $S = \lVert w \rVert^2$,
    and the value is 0: on the ray through $\alpha^*$ the dual is a parabola with its top at
    $\alpha^*$, zero at both ends.

    Rubric.

    - 2: "true"
    - 2: feasible, with both conditions
    - 3: the value in terms of the sum and the length
    - 3: the sum of the multipliers is the squared length
    """


TABLE = ((0, 14), (0, 10), (None, 10), (20, 3), (20, 10))  # tenths; the third makes the equation hold


def who_is_wrong(
    wrong=(
        ((20, 12), (5, 9), (0, 8)),
        ((20, 11), (10, 8), (0, 7)),
        ((20, 13), (5, 12), (0, 9)),
    ),
):
    r"""output: Who contradicts?

    A program for the soft margin with $C = 2$ prints for eight examples $\alpha_i$ and
    $m_i = y_i f(x_i)$. It has made sure that $w = \sum_i \alpha_i y_i x_i$ and
    $\sum_i \alpha_i y_i = 0$.

        i      1    2    3    4    5    6    7    8
        alpha  [[alphas]]
        m      [[margins]]

    (a) Which examples contradict that this is the solution, and why? (b) How large is the gap
    $P - D$? (c) Which of the examples are certainly support vectors, and which of them stand on the
    wrong side of the line? (d) The program says "finished". What could it have printed to show
    that it was not?

    Solution.

    (a) Numbers 6, 7 and 8. A multiplier that is not zero asks for $m \le 1$, one below $C$ for
    $m \ge 1$. Number 6 has $\alpha = C$ and $m > 1$; number 8 has $\alpha = 0$ and $m < 1$; number
    7 is between the limits with $m \ne 1$. (Numbers 2 and 5 are allowed: on the edge every value
    is.) (b) Only these three contribute: $(C - \alpha_i)(1 - m_i)_+ + \alpha_i (m_i - 1)_+$ is
    $[[terms:.2f]]$, together $[[gap:.2f]]$. (c) Those with $\alpha_i > 0$: 3, 4, 5, 6, 7. None is
    on the wrong side, since all $m_i$ are positive. (d) The gap.

    Rubric.

    - 3: the three, with the condition that each breaks
    - 4: the contributions and their sum
    - 2: support vectors; none on the wrong side
    - 1: the gap
    """
    third = 20 - wrong[1][0]
    rows = [((third if alpha is None else alpha) / 10, m / 10) for alpha, m in TABLE + wrong]
    terms = tuple((2 - a) * max(0, 1 - m) + a * max(0, m - 1) for a, m in rows[5:])
    return {
        "alphas": "  ".join(f"{a:.1f}" for a, _ in rows),
        "margins": "  ".join(f"{m:.1f}" for _, m in rows),
        "terms": terms,
        "gap": sum(terms),
    }


def rare_disease():
    r"""design: A rare disease

    From 300 blood samples, 40 of them of patients, with 120 proteins each (some below what can be
    measured, and therefore missing), a support vector machine shall recognise a disease. Plan it:
    preparation, kernel, $C$, the unequal classes, how the error is estimated with so few patients,
    what is reported beside it, and what a doctor may be told about a single new sample. At most one
    page.

    Solution.

    A good answer has these parts. *Preparation*, learned inside each training part: missing means
    small here, so fill with half the limit of detection and mark it, not with the median;
    logarithms; standardise. *Kernel*: linear first (120 coordinates, 300 samples: a line will
    usually separate, so the training error says nothing); Gaussian as a rival. *Classes*:
    `class_weight`, or limits $C_i$ in the ratio of the costs. *Choice*: $C$ from 0.001 to 100 by
    powers of ten, by stratified cross-validation. *Error*: nested: an outer cross-validation,
    repeated, whose test parts take no part in choosing; samples of one patient stay together.
    Report sensitivity and specificity with the spread, the number of patients on which they rest,
    the rule that says "healthy" to all, and a logistic regression. *A single sample*: the score is
    no probability; calibrate on left-out scores, or say only on which side and how far, compared
    with the patients seen.

    Rubric.

    - 2: preparation inside the folds; missing is informative
    - 2: kernel and range of $C$; a perfect training score means nothing
    - 2: unequal classes and costs
    - 3: nested validation, both error rates, a baseline
    - 1: a score is no probability
    """
