"""The options of an environment's `reset`, checked before anything has changed."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from burako_env.errors import UserError
from burako_env.kit import checks


def as_mapping(options: Any) -> dict[str, Any]:
    """The options as a dict, none if there are none."""
    if options is not None and not isinstance(options, Mapping):
        raise UserError(f"options = {checks.words(options)}: expected a dict of options")
    return dict(options or {})


def rules_of(options: Mapping[str, Any]) -> dict[str, Any]:
    """`rules`: rule keys."""
    rules = options.get("rules")
    if rules is not None and not isinstance(rules, Mapping):
        raise UserError(f"option rules = {checks.words(rules)}: expected a dict of rule keys")
    return dict(rules or {})


def deals_of(options: Mapping[str, Any], count: int) -> npt.NDArray[np.int64] | None:
    """`deal_id`: one for all games or one for each, int64 `[count]`; None if none is given."""
    given = options.get("deal_id")
    return None if given is None else checks.deal_ids(given, count, "option deal_id")


def turns_of(options: Mapping[str, Any], sides: int, count: int) -> npt.NDArray[np.int64]:
    """`swap_sides`: by how many seats the tables are turned, one for all games or one for each, int64 `[count]`.

    True and False are 1 and 0; other integers only make sense with more than two sides.
    """
    given = options.get("swap_sides", False)
    turns = checks.as_array("option swap_sides", given)
    fits = turns.dtype.kind == "b" or (turns.dtype.kind in "iu" and sides > 2)
    if not fits or turns.shape not in ((), (count,)) or (count and not 0 <= turns.min() <= turns.max() < sides):
        more = f", or an integer from 0 to {sides - 1}" if sides > 2 else ""
        raise UserError(
            f"option swap_sides = {checks.words(given)}: expected True or False{more}"
            + (f", or {count} of them" * (count > 1))
        )
    return np.broadcast_to(turns.astype(np.int64), (count,))


def mask_of(options: Mapping[str, Any], count: int) -> npt.NDArray[np.bool_] | None:
    """`reset_mask`: which games to reset, bool `[count]`, as Gymnasium's vector environments take it; None: all."""
    mask = options.get("reset_mask")
    if mask is None:
        return None
    if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_ or mask.shape != (count,) or not mask.any():
        raise UserError(
            f"option reset_mask = {checks.words(mask)}: expected a NumPy array, bool [{count}], with a True in it"
        )
    return mask


__all__ = ["as_mapping", "deals_of", "mask_of", "rules_of", "turns_of"]
