"""An open run as the View shows it, both ways: the one place that knows what its cells mean.

The cells `[..., 5]` of a run, all 0 where there is none: the lowest and the highest place of a natural other than a two
(low ace 1, 3 is 3, .. king 13, high ace 14), the hole between them (its place, 0 none; place 2 is no hole if the run
has an own two), its own twos (natural or wild), the code of its foreign wild. States are those of `groups.py`.
"""

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from burako_env.burako.melds.groups import ACE_LOW, FOREIGN, OWN_TWO, U16, place_state
from burako_env.cards import RANK_COUNT, TWO, WILD_TYPES

RUN_CELLS: Final = 5
_PLACES: Final = 15
_LOW_ACE, _PLACE_TWO = 1, 2
# State bits of the naturals other than twos, by place.
_NATURALS: Final = np.array([0 if place in (0, _PLACE_TWO) else place_state(place) for place in range(_PLACES)])
# The same of all places from the lowest to the highest, by lowest * 15 + highest.
_SPANS: Final = np.array(
    [_NATURALS[low : high + 1].sum() if low else 0 for low in range(_PLACES) for high in range(_PLACES)],
    dtype=np.uint16,
)
_HOLES: Final = _NATURALS.astype(np.uint16)


def decode(cells: npt.NDArray[np.int8]) -> U16:
    """States of runs, uint16 `[...]`, from their cells `[..., 5]`."""
    low, high, hole = (cells[..., index].astype(np.intp) for index in range(3))
    state: U16 = _SPANS.take(low * _PLACES + high) - _HOLES.take(hole)
    state += cells[..., 3].astype(np.uint16) * np.uint16(OWN_TWO)
    state += (cells[..., 4] > 0).astype(np.uint16) * np.uint16(FOREIGN)
    return state


def encode(states: npt.NDArray[Any]) -> npt.NDArray[np.int8]:
    """The cells of runs but for the wild's code, which no state holds: int8 `[..., 4]`."""
    return _CELLS.take(states, axis=0)


def filled_places(states: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Places that runs fill with naturals other than twos, as words: bit p is place p; same shape."""
    return ((states & ACE_LOW) << 1) | ((states & (OWN_TWO - 1) & ~ACE_LOW) << 2)


def _all_cells() -> npt.NDArray[np.int8]:
    """The cells of every state, int8 `[65536, 4]`."""
    states = np.arange(1 << 16)
    places = filled_places(states)
    low = np.bitwise_count((places & -places) - 1)
    high = np.where(places > 0, np.frexp(places)[1] - 1, 0)
    twos = (states & (FOREIGN - 1)) // OWN_TWO
    between = ((1 << high) - 1) & ~((1 << low.astype(np.int64) + 1) - 1) & ~places
    # Place 2 next to a low ace is the own two's, if the run has one.
    between &= ~np.where((low == _LOW_ACE) & (twos > 0), 1 << _PLACE_TWO, 0)
    hole = np.where(between > 0, np.bitwise_count((between & -between) - 1), 0)
    return np.stack([np.where(places > 0, low, 0), high, np.where(places > 0, hole, 0), twos], axis=1).astype(np.int8)


_CELLS: Final = _all_cells()


def run_cards(suit: int, low: int, high: int, hole: int, twos: int, wild: int) -> list[int]:
    """Cards of a run in reading order, from its five cells: a wild in the gap it fills, else at the end."""
    first = RANK_COUNT * suit
    placed = {
        place: first + (place - 1) % RANK_COUNT
        for place in range(low, high + 1)
        if place and place != hole and not (place == _PLACE_TWO and twos)
    }
    spare = [first + TWO] * twos
    if twos and low in (_LOW_ACE, _PLACE_TWO + 1) and (wild or twos > 1 or not hole):
        placed[_PLACE_TWO] = spare.pop()
    if wild:
        spare.append(WILD_TYPES[wild - 1])
    if hole and spare:
        placed[hole] = spare.pop()
    return [placed[place] for place in sorted(placed)] + spare
