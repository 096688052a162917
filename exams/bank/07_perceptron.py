"""Chapter 07, The perceptron."""


def _walk(Z):
    w, blamed = (0, 0), []
    mistake = True
    while mistake:
        mistake = False
        for i, z in enumerate(Z):
            if w[0] * z[0] + w[1] * z[1] <= 0:
                w, mistake = (w[0] + z[0], w[1] + z[1]), True
                blamed.append((i, w))
    return blamed


def two_in_the_plane(a=(2, 3), k=(3, 4, 5)):
    r"""computation: Two examples in the plane

    No bias. The example $x_1 = ([[a]], -1)$ is positive, $x_2 = (1, -[[k]])$ is negative.
    (a) Run the perceptron from $w = 0$ with step size 1, looking at example 1, example 2, example
    1, and so on, until it ends. Give the weights after each mistake. (b) How often was each
    example blamed? Check $w = \sum_i \alpha_i y_i x_i$. (c) What does the theorem promise with
    $w^* = (1, 1)$? (d) Which answer do the last weights give at $(1, -1)$?

    Solution.

    (a) $z_1 = ([[a]], -1)$, $z_2 = (-1, [[k]])$. After the mistakes: $[[weights]]$. (b) Example 1
    $[[first]]$ times, example 2 $[[second]]$ times:
    $[[first]]\, z_1 + [[second]]\, z_2 = [[last]]$. (c) $\gamma = [[gamma]]$,
    $R^2 = [[square]]$, $\lVert w^* \rVert^2 = 2$: at most $[[bound:.1f]]$ mistakes, and there
    were $[[mistakes]]$. (d) The score is $[[score]]$: [[answer]].

    Rubric.

    - 4: the walk; products that are zero are mistakes
    - 2: who was blamed, and the sum
    - 3: $\gamma$, $R$ and the bound
    - 1: the answer
    """
    Z = ((a, -1), (-1, k))
    blamed = _walk(Z)
    last = blamed[-1][1]
    gamma, square = min(a, k) - 1, max(a * a, k * k) + 1
    return {
        "weights": ", ".join(str(w) for _, w in blamed),
        "first": sum(i == 0 for i, _ in blamed),
        "second": sum(i == 1 for i, _ in blamed),
        "last": str(last),
        "gamma": gamma,
        "square": square,
        "bound": 2 * square / gamma**2,
        "mistakes": len(blamed),
        "score": last[0] - last[1],
        "answer": "a tie" if last[0] == last[1] else "positive" if last[0] > last[1] else "negative",
    }


def friends():
    r"""proof: Examples that help each other

    Let $z_i \cdot z_j \ge 0$ for all $i, j$, and no $z_i = 0$. Prove that the perceptron from
    $w = 0$ makes at most one mistake on each example, in whatever order the examples come. Name a
    kind of data for which it makes exactly one on each.

    Solution.

    At every time $w$ is a sum of $z_j$, one for each mistake so far. Once example $i$ has been
    blamed, $z_i$ is one of the terms, so $w \cdot z_i \ge \lVert z_i \rVert^2 > 0$, because no
    other term has a negative product with $z_i$; and later steps only add such terms. So example
    $i$ is right from then on. If all $z_i$ are orthogonal to each other, $w \cdot z_i = 0$ until
    example $i$ is blamed, and each is blamed once.

    Rubric.

    - 3: $w$ is a sum of examples that were blamed
    - 4: after its own step the product stays positive
    - 1: it does not depend on the order
    - 2: orthogonal examples (or another correct kind)
    """


def fewer_examples():
    r"""true or false: Fewer examples, fewer mistakes

    True or false, with a reason: "If one of the examples is removed, and the others are looked at
    in the same order, the perceptron from $w = 0$ makes no more mistakes than before."

    Solution.

    False. Take $z_1 = (1, 1)$, $z_2 = (2, -1)$, $z_3 = (-1, 2)$ in this order. The first look is a
    mistake, $w = (1, 1)$, and this has the products 1 with both others: one mistake in all.
    Without $z_1$: $w = (2, -1)$ after the first mistake, whose product with $(-1, 2)$ is $-4$; a
    second mistake leads to $(1, 1)$. (What cannot grow is the *bound*, for the best $w^*$: the
    least product and the greatest length are taken over fewer examples.)

    Rubric.

    - 2: "false"
    - 6: an example with both runs
    - 2: the bound and the count are told apart
    """


def certificate(a=(1, 2, 3), b=(1, 2), T=(8, 12, 16)):
    r"""output: Not separable

    A data set has three examples. A program prints

        example   x          label   lambda
        1         (0, 0)     +1      0.25
        2         ([[far]])     +1      0.25
        3         ([[a]], [[b]])     -1      0.50
        separable: False

    (a) Verify the certificate; a constant 1 is appended to each example. (b) Which point is a mean
    of both classes? (c) In a fixed order the perceptron comes back to earlier weights after $[[T]]$
    mistakes. How often was each example blamed between? (d) It turns out that the third label was
    a typing error. How many mistakes can the perceptron make on the corrected data, by the theorem
    with $w^* = (0, 0, 1)$?

    Solution.

    (a) $z_1 = (0, 0, 1)$, $z_2 = ([[far]], 1)$, $z_3 = (-[[a]], -[[b]], -1)$, and
    $\frac14 z_1 + \frac14 z_2 + \frac12 z_3 = 0$; the $\lambda$ are not negative and sum to 1.
    (b) $([[a]], [[b]])$, the middle of the two positive points and the negative one. (c) The
    mistakes $m_i$ satisfy $\sum_i m_i z_i = 0$; the first coordinates and the last give
    $m_1 = m_2 = \frac12 m_3$, so $[[counts]]$ times. (d) All labels are $+1$, $\gamma = 1$,
    $\lVert w^* \rVert = 1$, $R^2 = [[square]]$: at most $[[square]]$ mistakes.

    Rubric.

    - 3: the sum is zero, with signs and constants
    - 2: the common point
    - 3: the counts, with the reason that they are proportional to $\lambda$
    - 2: the bound
    """
    return {
        "far": (2 * a, 2 * b),
        "counts": (T // 4, T // 4, T // 2),
        "square": 4 * a * a + 4 * b * b + 1,
    }


def satellite():
    r"""design: On board a satellite

    A satellite measures 12 numbers a second. Ground control says about once a minute, with an hour
    of delay, whether the attitude was good at that second. A classifier on board shall learn from
    this; it has 2 kB of memory and can add and multiply. Plan a perceptron for it: inputs and
    scale, what is stored, which weights give the answers, how you would notice that no line
    separates, how its error is measured while it learns, and when you would not use it. At most
    one page.

    Solution.

    A good answer has these parts. *Inputs*: 12 numbers and a constant, scaled by bounds that are
    fixed before the start, since one long example makes long steps; clipped at these bounds.
    *Stored*: the last weights and, for the average, a second vector and a counter: 27 numbers; the
    measurements that wait for their label (an hour of them, one a minute: 60 times 12) fit as
    well, in two bytes each. *Answers*: the average, not the last weights, which depend on the last
    mistake. *Step size*: from zero it changes nothing. *No line*: mistakes do not cease; in random
    order one run proves nothing, so the examples go to the ground, where a linear program decides.
    *Error*: each new example is judged before it is learned (progressive validation), in windows,
    beside the share of the more frequent answer. *Not*: if the good region is surrounded by bad
    ones (no line, whatever the weights), if probabilities are needed, or if the ground can train
    and send weights.

    Rubric.

    - 2: scale and constant, fixed beforehand
    - 3: memory: weights, average, waiting measurements
    - 2: the average answers
    - 2: how the error is measured; how to find out about separability
    - 1: a case against it
    """
