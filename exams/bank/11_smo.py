"""Chapter 11, Sequential minimal optimisation."""

from fractions import Fraction


def clipped(
    alphas=((3, 8), (4, 9), (5, 7)),
    pulls=((7, -5), (4, -8), (6, 0)),
    kappa=(1, 2),
):
    r"""computation: A step of a pair

    Two examples with *equal* labels $y_i = y_j = +1$; $C = 1$. Their variables are
    $\alpha_i = [[ai]]$ and $\alpha_j = [[aj]]$, their pulls $g_i = [[gi]]$ and $g_j = [[gj]]$. The
    curvature is $\kappa = [[kappa]]$. (a) How far would the top of the
    parabola be, as a change $\lambda$ of $\alpha_i$? (b) Between which limits can $\alpha_j$ move?
    (c) Give both variables after the best step. (d) By how much does $D$ rise? Compare with half of
    $\lambda\, (g_i - g_j)$. (e) Which pulls are known after the step without any kernel value but
    $\kappa$: $g_i$, $g_j$, or $g_i - g_j$?

    Solution.

    (a) $\lambda = (g_i - g_j) / \kappa = [[top]]$. (b) The sum $[[sum]]$ stays, so $\alpha_j$ is
    between $[[low]]$ and $[[high]]$. (c) $\alpha_i$ can rise by $[[room_i]]$ and $\alpha_j$ fall by
    $[[room_j]]$, so $\lambda = [[step]]$: $\alpha_i = [[new_i]]$, $\alpha_j = [[new_j]]$.
    (d) $\lambda (g_i - g_j) - \frac12 \lambda^2 \kappa = [[gain]]$, at least
    $\frac12 \lambda (g_i - g_j) = [[half]]$. (e) Only the difference: it falls by $\lambda \kappa$,
    to $[[rest]]$.

    Rubric.

    - 1: the top
    - 2: the limits
    - 3: the step, cut off where it must be, and both variables
    - 3: the gain, and the comparison
    - 1: the difference
    """
    ai, aj = (Fraction(a, 10) for a in alphas)
    difference = Fraction(pulls[0] - pulls[1], 10)
    top = difference / kappa
    step = min(top, 1 - ai, aj)
    return {
        "ai": ai,
        "aj": aj,
        "gi": Fraction(pulls[0], 10),
        "gj": Fraction(pulls[1], 10),
        "top": top,
        "sum": ai + aj,
        "low": max(Fraction(0), ai + aj - 1),
        "high": min(Fraction(1), ai + aj),
        "room_i": 1 - ai,
        "room_j": aj,
        "step": step,
        "new_i": ai + step,
        "new_j": aj - step,
        "gain": step * difference - step * step * kappa / 2,
        "half": step * difference / 2,
        "rest": difference - step * kappa,
    }


def shifted_kernel():
    r"""proof: A constant that SMO does not see

    To every entry of the matrix $K$ the same number $c \ge 0$ is added. Prove: SMO, started at the
    same feasible point and with the same rule (first or second order), makes exactly the same
    steps. What has changed in the feature space, and why does it not matter?

    Solution.

    The pulls are $g_k = y_k - \sum_l \beta_l K_{kl}$ with $\beta_l = y_l \alpha_l$, and
    $\sum_l \beta_l = 0$ at every feasible point; so the new constant adds $-c \sum_l \beta_l = 0$.
    The curvature $K_{ii} + K_{jj} - 2 K_{ij}$ changes by $c + c - 2c = 0$. Limits, choice of the
    pair, and step depend on nothing else, so by induction all steps are the same. $K + c$ belongs to
    $\phi(x)$ with one more coordinate $\sqrt c$, the same for all examples; a weight on it is a
    second bias, and the free bias does the same for nothing.

    Rubric.

    - 4: pulls, with the equality
    - 2: curvature
    - 2: nothing else enters; induction
    - 2: one more constant coordinate, and the free bias
    """


def near_in_what():
    r"""true or false: Nearly finished

    True or false, with a reason: "The solver stopped with $m - M = 0.001$. So every $\alpha_i$ is
    within 0.001 of its value in the optimal solution."

    Solution.

    False, twice. There need not be *one* optimal $\alpha$: if an example is in the data twice, only
    the sum of its two multipliers is determined. And $m - M$ is a difference of pulls, in units of
    $b$, not of multipliers: along a direction in which $D$ is almost flat (two examples of one class
    close to each other, $\kappa$ tiny) the top is $(g_i - g_j) / \kappa$ away, which may be far
    although the difference of the pulls is small. What is known is a bound on $P - D$,
    $\frac{nC}2 (m - M)$, and through it one on $\lVert w - w^* \rVert$.

    Rubric.

    - 2: "false"
    - 3: the optimal multipliers need not be unique, or other units
    - 3: flat directions, or an example
    - 2: what the violation does bound
    """


def small_is_best():
    r"""output: The smallest C wins

    A student searches $C$ with `SVC(kernel="linear", max_iter=2000)` on raw measurements and
    switches warnings off:

        C        steps   error, 5 folds
        0.001      410   0.19
        0.01      1630   0.11
        0.1       2000   0.13
        1         2000   0.24
        10        2000   0.37

    "A small $C$ is best; a large one overfits." (a) What do the last three lines have in common,
    and what do they measure? (b) Why do runs with large $C$ need more steps? Name a second cause in
    the question. (c) Which number, printed for each line, would have shown it? (d) Name the two
    changes to make first, and say what may happen to the last column then.

    Solution.

    (a) They stopped at `max_iter`; their errors are those of unfinished machines, not of machines
    with this $C$, so they say nothing about $C$. (b) With a large $C$ the variables have farther to
    go and more of them end inside the box; and raw measurements of different size make $D$ a
    narrow ridge. (c) The gap $P - D$ beside $D$ (or the violation $m - M$). (d) Standardise in the
    pipeline, and remove the limit, or raise it until no warning comes. Then the curve may be flat
    from 0.01 on, as it often is; that has to be measured.

    Rubric.

    - 3: stopped by the limit; unfinished
    - 3: large $C$; units
    - 2: gap or violation
    - 2: scaling and limit; no promise
    """


def one_night():
    r"""design: One night

    You have 25,000 examples with 60 columns, a machine with 16 GB and one night (10 hours). One fit
    of a Gaussian SVC with $C = 1$ on 5,000 examples took 12 seconds at `tol=0.001`. You want $C$ and
    `gamma` from a grid of 5 by 5, and a final machine with a certificate. Plan the night: estimate
    the hours, and say what you do about examples, tolerance, cache, order of the runs, unfinished
    runs, and what you report in the morning. At most one page.

    Solution.

    A good answer has these parts. *Estimate*: time grows about like $n^2$: with 20,000 of the
    25,000 in a training part of five folds 16 times 12 s, about 3 minutes; 25 pairs times 5 folds
    are 125 fits, 7 hours, and large $C$ takes longer: too near to ten. *So*: search on a random
    5,000 (125 fits of about 8 s with 4,000 in the training part: 20 minutes), at `tol=0.1`, which
    hardly changes the error; then a finer search around the best pair with more examples.
    *Preparation*: standardise inside the folds. *Cache*: the matrix of 20,000 takes 3.2 GB in
    doubles; give it 4,000 MB and run few fits side by side. *Order*: small $C$ first; a limit on
    the time of a run, and runs that reach it are marked, not ranked. *Final*: all training examples,
    `tol=0.001`; report gap and $D$, the error on a part that took no part in anything, the number of
    support vectors (each answer costs that many kernel values), and a forest as rival.

    Rubric.

    - 3: an estimate from $n^2$ and the number of fits
    - 3: smaller sample and larger tolerance for the search, not for the end
    - 2: memory, unfinished runs
    - 2: certificate, honest error, rival
    """
