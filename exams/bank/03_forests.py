"""Chapter 03, Random forests."""

from fractions import Fraction


def _gini(counts):
    return 1 - sum(Fraction(c, sum(counts)) ** 2 for c in counts)


def three_classes(first=((6, 0, 0), (5, 1, 0)), second=((6, 4, 0), (6, 5, 0))):
    r"""computation: Two questions about three classes

    A node holds 6 examples of each of three classes. Question A sends $[[first]]$ of the classes
    to the left (in this order) and the others to the right; question B sends $[[second]]$ to the
    left. (a) What is the Gini impurity of the node? (b) What does each question gain? Which is
    asked? (c) How many mistakes does each leave, if each side answers with its most frequent
    class? Would the share of mistakes have asked the same question?

    Solution.

    (a) $1 - 3 \cdot \frac19 = \frac23$. (b) A gains $[[gain_a]]$, B gains $[[gain_b]]$: about
    $[[gain_a:.3f]]$ and $[[gain_b:.3f]]$, so question [[asked]] is asked. (c) A leaves
    $[[wrong_a]]$ mistakes, B leaves $[[wrong_b]]$; the share of mistakes [[verdict]].

    Rubric.

    - 1: the impurity of the node
    - 3: the gain of A, with weighted sides
    - 3: the gain of B
    - 1: the larger gain is asked
    - 2: both numbers of mistakes, and the comparison
    """
    gain, wrong = {}, {}
    for name, left in {"a": first, "b": second}.items():
        right = tuple(6 - c for c in left)
        share = Fraction(sum(left), 18)
        gain[name] = Fraction(2, 3) - share * _gini(left) - (1 - share) * _gini(right)
        wrong[name] = sum(sum(side) - max(side) for side in (left, right))
    asked = "a" if gain["a"] > gain["b"] else "b"
    fewer = sorted(wrong, key=wrong.get)
    verdict = "asks the same" if fewer[0] == asked else "asks the other one"
    if wrong["a"] == wrong["b"]:
        verdict = "sees no difference between the two"
    numbers = {f"gain_{name}": value for name, value in gain.items()}
    numbers |= {f"wrong_{name}": value for name, value in wrong.items()}
    return numbers | {"asked": asked.upper(), "verdict": verdict}


def most_mixed():
    r"""proof: The most mixed node

    Prove: with $C$ classes the Gini impurity $1 - \sum_c p_c^2$ is at most $1 - \frac1C$, and it
    reaches this value if and only if all classes are equally frequent.

    Solution.

    $\sum_c (p_c - \frac1C)^2 = \sum_c p_c^2 - \frac2C \sum_c p_c + \frac1C
    = \sum_c p_c^2 - \frac1C$, because the shares sum to 1. The left side is not negative, and
    zero if and only if all $p_c = \frac1C$. So $\sum_c p_c^2 \ge \frac1C$, with equality exactly
    there.

    Rubric.

    - 6: an inequality for the sum of squares, with a proof (completing squares, or Cauchy and
      Schwarz)
    - 4: when there is equality, in both directions
    """


def blind_questions():
    r"""true or false: Questions that ignore the labels

    True or false, with a reason: "In extra-trees with $K = 1$ the labels do not influence which
    question a node asks. So with the same seed and the same $x_i$, other labels give the same
    forest."

    Solution.

    False. The first sentence is right: feature and threshold are drawn. But the labels decide
    what the leaves answer, the shares of the classes in them, and when to stop: a node of one
    class becomes a leaf. With other labels the trees stop elsewhere, and from there on the
    random numbers serve other nodes, so even the later questions may differ.

    Rubric.

    - 2: "false", and the first sentence is right
    - 5: the leaves answer with the labels
    - 3: the labels decide when a node becomes a leaf
    """


def trend(slope=(2, 3, 5), start=(10, 20, 40), ahead=(2, 3)):
    r"""output: Sales that go on growing

    The sales of ten years follow $y = [[start]] + [[slope]] x$ exactly, $x = 1, \dots, 10$. A
    tree that is grown to its end, one year in each leaf, is asked about the years after that,
    and prints

        year       11   12   13
        tree       [[last]]   [[last]]   [[last]]

    (a) Explain the three equal numbers. (b) By how much is the tree wrong in year $10 + [[ahead]]$?
    Would a random forest of such trees be nearer? (c) How can one have both, the trend and the
    forest? (d) Name two other kinds of data on which forests disappoint, each with its reason.

    Solution.

    (a) The last question sends all $x > 9.5$ to one leaf, with the value of year 10,
    $[[last]]$. (b) The truth is $[[truth]]$: wrong by $[[miss]]$. A forest is farther off, if
    anything: each tree answers with the largest year that it has drawn, at most year 10. (c) Fit
    the trend first (a line), and let the forest learn what is left over; or predict changes
    from year to year. (d) Few useful features among many and a small $K$: most questions are
    about nothing. Examples that belong together (speakers, patients): averaging cannot help with
    a new one, and a random split hides it.

    Rubric.

    - 3: a leaf answers with what it has seen; the last leaf
    - 2: the size of the miss
    - 1: a forest is no nearer
    - 2: a remedy
    - 2: two other kinds, with reasons
    """
    last, truth = start + 10 * slope, start + (10 + ahead) * slope
    return {"last": last, "truth": truth, "miss": truth - last}


def importance():
    r"""design: What matters in a hospital

    A hospital wants to know which of 40 columns matter for whether a patient comes back within
    a month: 25,000 stays of 14,000 patients; numbers, categories (one is the postal code, with
    1,900 values), and gaps, many of them in one blood value that is measured only when a doctor
    is worried. Someone has sent a bar chart of `feature_importances_`: postal code and stay
    number lead. Plan a better answer with a random forest: preparation, split, measure, and
    three sentences that must stand below your chart. At most one page.

    Solution.

    A good answer has these parts. The chart is impurity importance on training examples: it
    flatters columns with many values; the stay number is an identifier and goes. *Preparation*:
    codes or one-hot for small categories, the postal code replaced by something with few values
    or left out; gaps filled by the training part's medians *and* marked, for that a value was
    measured is itself information. *Split*: by patient, since stays of a patient are relatives;
    best by time as well. *Measure*: permutation on the part that was not used, several times,
    with the spread; random columns as controls, one with many values and one with two; columns
    that say the same are permuted together. A check that the forest predicts better than the
    base rate, for otherwise nothing is explained. *Sentences*: importance is for this forest
    and these columns; it is not a cause; what does not clearly beat the controls has not been
    shown to matter.

    Rubric.

    - 2: what is wrong with the chart
    - 2: categories and gaps, learned from the training part, gaps visible
    - 2: split by patient
    - 2: permutation on unseen stays, control columns, groups permuted together
    - 2: the three sentences: this forest, not causes, controls
    """
