"""Chapter 01, Classification."""

from fractions import Fraction


def three_kinds(price=(2, 3, 4), sizes=((500, 200, 300), (600, 100, 300), (400, 300, 200))):
    r"""computation: Three kinds of messages

    A calibrated filter knows only three probabilities of spam: $\frac1{10}$, $\frac7{10}$ and
    $\frac9{10}$. Of the messages that come in a week, $[[sizes]]$ have these probabilities, in
    this order. A false alarm costs $[[price]]$, a miss costs 1, right answers are free.
    (a) From which probability on is it cheapest to say spam? (b) Give the expected cost of a
    week under the best rule, and under the rule that delivers everything. (c) Of the messages
    that the best rule calls spam, which share is expected to be spam?

    Solution.

    (a) $\tau = \frac{c_{\mathrm{fp}}}{c_{\mathrm{fp}} + c_{\mathrm{fn}}} = [[tau]]$. (b) Saying
    spam costs $(1 - p) \cdot [[price]]$, delivering costs $p$. The rule with threshold $\tau$
    costs $[[best]]$ in a week, delivering everything costs $[[all]]$. (c) $[[precision]]$.

    Rubric.

    - 3: the threshold, with the condition from which it follows
    - 3: the cost of the best rule, each kind with the cost of its own answer
    - 2: the cost of delivering everything
    - 2: the share, weighted by the sizes of the kinds that are called spam
    """
    tau = Fraction(price, price + 1)
    kinds = list(zip((Fraction(1, 10), Fraction(7, 10), Fraction(9, 10)), sizes, strict=True))
    spam = [(p, size) for p, size in kinds if p >= tau]
    best = sum(size * ((1 - p) * price if p >= tau else p) for p, size in kinds)
    found = sum(p * size for p, size in spam) / sum(size for _, size in spam)
    return {
        "tau": tau,
        "best": best,
        "all": sum(p * size for p, size in kinds),
        "precision": found,
    }


def ask_a_person():
    r"""proof: A third answer

    A filter may also hand a message to a person, which costs $d > 0$ and is never wrong. A
    false alarm costs $c_{\mathrm{fp}} > 0$, a miss $c_{\mathrm{fn}} > 0$, and $p$ is the
    probability of spam. Prove: asking is strictly cheaper than both other answers exactly for
    the $p$ in an open interval; give its ends; and show that there are such $p$ if and only if
    $\frac{d}{c_{\mathrm{fp}}} + \frac{d}{c_{\mathrm{fn}}} < 1$.

    Solution.

    Saying spam costs $(1 - p)\, c_{\mathrm{fp}}$ on average, delivering $p\, c_{\mathrm{fn}}$,
    asking $d$. Asking is strictly cheaper than delivering if and only if
    $p > d / c_{\mathrm{fn}}$, and than saying spam if and only if $1 - p > d / c_{\mathrm{fp}}$,
    that is $p < 1 - d / c_{\mathrm{fp}}$. Both together: $p$ is in the open interval from
    $d / c_{\mathrm{fn}}$ to $1 - d / c_{\mathrm{fp}}$. The interval is not empty if and only if
    $d / c_{\mathrm{fn}} < 1 - d / c_{\mathrm{fp}}$, the condition. Its ends are above 0 and
    below 1, so all its points are probabilities.

    Rubric.

    - 3: the three expected costs
    - 4: both comparisons, and the interval
    - 2: the condition, in both directions
    - 1: the ends are between 0 and 1
    """


def useless_choice():
    r"""true or false: A biased estimate

    True or false, with a reason: "The least of 50 validation errors is too small on average.
    So choosing the setting with the least validation error is no better than choosing one of
    the 50 at random."

    Solution.

    False. The first sentence is right, the second does not follow: that the *estimate* of the
    winner is too small says nothing about its *true error*. If the validation set is large,
    each of the 50 shares of mistakes is close to its true error, so the winner's true error is
    close to the least of the 50, while a random setting has their mean. (If all 50 are equally
    good, the choice gains nothing, but it loses nothing either.)

    Rubric.

    - 2: "false"
    - 4: tells the estimate of the winner's error from its true error
    - 4: a case in which choosing helps, with its reason
    """


def two_folds():
    r"""output: Two folds

    A file has 1,000 messages, 500 of them spam. A student runs naive Bayes and prints

        folds  shuffled  errors of the folds
            2        no  1.00  1.00
            2       yes  0.03  0.04
           10        no  0.03  0.05  0.02  0.04  0.02  0.06  0.03  0.04  0.05  0.03

    (a) How is the file sorted? Explain why the errors of the first line are exactly 1.
    (b) Why does the last line look sound? Does it say that shuffling is needless?
    (c) Name a baseline that would have exposed the first line.

    Solution.

    (a) All spam stands in one half, all good messages in the other. Each of the two filters is
    trained on one class only; its prior for the other class is 0, so it gives every message of
    the fold that is left out, all of the other class, the wrong label. (b) Each of ten folds
    has one class only, too, but the other nine hold both classes, 400 against 500, so the
    filter learns both and only the prior is a little off. It does not say so: the order may
    hide other things (time, sender) that cut the file in the same way; shuffling, or stratified
    folds, costs nothing unless the order *is* the question. (c) Always answering the more
    frequent class of the training part: it errs on every message here, too; and on shuffled
    halves its error would be near $\frac12$. An error far *above* $\frac12$ for two equal
    classes shows that training and test part differ.

    Rubric.

    - 2: sorted by class
    - 3: each training part has one class only, so every answer is wrong
    - 3: ten folds: both classes are learned; no licence not to shuffle
    - 2: a baseline, and what it shows
    """


def appointments():
    r"""design: A filter for a surgery

    A surgery gets 300 text messages a week; about 30 are advertisements. An appointment that
    is lost costs about 60 euros, reading an advertisement 0.20 euros. The texts of twelve weeks
    are there, those of the last four are labelled. Plan a filter: what is trained, chosen and
    tested on what; which costs and which threshold; two baselines; which number you report, and
    how you would notice in two months that it is no longer true. At most one page.

    Solution.

    A good answer has these parts. *Split by time*: the labelled weeks are cut so that the test
    part is the last week, opened once; settings and the threshold are chosen by
    cross-validation on the other three; the dictionary is built inside the folds. *Costs*:
    $c_{\mathrm{fp}} : c_{\mathrm{fn}}$ is $300 : 1$, so by the formula the threshold is
    $\frac{300}{301}$; the scores of naive Bayes are too sure, so the threshold is chosen by the
    cost on left-out messages, and with about 270 good messages a week a rate of false alarms
    near $\frac1{300}$ cannot be measured: keep a safe distance, or have a person look at what
    is doubtful. *Baselines*: deliver everything (30 misses, 6 euros a week), and one word, such
    as a currency sign. *Report*: cost per week with both kinds of mistakes and their counts,
    not the error. *Later*: label a random sample each month, false alarms included, and compare
    share of spam and cost with the report.

    Rubric.

    - 3: the split: by time, choice and report apart, everything learned inside the folds
    - 3: costs, threshold, and that scores need not be probabilities
    - 2: two baselines, one of which delivers everything
    - 1: the report has costs and counts, and says how few false alarms there are to count
    - 1: a check after two months that sees false alarms, too
    """
