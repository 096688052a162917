"""Chapter 12, Kernels."""

from fractions import Fraction


def distances(a=(2, 3, -2), b=(-1, 1)):
    r"""computation: Distances without coordinates

    On the line let $k(x, z) = (x z + 1)^2$. The positive class consists of the points $0$ and
    $[[a]]$, the negative class of $[[b]]$ alone. Use kernel values only. (a) Compute
    $\lVert \phi(0) - \phi([[a]]) \rVert^2$. (b) Compute the squared distances of $\phi(0)$ from the
    mean of the positive images and from $\phi([[b]])$. Which class does the nearest mean give to
    $0$? (c) Give $\phi$ with three coordinates. Is the mean of the positive images itself the image
    of a point?

    Solution.

    (a) $k(0, 0) - 2 k(0, [[a]]) + k([[a]], [[a]]) = [[first]]$. (b) The mean $m$ of two images is in
    the middle: $\lVert \phi(0) - m \rVert^2 = \frac14 \lVert \phi(0) - \phi([[a]]) \rVert^2 =
    [[to_mean]]$, and $\lVert \phi(0) - \phi([[b]]) \rVert^2 = [[to_other]]$: the [[nearer]] class.
    (c) $\phi(x) = (x^2, \sqrt2\, x, 1)$. No: the mean of $\phi(0)$ and $\phi([[a]])$ has the
    coordinates $[[square]]$, $[[middle]] \sqrt2$ and $1$; its second one belongs to
    $x = [[middle]]$, whose square is not $[[square]]$.

    Rubric.

    - 2: the first distance
    - 4: both distances of $\phi(0)$, and the answer
    - 2: the feature map
    - 2: not an image, with the reason
    """

    def k(x, z):
        return (x * z + 1) ** 2

    first = k(0, 0) - 2 * k(0, a) + k(a, a)
    to_mean, to_other = Fraction(first, 4), k(0, 0) - 2 * k(0, b) + k(b, b)
    return {
        "first": first,
        "to_mean": to_mean,
        "to_other": to_other,
        "nearer": "positive" if to_mean < to_other else "negative",
        "square": Fraction(a * a, 2),
        "middle": Fraction(a, 2),
    }


def zero_on_the_diagonal():
    r"""proof: Nothing with itself, nothing with others

    Let $k$ be a kernel on any set. Prove from Gram matrices of two points, without a feature map:
    (a) $k(x, z)^2 \le k(x, x)\, k(z, z)$; (b) if $k(x, x) = 0$, then $k(x, z) = 0$ for every $z$.
    (c) Use (b) to show that $k(x, z) = x z - x^2 z^2$ is no kernel on $[0, 1]$.

    Solution.

    (a) The Gram matrix of $x$ and $z$ is symmetric and positive semi-definite, so both eigenvalues
    are at least 0, and so is their product, the determinant: $k(x, x)\, k(z, z) - k(x, z)^2 \ge 0$.
    (b) By (a), $k(x, z)^2 \le 0$. (c) $k(1, 1) = 0$, but $k(1, \frac12) = \frac12 - \frac14 \ne 0$.

    Rubric.

    - 4: the determinant of a two by two Gram matrix
    - 2: (b) from (a)
    - 4: a point with $k(x, x) = 0$ and a partner with $k(x, z) \ne 0$
    """


def absolute_value():
    r"""true or false: The absolute value of a kernel

    True or false, with a reason: "If $k$ is a kernel, so is $|k|$." *Hint:* four unit vectors in
    the plane, each turned by 45 degrees against the one before.

    Solution.

    False. With the plain inner product the vectors at 0, 45, 90 and 135 degrees have the products
    $c = \frac1{\sqrt2}$ between neighbours, $0$ between the first and the third and between the
    second and the fourth, and $-c$ between the first and the last. Taken absolutely, each vector
    has the product $c$ with the one before and the one after it, in a circle. For
    $a = (1, -1, 1, -1)$ then $a^\top |K| a = 4 - 8c = 4 - 4 \sqrt2 < 0$. So the matrix is not
    positive semi-definite.

    Rubric.

    - 2: "false"
    - 3: the Gram matrix, and its absolute values
    - 5: a vector (or an eigenvalue, $1 - \sqrt2$) that refutes it
    """


def islands(n=(400, 1000), share=(60, 70)):
    r"""output: All of them support vectors

    A Gaussian `SVC(C=10, gamma=2)` on $[[n]]$ examples with 40 standardised columns,
    $[[share]]$ % of one class, prints

        support vectors                            [[n]]
        training error                            0.00
        largest kernel value of two examples      2e-20
        error on new examples                     [[error:.2f]]

    (a) Explain the third line by the distances in 40 standardised columns. (b) What is the score of
    a new example, and why is the error just this? (c) Why is each example a support vector? (d) The
    student raises $C$ to 1000. What changes? Which knob should be turned, to about which value?

    Solution.

    (a) The squared distance of two examples is about $2 \cdot 40 = 80$, so
    $e^{-2 \cdot 80}$ is typical; $2 \cdot 10^{-20}$ is the closest pair of all. (b) All
    kernel values with training examples are practically 0, so the score is $b$ everywhere, and each
    new example gets the label of the larger class: wrong on $[[minority]]$ %. (c) Nobody is similar
    to anybody else, so each example must produce its own margin by its own multiplier. (d) Nothing:
    no multiplier reaches 10, so a larger limit plays no part. Turn `gamma`, to about one over the
    typical squared distance, $\frac1{80} \approx 0.01$ (`"scale"` gives $\frac1{40}$).

    Rubric.

    - 2: the size of the distances
    - 3: the score is $b$; the share of the smaller class
    - 2: no similarity, so each by itself
    - 3: $C$ plays no part; gamma, with a sensible value
    """
    return {"error": (100 - share) / 100, "minority": 100 - share}


def patients():
    r"""design: A kernel for records

    A record has ten measurements (some missing), five categories, and the set of drugs that the
    patient takes. Put together a kernel for records, and say by which rule each step leads to a
    kernel; say what happens to missing values, how the parts are weighted against each other, and
    how you would find out that the drugs add anything. How do you check your program? At most one
    page.

    Solution.

    A good answer has these parts. *Measurements*: standardise, fill gaps with the mean and add a
    column 0 or 1 that marks a gap; a Gaussian kernel on all these columns (any map applied to the
    points first is allowed). *Categories*: the number of categories on which two records agree, an
    inner product of one-hot vectors. *Drugs*: the number of common drugs, normalised by
    $\sqrt{k(x, x)\, k(z, z)}$ (a product with $h(x) h(z)$; patients without drugs need a rule, such
    as adding 1 to both counts as one drug that all take). *Together*: a sum with positive weights
    (positive multiples and sums), or a product if parts should work only together. Bring the parts
    to one scale first (mean of the diagonal 1), then choose the weights, $C$ and the width by
    cross-validation inside the training part. *Drugs*: the whole search with and without them, on
    the same outer folds, differences counted. *Check*: the Gram matrix of some records is symmetric
    and has no eigenvalue below rounding; `predict` gets rows of new against training records, and
    the score of a record must not depend on its neighbours in the call.

    Rubric.

    - 4: a kernel for each part and for the whole, with the rules named
    - 2: missing values, visible
    - 2: weights by validation; drugs with and without, in pairs
    - 2: checks: eigenvalues, shape or order of the matrix
    """
