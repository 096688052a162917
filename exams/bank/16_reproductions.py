"""Chapter 16, Reproductions."""

from fractions import Fraction
from math import sqrt


def tolerance(ours=(11.5, 11.7, 12.9), spread=(0.3, 0.5), R=(25, 100), claimed=(0.8, 1.0)):
    r"""computation: A tolerance that can fail

    A paper says that 100 boosted trees err on 12.4 % of a test set, and one tree on 13.1 %; both
    are means over $[[R]]$ random splits. A student runs it again on $[[R]]$ splits and gets
    $[[ours]]$ % for the boosted trees, with standard deviation $[[spread]]$ points from split to
    split. "With a tolerance of $[[claimed]]$ points it is reproduced." (a) Give the interval that
    this tolerance accepts. Can it fail against the rival, one tree? (b) Which tolerances can?
    Does the student's number pass the largest one of a tenth of a point that can? (c) How many
    standard deviations of a difference of two such means are the two results apart, and what
    follows if they are more than 3? (d) Why must the tolerance be chosen before the run?

    Solution.

    (a) From $[[low:.1f]]$ to $[[high:.1f]]$. One tree, 13.1, lies inside: the tolerance would
    accept a result without any gain by boosting, so it cannot fail where it matters. (b) It must
    be less than $13.1 - 12.4 = 0.7$ points, so at most 0.6. The student's number is
    $[[off:.1f]]$ off: it [[verdict]]. (c) The difference of two means has the standard deviation
    $s \sqrt{2 / R} = [[sd:.3f]]$, so they are $[[apart:.1f]]$ of these apart. Above 3 chance is no
    explanation: something in the protocol differs, even if the numbers are near enough for the
    claim. (d) Whoever has seen the result can always find a tolerance that it passes.

    Rubric.

    - 3: the interval, and that the rival lies in it
    - 2: less than the distance of the rival; the verdict
    - 3: the standard deviation of the difference, and what a large multiple says
    - 2: before the run, with the reason
    """
    off = abs(ours - 12.4)
    sd = spread * sqrt(Fraction(2, R))
    verdict = "passes" if off <= 0.6 + 1e-9 else "does not pass"
    return {
        "low": 12.4 - claimed,
        "high": 12.4 + claimed,
        "off": off,
        "verdict": verdict,
        "sd": sd,
        "apart": off / sd,
    }


def protocol():
    r"""design: What is missing?

    "We trained a support vector machine with a Gaussian kernel on the data set of Smith et al.
    The parameters were optimised by cross-validation. The accuracy was 97.2 %, which is
    significantly better than the 96.1 % of Smith et al." Somebody wants to run this again. List
    what has to be asked, in the order in which the answers may change the number; say for the
    three most important questions how the answer could change it; and write the paragraph as it
    ought to stand, with invented answers. At most one page.

    Solution.

    A good answer asks: *data*: which version (checksum), which rows and columns, copies or
    relatives among the examples; *split*: by what, how many, with which seeds, the same as
    Smith's; *preparation*: scaling, gaps, learned on which part; *choice*: which grid for $C$
    and the width, which folds, and whether 97.2 % was measured on examples that took part in
    choosing; *measure*: what the share of the largest class is, the spread over splits, what
    "significantly" rests on; *programs*: versions, tolerance, ties. Relatives across the split,
    and a winner judged by the folds that chose it, raise the number without any merit; without
    scaling it may fall to the share of the largest class. The paragraph gives all of this in
    numbers, a baseline without a learner, and pairs: in how many of the splits which method was
    better.

    Rubric.

    - 3: data and split, with copies or relatives
    - 3: choosing and reporting apart; the grid
    - 2: spread, baseline, pairs instead of "significantly"
    - 2: a paragraph from which it could be run again
    """
