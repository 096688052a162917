"""Chapter 14, Multiclass classification."""

from fractions import Fraction


def three_by_three(
    M=(
        ((50, 5, 5), (10, 25, 5), (2, 8, 10)),
        ((70, 8, 2), (4, 30, 6), (6, 12, 12)),
        ((40, 2, 8), (6, 18, 6), (4, 10, 26)),
    ),
):
    r"""computation: A confusion matrix

    The rows are the true classes A, B, C, the columns the answers:

        A   [[first]]
        B   [[second]]
        C   [[third]]

    (a) What is the error, and what is that of always answering with the most frequent class?
    (b) Compute recall and precision of class C. (c) Somebody cannot tell B and C apart anyway and
    joins them to one class, answers included. What is the error now? (d) In one against one, which
    duels may have been lost by the examples of class C that were answered A? Which need not?

    Solution.

    (a) $[[error]]$, about $[[error:.3f]]$, against $[[baseline]]$. (b) Recall $[[recall]]$, precision
    $[[precision]]$. (c) Only mistakes between A and the others are left: $[[joined]]$. (d) The true
    class C cannot have won both its duels, for then it would have had two votes and won. So it has
    lost to A or to B; A need not have beaten it, if votes were in a cycle and the sums decided. The
    duel of A and B has never seen a C; it alone cannot do harm.

    Rubric.

    - 3: error and baseline
    - 3: recall by the row, precision by the column
    - 2: the joined error
    - 2: a duel of class C itself must be lost
    """
    total = sum(map(sum, M))
    answers = [sum(row[k] for row in M) for k in range(3)]
    width = max(len(str(c)) for row in M for c in row)
    first, second, third = ("  ".join(f"{c:>{width}}" for c in row) for row in M)
    return {
        "first": first,
        "second": second,
        "third": third,
        "error": 1 - Fraction(sum(M[k][k] for k in range(3)), total),
        "baseline": 1 - Fraction(max(map(sum, M)), total),
        "recall": Fraction(M[2][2], sum(M[2])),
        "precision": Fraction(M[2][2], answers[2]),
        "joined": Fraction(M[0][1] + M[0][2] + M[1][0] + M[2][0], total),
    }


def no_cycles():
    r"""proof: When duels cannot go in circles

    For each class $k$ there is a function $s_k$, and the duels of one against one are decided by the
    difference: $f_{jk}(x) = s_k(x) - s_j(x)$. Let the numbers $s_0(x), \dots, s_{K-1}(x)$ be
    different at $x$. Prove: the votes are $K - 1, K - 2, \dots, 1, 0$, so there is no cycle, and the
    winner is $\arg\max_k s_k(x)$. Name a way to train duels of this form.

    Solution.

    Class $k$ wins its duel with $j$ exactly if $s_k(x) > s_j(x)$: for $j < k$ since
    $f_{jk}(x) > 0$, for $j > k$ since $f_{kj}(x) = s_j(x) - s_k(x) \le 0$ (and not 0). So its number
    of votes is the number of classes with a smaller value. Sorted by $s_k(x)$, these numbers are
    $0, 1, \dots, K - 1$, each once; a cycle of duels would need $s_a > s_b > \dots > s_a$. The class
    with most votes has the greatest value. Machines that train all scores together, such as the
    multiclass support vector machine or logistic regression, have duels of this form.

    Rubric.

    - 4: who wins a duel, in both orders of $j$ and $k$
    - 3: the votes count smaller values; all different
    - 2: no cycle, and the winner
    - 1: scores that are trained together
    """


def one_per_cent():
    r"""true or false: One per cent each

    True or false, with a reason: "In one against the rest with ten classes each member is wrong on at
    most 1 % of the training examples. So the classifier is wrong on at most 1 % of them."

    Solution.

    False. On each example that is answered wrongly *at least one* member is wrong, so the share of
    mistakes is at most the sum of the members' shares, 10 %. This can happen: let the members be
    wrong on different examples, each of them by missing examples of its own class
    ($f_y(x) \le 0$) with a score below the (negative) score of some other class. Then every one of
    these examples gets a wrong answer, 1 % for each of ten members. (It may also be far less: a
    score that is wrong in sign may still be the highest.)

    Rubric.

    - 2: "false"
    - 4: at least one member is wrong, so at most 10 %
    - 4: how more than 1 % arises
    """


def empty_column(sizes=((900, 800, 20), (500, 480, 20))):
    r"""output: Nobody is called C

    One against the rest with linear machines; classes A, B, C with $[[sizes]]$ training examples.
    On training examples:

        class   answers   greatest score of its machine   training error of its machine
        A         [[a]]        3.1                            0.02
        B         [[b]]        2.9                            0.03
        C           0       -0.96                            [[share:.3f]]

    (a) Explain the last column of class C. What does its machine say? (b) Why can a linear machine
    be content with that, in two different situations: an *imbalance*, and a *place*? (c) Name a
    remedy for each of the two. (d) Which measures would have shown the failure, and which one hid
    it?

    Solution.

    (a) Its machine answers $-1$ everywhere; it is wrong exactly on the examples of C,
    $[[n_c]]$ of $[[total]]$. (b) Imbalance: C is a tiny minority against the rest, and with a small
    $C$ (the penalty) it is cheapest to give it up. Place: C lies between A and B; a linear function
    that is negative on both sides is negative between them, whatever the penalty. (c) Class weights
    (or a larger penalty) for the first; for the second another scheme (one against one, all scores
    together), other coordinates, or a kernel. (d) The recall of C is 0, and the confusion matrix has
    an empty column; the error over all examples, only a little above that share, hid it.

    Rubric.

    - 2: answers no everywhere; the share
    - 4: both causes
    - 2: a remedy for each
    - 2: recall or matrix; the overall error
    """
    total = sum(sizes)
    return {
        "a": sizes[0] + sizes[2] // 2,
        "b": sizes[1] + sizes[2] // 2,
        "share": sizes[2] / total,
        "n_c": sizes[2],
        "total": total,
    }


def beetles():
    r"""design: Four hundred beetles

    Pictures of beetles of 400 species have been turned into 2,000 numbers each. There are 30 pictures
    of most species, 5 of some, 3,000 of one; a museum wants a name, and "I do not know" where a name
    would be a guess. Choose a scheme and members, estimate its costs (machines, training, memory), say
    how rare species are treated, how "I do not know" is decided, and how the result is measured and
    shown. At most one page.

    Solution.

    A good answer has these parts. *Scheme*: all scores together (logistic regression), or one against
    the rest: 400 linear machines, $400 \cdot 2000$ numbers of 8 bytes, 6.4 MB. All pairs are 79,800
    machines on about 60 examples each: cheap to train, but 1.3 GB and slow to ask; with 5 pictures a
    species a pair has 10 examples in 2,000 coordinates, and any line separates them. *Penalty*: one
    $C$ for all, chosen by cross-validation with whole specimens (several pictures of one beetle) in
    one fold. *Rare species*: class weights; those with fewer than, say, 5 pictures are joined to their
    genus. *I do not know*: from the highest probability, or the distance to the second; the threshold
    by cost on left-out specimens, and tested on species that were left out of training altogether, for
    the museum will meet new ones. *Measure*: mean recall over species, not the error, which the one
    with 3,000 pictures rules; the share of refused pictures beside the error of the others; the
    largest cells of the confusion matrix, by name. Rival: nearest neighbour in the 2,000 numbers.

    Rubric.

    - 3: a scheme with numbers: machines, examples, memory
    - 2: rare species
    - 2: refusal, by cost, and new species
    - 2: a measure for each species; specimens together
    - 1: a rival
    """
