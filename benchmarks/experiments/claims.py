"""What a paper says, and whether our run agrees: a claim, a tolerance, a verdict in words."""

from dataclasses import dataclass

READ = "read"  # we have read the published value in its source
UNVERIFIED = "unverified"  # from memory or at second hand: shown as such
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
    status : {"read", "unverified"}
    tolerance : float or None
        In the unit of the value. None: the two are set side by side and nothing is claimed.
    """

    what: str
    published: float | None
    source: str
    status: str
    tolerance: float | None = None

    def __post_init__(self):
        if self.status not in (READ, UNVERIFIED):
            raise ValueError(f"status must be {READ!r} or {UNVERIFIED!r}, got {self.status!r} instead")
        if self.published is None and self.tolerance is not None:
            raise ValueError(f"{self.what}: a tolerance around no published value")

    @property
    def key(self):
        """The key of references.bib, or "ours"."""
        return self.source.split(",")[0]


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
    >>> claim = Claim("test error, %", 3.1, "schapire1998, figure 1", "read", tolerance=0.6)
    >>> verdict(claim, 2.8), verdict(claim, [3.9, 0.2])
    ('reproduced', 'not reproduced')
    """
    if claim.tolerance is None:
        return COMPARED
    if ours is None:
        raise ValueError(f"{claim.what}: a tolerance, and no value of ours")
    within = abs(centre(ours) - claim.published) <= claim.tolerance + ROUNDING
    return REPRODUCED if within else MISSED
