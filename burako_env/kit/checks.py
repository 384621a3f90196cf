"""Whole numbers that come from outside: root seeds, deal ids, counts.

What is no integer (a float, a text, a truth value) or outside the range is refused in one sentence before anything
has changed. It is never rounded, cut off or wrapped: two different seeds would then deal the same cards.
"""

import operator
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from burako_env.errors import UserError, short

# Seeds of 128 random bits cannot be guessed.
LAST_SEED: Final = 2**128 - 1
# Deal ids are kept as int64.
LAST_DEAL: Final = 2**63 - 1


def whole(what: str, value: Any, low: int, high: int) -> int:
    """`value` as an int from `low` to `high`; numpy's integers are integers, too."""
    number = integer(value)
    if number is None or not low <= number <= high:
        raise UserError(f"{what} = {words(value)}: expected an integer from {low} to {_power(high)}")
    return number


def root_seed(value: Any, what: str = "root_seed") -> int:
    """`value` as a root seed, from 0 to 2**128 - 1."""
    return whole(what, value, 0, LAST_SEED)


def deal_ids(values: npt.ArrayLike, count: int, what: str = "deal_ids") -> npt.NDArray[np.int64]:
    """`values` as deal ids from 0 to 2**63 - 1, int64 `[count]`; a single one is repeated."""
    array = as_array(what, values)
    if array.ndim == 0:
        return np.full(count, whole(what, values, 0, LAST_DEAL))
    if array.shape != (count,):
        raise UserError(f"{what} has shape {list(array.shape)}, expected [{count}]")
    if array.dtype.kind not in "iu" or (count and (array.min() < 0 or array.max() > LAST_DEAL)):
        raise UserError(f"{what} = {words(array.tolist())}: expected integers from 0 to {_power(LAST_DEAL)}")
    return array.astype(np.int64, copy=False)


def as_array(what: str, values: npt.ArrayLike) -> npt.NDArray[Any]:
    """`values` as an array of whatever kind; rows of different lengths are refused."""
    try:
        return np.asarray(values)
    except ValueError:
        raise UserError(f"{what} has rows of different lengths, expected numbers side by side") from None


def following(deals: Any, step: int = 1) -> Any:
    """The deal ids `step` further on (an int or int64 `[n]`); the first follows the last."""
    return (deals + step) & LAST_DEAL


def integer(value: Any) -> int | None:
    """An integer of any type as int; None for everything else, truth values included."""
    if isinstance(value, bool | np.bool_):
        return None
    try:
        return operator.index(value)
    except TypeError:
        return None


def _power(number: int) -> str:
    return f"2**{number.bit_length()} - 1" if number > 10**9 else str(number)


def words(value: Any) -> str:
    """A value for a message: one line, not too long."""
    try:
        return short(" ".join(repr(value).split()), 60)
    except ValueError:  # an integer of thousands of digits
        return f"a very large {type(value).__name__}"


__all__ = ["LAST_DEAL", "LAST_SEED", "as_array", "deal_ids", "following", "integer", "root_seed", "whole", "words"]
