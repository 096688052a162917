"""Chapter 15, Support vector regression."""

from fractions import Fraction

U = (4, 3, 0, 2, 1)


def read_the_multipliers(
    C=(1, 2),
    t=(Fraction(1, 4), Fraction(1, 2), Fraction(3, 4)),
    epsilon=(Fraction(1, 2), Fraction(1)),
    b=(0, 1, 2),
):
    r"""computation: Read the multipliers

    Support vector regression with a linear kernel, $C = [[C]]$ and $\varepsilon = [[epsilon]]$, has
    been trained on five examples; the solution is $w = [[w]]$, $b = [[b]]$.

    | $u$ | 4 | 3 | 0 | 2 | 1 |
    |---|---|---|---|---|---|
    | $y$ | $[[y1]]$ | $[[y2]]$ | $[[y3]]$ | $[[y4]]$ | $[[y5]]$ |

    (a) Compute the residuals, and say where each example lies. (b) Find all $a_i$ and $\hat a_i$.
    (c) Prove by $P = D$ that the solution is optimal. (d) The first $y$ is raised by 100. What
    becomes of $w$?

    Solution.

    (a) $[[residuals]]$: above, on the upper edge, inside, on the lower edge, below. (b) Above:
    $a_1 = C = [[C]]$; below: $\hat a_5 = [[C]]$; inside: both zero. On the edges let $a_2 = t$ and
    $\hat a_4 = s$. The coefficients sum to zero: $C + t - s - C = 0$, so $s = t$. And
    $w = \sum_i (a_i - \hat a_i)\, u_i = 3 C + t$, so $t = [[t]]$. All others are zero. (c)
    $P = \frac12 w^2 + C \sum_i E_\varepsilon(r_i) = [[P]]$, and
    $D = \sum_i (a_i - \hat a_i)\, y_i - \varepsilon \sum_i (a_i + \hat a_i) - \frac12 w^2 = [[D]]$:
    equal, so both are optimal. (d) It stays: the example is above the tube already, and only the side
    counts.

    Rubric.

    - 2: residuals and places
    - 4: those at $C$ and zero; the two on the edges from the sum and from $w$
    - 3: both values
    - 1: the same $w$
    """
    w = 3 * C + t
    residuals = (2 * epsilon, epsilon, Fraction(0), -epsilon, -3 * epsilon)
    y = [w * u + b + r for u, r in zip(U, residuals, strict=True)]
    beta = (C, t, 0, -t, -C)
    P = w * w / 2 + C * sum(max(Fraction(0), abs(r) - epsilon) for r in residuals)
    D = sum(c * v for c, v in zip(beta, y, strict=True)) - epsilon * 2 * (C + t) - w * w / 2
    values = {f"y{i}": v for i, v in enumerate(y, start=1)}
    return values | {"w": w, "residuals": residuals, "P": P, "D": D}


def convex_in_epsilon():
    r"""proof: The price of a wider tube

    Let $p(\varepsilon)$ be the least value of
    $P = \frac12 \lVert w \rVert^2 + C \sum_i E_\varepsilon(r_i)$ for $\varepsilon \ge 0$. Prove that
    $p$ is nonincreasing and convex. *Hint:* $E_\varepsilon(r) = \max(0, |r| - \varepsilon)$; look at
    solutions for two values of $\varepsilon$ and at their mean.

    Solution.

    For fixed $(w, b)$ each loss falls or stays as $\varepsilon$ grows, so $P$ does, and so does its
    least value. *Convex*: let $(w, b)$ be a solution for $\varepsilon$ and $(w', b')$ one for
    $\varepsilon'$, and $0 \le s \le 1$. At the mean with the weights $1 - s$ and $s$ the residuals are
    the means $(1 - s) r_i + s r_i'$, and $|(1 - s) r_i + s r_i'| - (1 - s) \varepsilon - s \varepsilon'
    \le (1 - s) (|r_i| - \varepsilon) + s (|r_i'| - \varepsilon')$; so the loss there is at most the
    mean of the losses, as $\max(0, \cdot)$ is convex and nondecreasing. The penalty is convex as well.
    Hence the least value for $(1 - s) \varepsilon + s \varepsilon'$ is at most
    $(1 - s)\, p(\varepsilon) + s\, p(\varepsilon')$.

    Rubric.

    - 3: nonincreasing, from the values at fixed $(w, b)$
    - 5: the mean of two solutions, losses and penalty
    - 2: conclusion for the least value
    """


def epsilon_zero():
    r"""true or false: No tube at all

    True or false, with a reason: "For $\varepsilon = 0$ every example is a support vector, whatever
    the data."

    Solution.

    False. An example *off* the curve has $|r_i| > 0 = \varepsilon$, and its coefficient is $C$ or
    $-C$. But on the curve, $r_i = 0$, any coefficient between $-C$ and $C$ is allowed, zero included.
    If all $y_i$ are equal, $w = 0$ with $b = y_i$ costs nothing, and all coefficients are zero: no
    support vector at all. (With noise, examples exactly on the curve are few, so the sentence is
    nearly true of real data.)

    Rubric.

    - 2: "false"
    - 3: off the curve it is true
    - 5: an example on the curve whose coefficient is zero
    """


def prices(n=(400, 800, 1000)):
    r"""output: All houses cost the same

    `make_pipeline(StandardScaler(), SVR())` with its defaults ($C = 1$, $\varepsilon = 0.1$, Gaussian
    kernel) predicts the prices of houses from [[n]] examples with prices from 90,000 to 900,000:

        training examples               [[n]]
        support vectors                 [[n]]
        predictions from                311,870
        to                              312,140
        error, mean absolute            104,000

    (a) The columns were standardised. What was forgotten? (b) Prove from the dual that the predictions
    of such a machine can never differ by more than $nC$, here $[[bound]]$. (c) Why are all examples
    support vectors, and what is $b$ near? (d) Mend the pipeline, and give $\varepsilon$ in the new
    units if errors of 5,000 are of no interest and the prices have the standard deviation 120,000.

    Solution.

    (a) The target: $C$ and $\varepsilon$ carry its unit. (b) $f(x) - b = \sum_i \beta_i k(x_i, x)$
    with $|\beta_i| \le C$, $\sum_i \beta_i = 0$ and $0 \le k \le 1$. The positive coefficients sum to
    at most $\frac{nC}2$, as they sum to as much as the negative ones; so $f(x) - b$ is between
    $-\frac{nC}2$ and $\frac{nC}2$. (c) The tube is 0.2 wide and the residuals are tens of thousands,
    so (almost) every example lies outside and is at $C$ or $-C$; as many above as below, so $b$ is
    near the median. (d) `TransformedTargetRegressor` around it, with a scaler for the target;
    $\varepsilon = 5000 / 120000 \approx 0.04$, and $C$ searched from 0.1 to 100.

    Rubric.

    - 2: the target
    - 4: the bound, with both constraints
    - 2: everything outside; the median
    - 2: the mended pipeline, $\varepsilon$ in its units
    """
    return {"bound": n}


def power_station():
    r"""design: Load of a power station

    The load of the next hour is to be predicted from weather, calendar and the loads before, three
    years of hours. Errors below 1 % cost nothing, larger ones cost in proportion; a meter sometimes
    sends zeros or values ten times too large. Compare support vector regression with two rivals of
    your choice: what is natural about its loss here, how the data are cleaned and split, how knobs
    are chosen, how large a problem it can take, and which results would decide for which. At most one
    page.

    Solution.

    A good answer has these parts. *Loss*: what it costs is a tube with $\varepsilon$ of 1 % and a
    straight price beyond, so the loss of SVR is the cost itself; take the logarithm of the load (or a
    weight for each hour), since 1 % is not a constant in megawatts. *Gross errors*: wrong targets pull
    with bounded force, but wrong *inputs* (the loads before!) do not: clean those by a rule that is
    fixed on the training part. *Size*: 26,000 hours; a Gaussian SVR takes time like $n^2$: a sample,
    or one machine for each hour of the day (1,100 examples each); `LinearSVR` on products as rival.
    *Rivals*: boosted trees with the absolute loss; least squares on the same inputs; and "as a week
    ago". *Split*: by time, train on the past, validate on the following month, test on the last year;
    never at random. $C$ and the width by powers of ten, $\varepsilon$ given by the cost. *Measure*: the
    cost, not the mean square, which the gross errors would rule; by season and hour, with spread.
    *Decide*: who is cheaper in most months; if the difference is within the spread, who is simpler and
    faster.

    Rubric.

    - 3: the loss matches the cost; relative scale
    - 2: wrong targets and wrong inputs are different matters
    - 2: split by time, knobs chosen before the test year
    - 2: two rivals, measured by the cost
    - 1: the size that can be trained
    """
