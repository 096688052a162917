r"""The walk along the regularisation path: from one breakpoint to the next.

The state at C is :math:`\beta = y\alpha` (see :mod:`mllib.smo.pair`), where each point is *at zero*,
*inside* (:math:`0 < \alpha_i < C`) or *full* (:math:`\alpha_i = C`), and an interval of optimal biases. (A
point that stands for w equal ones has the limit wC; read w for 1 where a limit is meant.)
With the pulls :math:`g = y - K\beta` the number :math:`r_i = y_i (g_i - b)` tells where a point is: 0 on
the margin, negative beyond, positive on its wrong side.

The direction
-------------
To which side does :math:`\alpha` go when C grows a little? Points off the margin keep their state:
:math:`d_i = d\alpha_i/dC` is 0 or 1. Of those on the margin, an inside one may move either way, one at
zero only up, :math:`d_i \ge 0`, and a full one at most as fast as the limit, :math:`d_i \le 1`.
Differentiating the optimality conditions shows that d is the solution of a quadratic program of its own,

.. math:: \min_d\; \tfrac12 d^\top Q d \quad\text{subject to}\quad y \cdot d = 0 \text{ and these bounds},

whose multiplier is the derivative of b. Usually one point has changed its state, one guesses which of
the bounds hold with equality, and d is the solution of a system of linear equations; that the guess was
right is seen from the signs. Otherwise (several points at once, more points on the margin than there are
dimensions) the quadratic program is solved by SMO and the result improved by
the linear equations for the bounds it found. Because all bounds that matter are in the program, a step
along d has positive length: the walk cannot run in circles.

The empty elbow
---------------
If no point is inside, b is not unique: the optimal ones form the interval from the greatest pull m on a
point that can rise to the least pull M on one that can fall. All full points grow with C, the ends of
the interval move, and when they meet the points responsible are on the margin together.

The beginning
-------------
At C = 0 all points are at zero and full at once. Let the positive class be the larger one. Then b = 1, the
negative points are full and off the margin, and all positive points are on it, with
:math:`0 \le d_i \le 1`: a quadratic program as above. If the classes are of equal size the elbow is empty
and b anywhere in [-1, 1].

Tangles and the end
-------------------
On a grid of points with a kernel of low rank, dozens of points may be on the margin and d far from
unique. When that happens too often the walk starts again with margins that differ from 1 by up to 1e-8:
then the points arrive one after the other, and the result violates the optimality conditions by that
little. Each breakpoint is checked against the optimality conditions. Where C is so large that
:math:`y - K\beta` is the difference of numbers ten million times as large as itself, the path ends.
"""

from typing import NamedTuple

import numpy as np

from .. import smo
from ..kernels.gram import centred

ON_MARGIN = 1e-9  # largest |r| of a point on the margin, where pulls are exact
DISORDER = 1e-8  # differences of margins that disentangle a path
BLURRED = 1e-7  # the walk ends where rounding errors of the pulls may be larger
SIMULTANEOUS = 1e-11  # an alpha whose last step to a limit moves no pull by more is already there
SIGN = 1e-9  # an alpha that grows no faster does not grow
NOISE = 1e-12  # rounding error of a sum, relative to the sum of the sizes of its terms
LOST = 1e-3  # what centring takes from K leaves rounding errors as if K were still so much of it


class Piece(NamedTuple):
    """A part of the path: values at its first C and derivatives with respect to C.

    ``bias`` holds two numbers, the least and the greatest optimal bias.
    """

    C: float
    beta: np.ndarray
    beta_rate: np.ndarray
    bias: np.ndarray
    bias_rate: np.ndarray

    def with_bias_moved(self, by):
        """The piece with another bias: less the product of ``by`` and beta."""
        return self._replace(bias=self.bias - by @ self.beta, bias_rate=self.bias_rate - by @ self.beta_rate)


def equal_examples(K, y):
    """One member of each group of examples that are equal to rounding, and the group of each example."""
    mark = K @ np.random.RandomState(0).uniform(1, 2, size=len(y))  # equal rows have equal marks
    order = np.lexsort((mark, y))
    before, after = order[:-1], order[1:]
    rounding = 64 * np.finfo(float).eps * np.abs(K).max()
    new = (y[before] != y[after]) | (np.abs(K[before] - K[after]).max(axis=1, initial=0.0) > rounding)
    group = np.empty(len(y), dtype=np.intp)
    group[order] = np.concatenate([[0], np.cumsum(new)])
    return order[np.concatenate([[True], new])], group


def walk(K, y, weight, C_max):
    """Follow the path for Gram matrix K, labels y = -1, +1, and limits weight * C.

    Returns
    -------
    pieces : list of Piece
    end : float
        Where the last piece ends: C_max, or before it if C grew so large that the terms of K beta cancel to
        rounding errors.
    """
    # Because y . alpha = 0, the images may be moved: to have mean 0. This adds a multiple of 1 to the pulls.
    means, largest = K.mean(axis=1), np.diag(K).max()
    K = centred(K)
    pieces, end, tangled = _walk(_State(K, y, weight, largest), C_max)
    if tangled:
        # A little disorder helps: margins that differ in the eighth digit are not reached at once.
        margins = 1 + DISORDER * np.random.RandomState(0).uniform(size=len(y))
        pieces, end, _ = _walk(_State(K, y, weight, largest, margins), C_max)
    return [piece.with_bias_moved(means) for piece in pieces], end


def _walk(state, C_max):
    """Pieces and end of the path; True if it was given up because of too many points on the margin."""
    n = len(state.y)
    pieces = [state.first_piece()]
    while True:
        piece = pieces[-1]
        step = state.length(piece)
        way = min(step, C_max - piece.C)
        if state.programs > n + 20 or len(pieces) > 100 * n or state.drift(way) > BLURRED:
            return pieces, piece.C, not state.disordered
        if not piece.C + step < C_max:
            return pieces, C_max, False
        if state.blur(piece, step) > BLURRED:
            return pieces, piece.C, False
        following = state.next_piece(piece, step)
        if state.violation > 10 * BLURRED:  # a wrong turn, so this piece was wrong too
            return pieces[:-1] or pieces, piece.C, not state.disordered
        pieces.append(following)


class _State:
    """Where the walk is: which points are at zero, full and on the margin, and how everything changes."""

    def __init__(self, K, y, weight, largest, margins=None):
        self.K, self.y, self.weight = K, y, weight
        self.disordered = margins is not None
        self.target = y * margins if self.disordered else y
        self.largest = max(np.diag(K).max(), LOST * largest)
        self.programs = 0  # quadratic programs that had to be solved

    def first_piece(self):
        y, w = self.y, self.weight
        self.C, self.beta, self.pull, self.near = 0.0, np.zeros(len(y)), self.target.copy(), ON_MARGIN
        surplus = w @ y
        larger = np.sign(surplus)
        self.full = y != larger
        self.zero = np.zeros(len(y), dtype=bool)
        if larger == 0 or self.disordered:
            # Full are also as many points of the larger class, those with the widest margins to reach.
            order = np.argsort(-np.abs(self.target) * ~self.full, kind="stable")
            order = order[y[order] == larger]
            too_many = np.cumsum(w[order]) - w[~(y == larger)].sum()
            self.full[order[too_many <= 0]] = True
            self.zero = ~self.full
            partly = order[(too_many > 0) & (too_many < w[order])]
            if len(partly):
                self.zero[partly] = False
                self.on = ~(self.zero | self.full)
                self.low = self.high = self.pull[partly[0]]
                rate = np.where(self.full, y * w, 0.0)
                rate[partly] -= rate.sum()
                self._set_direction(rate, -(self.K[partly[0]] @ rate), self.on)
                return self._piece()
            can_rise, can_fall = self._can_move()
            self.low, self.high = self.pull[can_rise].max(), self.pull[can_fall].min()
            return self._open_piece()
        self.low = self.high = larger
        self.on = ~self.full
        # The beta of these points may grow by 0 to w per unit of C, in the direction of y.
        bound = (y * w)[self.on]
        start = np.where(self.full, y * w, y * w * w[self.full].sum() / w[self.on].sum())
        rate, bias_rate = self._solve_program(start, np.minimum(bound, 0.0), np.maximum(bound, 0.0))
        self.zero, self.full = y * rate <= SIGN, y * rate >= w - SIGN
        self._set_refined(rate, bias_rate, ~(self.zero | self.full))
        return self._closed_piece()

    def next_piece(self, piece, step):
        """Go to the next breakpoint, see who is where, and find the new direction."""
        y, w, was_on = self.y, self.weight, self.on
        self.C = piece.C + step
        self.near = ON_MARGIN + self.blur(piece, step)
        self.beta = piece.beta + step * piece.beta_rate
        # A point that moves, but has not come away from its limit, is still there.
        alpha, close = y * self.beta, self.close(self.C)
        self.zero = np.where(self.moving, self.emptied | (alpha <= close), self.zero)
        self.full = np.where(self.moving, self.filled | (alpha >= w * self.C - close), self.full)
        self.beta[self.zero] = 0.0
        self.beta[self.full] = self.C * (y * w)[self.full]
        self.pull = self.target - self.K @ self.beta
        can_rise, can_fall = self._can_move()
        m, M = self.pull[can_rise].max(), self.pull[can_fall].min()
        self.violation = m - M
        inside = ~(self.zero | self.full)
        if inside.any():
            self.low = self.high = self.pull[inside].mean()
        else:
            self.low, self.high = m, M
            if self.high - self.low > self.near:
                return self._open_piece()
            self.low = self.high = (self.low + self.high) / 2
        self.on = inside | self.arrived | (np.abs(self.pull - self.low) <= self.near)
        if not (self._try_direction(inside | (self.on & ~was_on)) or self._try_direction(inside)):
            self._find_direction(inside)
        return self._closed_piece()

    def blur(self, piece, step):
        """Possible rounding error of the pulls at the end of a piece."""
        return 30 * np.finfo(float).eps * self.largest * np.abs(piece.beta + step * piece.beta_rate).sum()

    def close(self, C):
        """How near to a limit an alpha counts as being there."""
        return max(SIMULTANEOUS / max(self.largest, 1e-280), 8 * np.finfo(float).eps * C)

    def drift(self, step):
        """How far points that should stay on the margin leave it in a step."""
        error = np.abs(self.pull_rate - self.bias_rate).max(where=self.moving, initial=0.0)
        return error * step if error > 0.02 * self._noise(self.beta_rate) else 0.0  # (0 times infinity)

    def _can_move(self):
        """Masks of the points whose beta can rise, and can fall."""
        positive = self.y > 0
        return np.where(positive, ~self.full, ~self.zero), np.where(positive, ~self.zero, ~self.full)

    # Pieces

    def _open_piece(self):
        """No point is on the margin: the full points grow with C, and the ends of the interval move."""
        self.on = np.zeros(len(self.y), dtype=bool)
        self._set_direction(np.where(self.full, self.y * self.weight, 0.0), 0.0)
        can_rise, can_fall = self._can_move()
        return self._piece(
            self.pull_rate[can_rise & (self.pull >= self.low - self.near)].max(),
            self.pull_rate[can_fall & (self.pull <= self.high + self.near)].min(),
        )

    def _closed_piece(self):
        """One bias; unless every point is going to stay at its limit, for then the interval opens."""
        rise = self.y * self.beta_rate
        stays = (self.zero & (rise <= SIGN)) | (self.full & (rise >= self.weight - SIGN))
        return self._piece() if np.any(self.moving & ~stays) else self._open_piece()

    def _piece(self, *bias_rates):
        rates = np.array(bias_rates or [self.bias_rate, self.bias_rate])
        return Piece(self.C, self.beta, self.beta_rate, np.array([self.low, self.high]), rates)

    def length(self, piece):
        """How much C can grow before something happens; note which points it happens to."""
        (low, high), (low_rate, high_rate) = piece.bias, piece.bias_rate
        w, rise = self.weight, self.y * piece.beta_rate  # of alpha
        alpha = self.y * piece.beta
        least = self._noise(piece.beta_rate)
        to_zero = _times(alpha, -rise, self.moving & (rise < -SIGN))
        to_full = _times(w * piece.C - alpha, rise - w, self.moving & (rise > w + SIGN))
        if self.on.any():
            r, r_rate = self.y * (self.pull - low), self.y * (self.pull_rate - low_rate)
            arriving = ~self.on & np.where(self.full, r_rate < -least, r_rate > least)
            to_margin = _times(np.abs(r), np.abs(r_rate), arriving)
            step = min(to_zero.min(), to_full.min(), to_margin.min())
        else:
            # The ends of the interval of biases meet, or another point takes over as an end.
            can_rise, can_fall = self._can_move()
            closing = low_rate - high_rate
            meet = (high - low) / closing if closing > least else np.inf
            overtake, undercut = self.pull_rate - low_rate, high_rate - self.pull_rate
            step = min(
                meet,
                _times(low - self.pull, overtake, can_rise & (overtake > least)).min(),
                _times(self.pull - high, undercut, can_fall & (undercut > least)).min(),
            )
            to_margin = np.full(len(self.y), np.inf)
        together = step + self.close(piece.C + step)
        self.emptied, self.filled = to_zero <= together, to_full <= together
        self.arrived = to_margin <= together
        return step

    # Directions

    def _noise(self, rate):
        """Rates of pulls below this may be nothing but rounding errors."""
        return NOISE * self.largest * np.abs(rate).sum()

    def _set_direction(self, beta_rate, bias_rate, moving=None):
        self.beta_rate, self.bias_rate = beta_rate, bias_rate
        self.pull_rate = -(self.K @ beta_rate)
        self.moving = np.zeros(len(self.y), dtype=bool) if moving is None else moving

    def _try_direction(self, moving):
        """Solve the linear equations with these points moving freely; True if the signs are right."""
        y, w, K = self.y, self.weight, self.K
        rate = np.where(self.full & ~moving, y * w, 0.0)
        J = np.flatnonzero(moving)
        if len(J) == 0:
            return False
        # The second column corrects what rounding has done to the optimality of the present point.
        right = np.empty((len(J) + 1, 2))
        right[:-1, 0], right[-1, 0] = -(K[J] @ rate), -rate.sum()
        right[:-1, 1], right[-1, 1] = self.pull[J] - self.low, -self.beta.sum()
        try:
            solution = np.linalg.solve(self._equations(J), right)
        except np.linalg.LinAlgError:
            return False
        rate[J] = solution[:-1, 0]
        bias_rate = solution[-1, 0]
        pull_rate = -(K @ rate)
        tiny = self._noise(rate)
        rise, r_rate = y * rate, y * (pull_rate - bias_rate)
        held = self.on & ~moving
        right_signs = (
            np.all(rise[moving & self.zero] >= -SIGN)
            and np.all((rise - w)[moving & self.full] <= SIGN)
            and np.all(r_rate[held & self.zero] <= tiny)
            and np.all(r_rate[held & self.full] >= -tiny)
            and np.all(np.abs(r_rate[moving]) <= tiny)
        )
        if not right_signs or np.abs(solution[:-1, 1]).max() > 1e-6 * self.C:
            return False  # (so great a correction tells that the equations are next to singular)
        corrected = self.beta[J] + solution[:-1, 1]
        slack = self.close(self.C)
        if np.all(y[J] * corrected >= -slack) and np.all(y[J] * corrected <= w[J] * self.C + slack):
            self.beta[J] = corrected
            self.low = self.high = self.low + solution[-1, 1]
            self.pull = self.target - K @ self.beta
        self._set_direction(rate, bias_rate, moving)
        return True

    def _equations(self, J):
        """The matrix of the equations for the rates of the points J and of the bias."""
        matrix = np.ones((len(J) + 1, len(J) + 1))
        matrix[:-1, :-1] = self.K[np.ix_(J, J)]
        matrix[-1, -1] = 0.0
        return matrix

    def _find_direction(self, inside):
        """Solve the quadratic program of the direction; then let the linear equations sharpen it."""
        y, w, on = self.y, self.weight, self.on
        self.programs += 1
        # Of alpha: at least 0 for a point at zero, at most w for a full one; then of beta, by the label.
        least, most = np.where(self.zero, 0.0, -np.inf), np.where(self.full, w, np.inf)
        lower, upper = np.where(y > 0, least, -most), np.where(y > 0, most, -least)
        start = np.where(self.full, y * w, 0.0)
        if inside.any():
            start[np.flatnonzero(inside)[0]] -= start.sum()
        rate, bias_rate = self._solve_program(start, lower[on], upper[on])
        rise = y * rate
        moving = inside | (on & self.zero & (rise > SIGN)) | (on & self.full & (rise < w - SIGN))
        if not self._try_direction(moving):
            self._set_refined(rate, bias_rate, moving)

    def _set_refined(self, rate, bias_rate, moving):
        """Take the solution of the linear equations next to the rates that SMO found."""
        J = np.flatnonzero(moving)
        if len(J):
            wrong = np.append(-(self.K[J] @ rate) - bias_rate, -rate.sum())
            correction = np.linalg.lstsq(self._equations(J), wrong, rcond=1e-12)[0]
            rate[J] += correction[:-1]
            bias_rate += correction[-1]
        self._set_direction(rate, bias_rate, moving)

    def _solve_program(self, start, lower, upper):
        """SMO for the points on the margin; all others keep the rates of ``start``."""
        on, rate = np.flatnonzero(self.on), start.copy()
        K = self.K[np.ix_(on, on)]
        target = -(self.K[on] @ start)
        scale = np.abs(target).max() or 1.0
        found = smo.solve(
            K, target, lower - start[on], upper - start[on], tol=1e-12 * scale, max_iter=100_000, warn=False
        )
        rate[on] += found.beta
        return rate, found.bias


def _times(distances, speeds, where):
    """When each of the distances will have gone; infinity outside ``where``."""
    return np.divide(np.maximum(distances, 0.0), speeds, out=np.full(len(distances), np.inf), where=where)
