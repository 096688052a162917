"""Values as a check emits them: plain, rounded, described in words, and compared.

An answer leaves the student's process as JSON: numbers, texts, lists, dicts.  Floats carry six significant
digits, so that the last bits of a sum (which differ from machine to machine) do not show in a notebook.
The judge compares such plain values with those of the solution; the same functions describe to the
student what kind of answer was expected.  Nothing here trusts an object's own ``==``.
"""

import numpy as np

DIGITS = 6  # significant digits in the bundle
KINDS = ("shape", "above", "at_least", "below", "at_most", "sums_to", "only")  # what a value looks like
TERMS = ("within", "agree", "up_to", "unique")  # how it is graded


def plain(value):
    """Turn an answer into JSON: numbers rounded to six significant digits, arrays into lists.

    >>> plain(np.array([1 / 3, 2]))
    [0.333333, 2.0]
    """
    if value is ...:
        raise NotImplementedError
    if value is None or isinstance(value, bool | np.bool_):
        return None if value is None else bool(value)
    if isinstance(value, str):
        return str(value)[:1000]
    if isinstance(value, int | np.integer):
        return int(value)
    if isinstance(value, float | np.floating):
        number = float(f"{float(value):.{DIGITS}g}") + 0.0  # + 0.0: no negative zero
        return number if np.isfinite(number) else str(number)
    if isinstance(value, dict):
        return {str(key): plain(part) for key, part in value.items()}
    if isinstance(value, set | frozenset):
        return [plain(part) for part in sorted(value)]
    if isinstance(value, list | tuple | range):
        return [plain(part) for part in value]
    if hasattr(value, "__array__"):
        array = np.asarray(value)
        if array.dtype.kind in "biufU" or array.dtype == object and array.ndim:
            return plain(array.tolist())
    raise TypeError(f"an object of type {type(value).__name__}")


def kind_faults(value, wishes):
    """What is not as wished: a list of pairs (what was expected, what came), in words.

    >>> kind_faults([0.5, -2.0], {"above": 0})
    [('numbers above 0', '-2 at position 1')]
    """
    if not any(kind in wishes for kind in KINDS):
        return [] if value is not None else [("an answer", "nothing: is a return missing?")]
    array = _numbers(value)
    if array is None:
        return [("numbers", "nothing: is a return missing?" if value is None else show(value))]
    if "shape" in wishes and array.shape != tuple(wishes["shape"]):
        return [(_shape_words(tuple(wishes["shape"])), _shape_words(array.shape))]
    noun = "numbers" if array.ndim else "a number"
    bad = np.isnan(array)
    if bad.any():
        return [(noun, _first(array, bad))]
    for kind, words, breaks in (
        ("above", "above", np.less_equal),
        ("at_least", "at least", np.less),
        ("below", "below", np.greater_equal),
        ("at_most", "at most", np.greater),
    ):
        if kind in wishes:
            # One rounding unit of slack where equality is allowed: the values were rounded before.
            slack = {"at_least": -1e-6, "at_most": 1e-6}.get(kind, 0) * max(1, abs(wishes[kind]))
            bad = breaks(array, wishes[kind] + slack)
            if bad.any():
                return [(f"{noun} {words} {show(wishes[kind])}", _first(array, bad))]
    if "sums_to" in wishes:
        with np.errstate(all="ignore"):  # infinite and huge numbers are a wrong sum, not a warning
            total, goal = array.sum(), wishes["sums_to"]
            off = abs(total - goal) > wishes.get("within", 1e-5) * max(np.abs(array).sum(), abs(goal))
        if off or not np.isfinite(total):
            return [(f"{noun} that sum to {show(goal)}", f"they sum to {show(float(total))}")]
    if "only" in wishes:
        bad = ~np.isin(array, wishes["only"])
        if bad.any():
            return [(f"only {', '.join(map(show, wishes['only']))}", _first(array, bad))]
    return []


def same(value, reference, terms):
    """Whether two plain values agree under the terms (tolerance, share of entries, sign, scale, order).

    >>> same([1.0, -2.0], [-1.0, 2.0], {"up_to": "sign"}), same([1, 1], [1, 2], {}), same(True, 1.0, {})
    (True, False, True)
    """
    if isinstance(reference, dict):
        alike = isinstance(value, dict) and value.keys() == reference.keys()
        return alike and all(same(value[key], reference[key], terms) for key in reference)
    a, b = _numbers(value), _numbers(reference)
    if b is None or a is None:
        if not isinstance(reference, list):
            return type(value) is type(reference) and value == reference
        if not isinstance(value, list) or len(value) != len(reference):
            return False
        equal = [same(x, y, {**terms, "agree": 1}) for x, y in zip(value, reference, strict=True)]
        return sum(equal) >= terms.get("agree", 1) * len(equal)
    if a.shape != b.shape or not a.size:
        return a.shape == b.shape
    up_to = terms.get("up_to")
    if up_to == "order":
        a, b = np.sort(a, axis=None), np.sort(b, axis=None)
    if up_to == "scale":
        a, b = _direction(a), _direction(b)
    # Measured against the largest entry, so that noise beside it does not count, yet 1e-9 is not 2e-9.
    finite = np.abs(b[np.isfinite(b)])
    slack = terms.get("within", 1e-5) * max(finite.max(initial=0), 1e-6)
    signs = (a, -a) if up_to == "sign" else (a,)
    with np.errstate(all="ignore"):
        shares = [np.mean(np.isclose(v, b, rtol=0, atol=slack, equal_nan=True)) for v in signs]
    return bool(max(shares) >= terms.get("agree", 1))


def show(value):
    """A value in few words: four significant digits, long lists cut short.

    >>> show([1 / 3, 2]), show(list(range(100)))
    ('[0.3333, 2]', '[0, 1, 2, 3, 4, ...] (100 entries)')
    """
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, list):
        few = ", ".join(map(show, value[:5]))
        return f"[{few}]" if len(value) <= 5 else f"[{few}, ...] ({len(value)} entries)"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {show(part)}" for key, part in list(value.items())[:5]) + "}"
    return "nothing: is a return missing?" if value is None else repr(value)[:80]


def count(value):
    """How many numbers and texts an answer holds, plain or not yet.

    >>> count({"a": [1, 2], "b": np.zeros((2, 3))})
    8
    """
    if isinstance(value, range):
        return len(value)
    if hasattr(value, "__array__"):
        array = np.asarray(value)
        if array.dtype != object or not array.ndim:
            return array.size
        value = array.tolist()
    parts = value.values() if isinstance(value, dict) else value
    return sum(map(count, parts)) if isinstance(value, dict | list | tuple | set | frozenset) else 1


def too_many(value, wishes, most):
    """As :func:`kind_faults`, for an answer of more numbers than are looked at one by one.

    >>> too_many(np.ones((200, 200)), {"shape": [10]}, 20_000)
    [('10 numbers', 'too many numbers: shape (200, 200)')]
    """
    number = count(value)
    if number <= most:
        return []
    expected = _shape_words(tuple(wishes["shape"])) if "shape" in wishes else "fewer numbers"
    shape = f"shape {value.shape}" if isinstance(value, np.ndarray) else f"{number} of them"
    return [(expected, f"too many numbers: {shape}")]


def _numbers(value):
    """The plain value as floats ("nan" and "inf" were texts in JSON), or None if it is not numeric."""
    if isinstance(value, str) and value not in ("nan", "inf", "-inf"):
        return None
    try:
        array = np.array(value, dtype=float)
    except (TypeError, ValueError, OverflowError):
        return None
    return None if _has_none(value) or isinstance(value, dict) else array


def _has_none(value):
    return any(map(_has_none, value)) if isinstance(value, list) else value is None


def _direction(array):
    """The array at length 1; divided by its largest entry first, so that squares cannot overflow."""
    size = np.abs(array).max()
    return array / size / np.linalg.norm(array / size) if 0 < size < np.inf else array


def _first(array, bad):
    at = tuple(int(i) for i in np.argwhere(bad)[0])
    number = show(float(array[at]))
    return number if not at else f"{number} at position {at[0] if len(at) == 1 else at}"


def _shape_words(shape):
    if len(shape) == 1:
        return f"{shape[0]} numbers" if shape[0] != 1 else "an array of 1 number"
    return "one number" if not shape else f"an array of shape {shape}"
