"""Chapter 09, The maximum-margin hyperplane."""

from fractions import Fraction


def shift_the_line(c=(14, 16, 20), p=(1, 2, 3)):
    r"""computation: Shift the line

    Positive examples are $(4, 3)$ and $(2, 5)$, negative ones $(1, 2)$ and $([[p]], 0)$. The line
    is $3u + 4v = [[c]]$. (a) Compute the four geometric margins. What is the margin of the line?
    (b) Shift it, without turning it, until its margin is as large as possible. Give the line and
    its margin. (c) Give $w$ and $b$ of the shifted line with functional margin 1. (d) Is it the
    line of largest margin of all directions? Say how the segment from $(4, 3)$ to $(1, 2)$ decides.

    Solution.

    (a) The values of $3u + 4v$ are $24, 26, 11, [[fourth]]$; the margins are $[[margins]]$, and the
    smallest is $[[margin]]$. (b) In the middle between 24 and 11: $3u + 4v = \frac{35}{2}$, margin
    $\frac{13}{10}$. (c) Divide by $\frac{13}2$: $w = \bigl(\frac6{13}, \frac8{13}\bigr)$,
    $b = -\frac{35}{13}$. (d) No. If it were, there would be a shortest segment between the two
    hulls in the direction $(3, 4)$. The two examples that the shifted street touches are $(4, 3)$
    and $(1, 2)$; their segment has the direction $(3, 1)$, and on each side only one example
    touches, so turning the street towards this segment widens it.

    Rubric.

    - 4: margins, divided by 5, with the sign of the label
    - 2: the middle, and its margin
    - 2: the scale
    - 2: not the best direction, with a reason
    """
    values = ((24, 1), (26, 1), (11, -1), (3 * p, -1))
    margins = tuple(Fraction(y * (v - c), 5) for v, y in values)
    return {"fourth": 3 * p, "margins": margins, "margin": min(margins)}


def two_points_hold(a=(40, 48, 56), u=(24, 32)):
    r"""computation: Two points hold the band

    Open the playground of the course at `pages/playground.html[[address]]`. Coordinates are whole
    64ths. (a) How wide is the band, and how many points hold it? (b) Delete the lower one of the two
    discs that hold it. How many points hold the band now? By how much can it be wider at most, by the
    sentence below the picture, and how wide is it? (c) Explain both numbers by the segment between
    the hulls.

    Solution.

    (a) $[[before]]$ wide, held by 3 points: the two discs above each other and the square in front.
    (b) Now 2 points hold it; it is $[[after:.3f]]$ wide, and by the duality gap none is wider by as
    much as 0.001 %. (c) With both discs the nearest point of their hull is the middle between them,
    $[[across]]$ from the square along the first axis. Without the lower one it is the upper disc itself,
    at the distance $\sqrt{[[across]]^2 + [[up]]^2}$: the band is exactly as wide as the segment is long.

    Rubric.

    - 2: width and number with three points
    - 3: width and number with two, and what the certificate says
    - 5: the nearest points of the hulls, before and after
    """
    points = [("p", a, u), ("p", a, -u), ("p", 96, 0)]
    points += [("n", -64, 0), ("n", -96, 32), ("n", -96, -32)]
    words = "".join(f"{kind}{x + 128:02x}{y + 128:02x}" for kind, x, y in points)
    across, up = Fraction(a + 64, 64), Fraction(u, 64)
    after = float(across**2 + up**2) ** 0.5
    return {
        "address": f"#method=hard&points={words}",
        "before": across,
        "across": across,
        "up": up,
        "after": after,
    }


def mirror():
    r"""proof: Data with a mirror

    The examples are separable and symmetric: with every $(x, y)$ also $(-x, -y)$ is an example.
    Prove that the hyperplane of largest margin passes through the origin.

    Solution.

    Let $(w, b)$ be the solution of the hard-margin problem. For every example $(x, y)$ also
    $(-x, -y)$ is one, so $-y\, (w \cdot (-x) + b) \ge 1$, that is $y\, (w \cdot x - b) \ge 1$. So
    $(w, -b)$ satisfies all constraints and has the same objective: it is a solution, too. The
    solution is unique, hence $b = -b = 0$.

    Rubric.

    - 4: $(w, -b)$ is feasible, from the mirrored example
    - 2: the same objective
    - 4: uniqueness, and $b = 0$
    """


def new_coordinate():
    r"""true or false: One more coordinate

    True or false, with a reason: "To separable examples one more measurement is added, pure noise.
    Then the largest margin cannot become smaller." And: does it follow that the new machine makes
    fewer mistakes on new examples?

    Solution.

    True. Give the old $w$ a zero in the new coordinate: all scores and the length of $w$ are the
    same, so there is a hyperplane with the old margin, and the largest one is at least that. It
    does not follow: the new direction will usually lean on the noise, and a margin that grows
    because distances grow with each coordinate is no evidence. (The proof leaves the old
    coordinates as they are; if all are rescaled, nothing is promised.)

    Rubric.

    - 2: "true"
    - 5: the old weights with a zero
    - 3: no conclusion about new examples, with a reason
    """


def ten_to_the_ten():
    r"""output: A street of no width

    `SVC(kernel="linear", C=1e10, max_iter=1000000)` on 400 standardised examples with two
    coordinates prints

        ConvergenceWarning: Solver terminated early (max_iter=1000000).
        support vectors        171
        training mistakes       23
        margin 1 / |w|         0.0002
        test error             0.31

    and with $C = 1$ the test error is 0.07. (a) What does the student believe to be computing, and
    what do the lines say instead? Use at least three of them. (b) Which single question should
    have been asked first, and who answers it? (c) Is a street as narrow as that a bug of the
    solver? (d) What would you report?

    Solution.

    (a) The hard margin. But there are training mistakes, so what was found separates nothing;
    171 support vectors in the plane, where a street in general position touches three; a warning
    that it is not even the optimum of its own problem. The classes overlap. (b) Are they separable?
    A linear program answers, with a separator or a certificate (`mllib.is_separable`). (c) No: if
    slack costs $10^{10}$ a unit, the objective consists of slack only; the length of $w$ no longer
    counts, and a long $w$ is a narrow street. (d) A machine with a $C$ chosen by cross-validation,
    its error on examples that took no part, and that the classes overlap.

    Rubric.

    - 4: not the hard margin; three lines read rightly
    - 2: separability, by a linear program
    - 2: slack dominates
    - 2: a sound report
    """


def bottles():
    r"""design: Two kinds of bottle

    A machine shall tell two kinds of bottle apart by weight (grams) and the brightness of a
    picture (0 to 255). In a pilot run of 20 bottles of each kind a line separates them. The maker
    wants "the line with the largest safety distance, as it can be proved to be the best". Say what
    the largest margin insures against here and what not; in which units you would measure; how you
    would decide between hard margin, soft margin and logistic regression; and how many bottles you
    would ask for, and what for. At most one page.

    Solution.

    A good answer has these parts. *Insures*: errors of measurement below the margin, for the 40
    bottles seen, in the units chosen. *Not*: other bottles, other light, labels that are wrong;
    that 40 points can be separated is weak evidence, and no theorem of ours bounds the error by the
    margin. *Units*: the margin is a distance; grams and grey values cannot be added. Measure both
    in units of their own errors of measurement (repeat a bottle ten times), so that the margin is a
    multiple of what is insured against; or standardise. *Decide*: new bottles from other days; the
    three machines on the same draws, errors and their spread, count who is better; costs of the two
    kinds of mistakes. A soft margin gives up a doubtful bottle, a hard one obeys it. *How many*: to
    see an error of one in a hundred with some confidence, several hundred of each kind, from
    several days, kept for the end.

    Rubric.

    - 3: what is insured and what is not
    - 2: units, with a reason
    - 3: the comparison on new bottles, paired, with costs
    - 2: numbers and days for an honest test
    """
