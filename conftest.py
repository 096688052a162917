"""For every run of pytest: compiled code of the package as it is, checks of labs compared as when graded."""

import os

from nbval.plugin import IPyNbCell

from book.compiled import numba_cache
from grader.check import MIME
from grader.judge import agree

os.environ.setdefault("NUMBA_CACHE_DIR", str(numba_cache()))

_compare = IPyNbCell.compare_outputs


def _same_answers(new, old):
    """Whether two outputs of a check hold the same answers, as the grader understands it."""
    new, old = (output.get("data", {}).get(MIME) for output in (new, old))
    alike = bool(new and old) and {**new, "values": 0} == {**old, "values": 0}
    return alike and agree(new["values"], old)


def compare_outputs(cell, test, ref, skip_compare=None):
    """nbval's comparison, but the answers of a check may differ within the check's own tolerance.

    The last digit of an answer depends on the processor; no grader would take a point for it.
    """
    if len(test) == len(ref):
        pairs = zip(test, ref, strict=True)
        test = [old if _same_answers(new, old) else new for new, old in pairs]
    return _compare(cell, test, ref, skip_compare)


IPyNbCell.compare_outputs = compare_outputs
