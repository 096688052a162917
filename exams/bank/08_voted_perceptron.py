"""Chapter 08, The voted perceptron."""

from fractions import Fraction


def three_voters(survived=((4, 1, 2), (5, 1, 2), (4, 2, 1), (5, 2, 1))):
    r"""computation: Three weight vectors

    A walk on examples $x = (u, 1)$ held the weights $w_1 = (1, -2)$, $w_2 = (-1, 3)$ and
    $w_3 = (3, -1)$; they survived $[[survived]]$ looks. (a) What do vote and average answer at
    $u = 1$? Why do they differ? (b) Where is the boundary of the average? (c) Where does the vote
    change its answer, as $u$ grows from $-10$ to $10$? (d) How many numbers must be stored for the
    average, and how many for the vote?

    Solution.

    (a) The scores at $(1, 1)$ are $-1, 2, 2$. The vote is $[[vote]]$: negative; the weighted sum
    of the scores is $[[sum]]$: positive. For the vote only the signs count. (b) $\sum_k c_k w_k =
    ([[slope]], [[offset]])$: at $u = [[boundary]]$. (c) The signs change at $\frac13$ ($w_3$),
    $2$ ($w_1$) and $3$ ($w_2$); the vote is $[[votes]]$ in the four pieces, so it changes at
    $[[changes]]$. (d) Two for the average; for the vote three vectors and three counts, nine
    numbers.

    Rubric.

    - 3: both answers, with the reason
    - 2: the average vector and its boundary
    - 4: the pieces, the vote in each, the changes
    - 1: the storage
    """
    c1, c2, c3 = survived
    slope, offset = c1 - c2 + 3 * c3, -2 * c1 + 3 * c2 - c3
    votes = (-c1 + c2 - c3, -c1 + c2 + c3, c1 + c2 + c3, c1 - c2 + c3)
    ends = (Fraction(1, 3), 2, 3)
    return {
        "vote": -c1 + c2 + c3,
        "sum": -c1 + 2 * c2 + 2 * c3,
        "slope": slope,
        "offset": offset,
        "boundary": Fraction(-offset, slope),
        "votes": votes,
        "changes": tuple(u for i, u in enumerate(ends) if votes[i] * votes[i + 1] < 0),
    }


def last_wins():
    r"""proof: In the long run

    The examples are separable. Prove that for every $x$ with $w_{\text{last}} \cdot x \ne 0$ there
    is a number of epochs from which on the voted and the averaged perceptron both give the answer
    of $w_{\text{last}}$, the weights after the last mistake.

    Solution.

    On separable examples there are finitely many mistakes, the last in some epoch, say after $t$
    looks. From then on $w_{\text{last}}$ survives every look, so after $T$ looks it has $T - t$
    votes, and all others have $t$ together. *Vote*: as soon as $T > 2t$, it has more than half.
    *Average*: $\frac1T \sum_k c_k\, w_k \cdot x = \frac{T - t}T\, w_{\text{last}} \cdot x +
    \frac1T \sum_{k \ne \text{last}} c_k\, w_k \cdot x$. The last sum does not depend on $T$, so as
    $T$ grows this tends to $w_{\text{last}} \cdot x \ne 0$, and has its sign from some $T$ on.

    Rubric.

    - 3: finitely many mistakes; then only the last weights gather votes
    - 3: the vote
    - 4: the average, with the reason that the early part is divided by $T$
    """


def twice_in_a_row():
    r"""true or false: Each example twice

    True or false, with a reason: "If every example is shown twice in a row, instead of once, one
    epoch gives an averaged perceptron with the same answers: all counts are doubled."

    Solution.

    False: the second look may be a mistake, too, and then the walk is another one. Take
    $z_1 = (3, 0)$ and $z_2 = (-1, 1)$. Shown once: $(3, 0)$, then $(2, 1)$; their mean has the
    direction $(5, 1)$. Shown twice: $(3, 0)$ survives two looks; then $(2, 1)$, whose product with
    $z_2$ is $-1$, so $(1, 2)$; the mean of $(3, 0), (3, 0), (2, 1), (1, 2)$ has the direction
    $(3, 1)$. At $x = (1, -4)$ the scores are $5 - 4 > 0$ and $3 - 4 < 0$: other answers.

    Rubric.

    - 2: "false"
    - 4: one step need not repair a mistake
    - 4: an example, up to an answer that differs
    """


def vote_lags(n=(100, 200), e=(3, 4, 6)):
    r"""output: The vote makes mistakes that the last weights do not make

    A student trains on $[[n]]$ separable examples and prints the mistakes of each epoch, and at the
    end the training errors:

        mistakes in epoch 1, 2, ...   [[line]]
        training error: last weights 0.00   vote 0.02   average 0.01

    "Voting does not work: the last weights are better." (a) How can the vote be wrong where the
    last weights are right? (b) After how many epochs at least are the votes of the last weights
    certain to be the majority, if all you know is that the last mistake was in epoch $[[e]]$?
    (c) Is a training error of 0.02 a reason to prefer the last weights on new examples?

    Solution.

    (a) The earlier weights keep their votes; while they have more than half together, they can
    outvote the last ones. (b) The last weights have at least $(K - [[e]]) \cdot [[n]]$ of the
    $K \cdot [[n]]$ votes after $K$ epochs: more than half if $K > 2 \cdot [[e]]$, so from
    $[[epochs]]$ epochs on, that is $[[looks]]$ looks. (c) No: on training examples the last weights
    are right by construction. Which is better on new ones only new ones can tell; the vote changes
    less from order to order.

    Rubric.

    - 3: early weights keep their votes
    - 4: the count and the number of epochs
    - 3: training error is no judge here
    """
    early = [5 * (e - i) for i in range(e)]
    epochs = 2 * e + 1
    return {
        "line": "  ".join(str(m) for m in [*early, 0, 0]),
        "epochs": epochs,
        "looks": epochs * n,
    }


def news():
    r"""design: News that change

    An agency sorts 4,000 reports a day into "for the desk" and "not", by 200,000 words that may
    occur; editors correct about 300 answers a day. What is news this week was none last week. Plan
    an averaged perceptron for this stream: features, intercept, what the average runs over, how
    the wish that nothing important is lost is built in, how you measure whether it works, and
    what you compare it with. At most one page.

    Solution.

    A good answer has these parts. *Features*: presence of words, rows scaled to length one, so
    that a long report makes no giant step; hashed, so that new words need no new columns. A column
    of ones as intercept, moved like the others. *Average*: over all time it lags behind a world
    that changes; average over a window, or let old weights fade (a factor per day), chosen on past
    weeks by replaying them. *Nothing lost*: the threshold of the score, set on corrected reports of
    the last days by the cost of a lost report; not by the last weights, whose scale means little.
    *Bias of the corrections*: editors correct what they see; have a random sample of the rejected
    reports labelled, too. *Measure*: each corrected report is judged before it is learned; lost
    and needless ones per day, with the spread. *Rivals*: logistic regression trained anew every
    night on the last thirty days, and a list of words kept by the desk.

    Rubric.

    - 2: sparse features, scaled, with a sound intercept
    - 3: a window or fading, chosen by replay
    - 2: the threshold by cost
    - 2: judged before learned; a sample of what was rejected
    - 1: a rival
    """
