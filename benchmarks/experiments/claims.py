"""What a paper says, and whether our run agrees: a claim, a tolerance, a verdict in words."""

from dataclasses import dataclass

READ = "read"  # we have read the published value in its source
SECOND_HAND = "second hand"  # read in a text that cites the source
REBUILT = "rebuilt"  # read, but the data are ours, made to fit the source
UNVERIFIED = "unverified"  # from memory: shown as such
OURS = "ours"  # no published number: ours, beside the others
STATUSES = (READ, SECOND_HAND, REBUILT, UNVERIFIED, OURS)
REPRODUCED, MISSED, COMPARED = "reproduced", "not reproduced", "compared"
ROUNDING = 1e-9  # a difference equal to the tolerance counts as within it


@dataclass(frozen=True)
class Claim:
    """One published number.

    Parameters
    ----------
    what : str
        Names the quantity, and the value in ``ours``.
    published : float or None
        The published value; None for a number of our own that stands beside the others.
    source : str
        A key of references.bib, then a comma and the place: ``"schapire1998, figure 1"``. For a number of our
        own: ``"ours"``.
    status : {"read", "second hand", "rebuilt", "unverified", "ours"}
    tolerance : float or None
        In the unit of the value. None: the two are set side by side and nothing is claimed.
    rival : float or None
        What the number would be without the effect that is claimed, such as the error of one tree beside that
        of a committee. A tolerance that would accept it has no power, and is refused.
    """

    what: str
    published: float | None
    source: str
    status: str
    tolerance: float | None = None
    rival: float | None = None

    def __post_init__(self):
        if self.status not in STATUSES:
            raise ValueError(f"status must be one of {', '.join(STATUSES)}, got {self.status!r} instead")
        if (self.published is None) != (self.status == OURS):
            raise ValueError(f"{self.what}: status {OURS!r} is for what has no published value")
        if self.tolerance is None:
            return
        if self.published is None:
            raise ValueError(f"{self.what}: a tolerance around no published value")
        if self.rival is None or abs(self.rival - self.published) <= self.tolerance + ROUNDING:
            raise ValueError(f"{self.what}: a tolerance that does not reject the rival, {self.rival}")

    @property
    def key(self):
        """The key of references.bib, or "ours"."""
        return self.source.split(",")[0]


def beside(what):
    """A number of our own that stands beside the published ones."""
    return Claim(what, None, "ours", OURS)


def centre(ours):
    """Our value, or the mean of a pair of mean and standard deviation."""
    return ours[0] if isinstance(ours, (list, tuple)) else ours


def verdict(claim, ours):
    """Whether our value is within the tolerance of the published one.

    Parameters
    ----------
    claim : Claim
    ours : float, [mean, standard deviation], or None
        None for a published method that we did not run.

    Returns
    -------
    {"reproduced", "not reproduced", "compared"}

    Examples
    --------
    >>> claim = Claim("test error, %", 3.1, "schapire1998, figure 1", "read", tolerance=0.6, rival=8.4)
    >>> verdict(claim, 2.8), verdict(claim, [3.9, 0.2])
    ('reproduced', 'not reproduced')
    """
    if claim.tolerance is None:
        return COMPARED
    if ours is None:
        raise ValueError(f"{claim.what}: a tolerance, and no value of ours")
    within = abs(centre(ours) - claim.published) <= claim.tolerance + ROUNDING
    return REPRODUCED if within else MISSED
