"""Which number of a tile stands for which rank of a card, for networks that carry over from a level to the card game.

The five numbers are laid along the ranks there and back, so that neighbours stay neighbours: 3 4 5 6 7 are 1 2 3 4 5,
then 8 9 10 J Q K A are 4 3 2 1 2 3 4. A two is wild and has no number.
"""

from collections.abc import Mapping
from typing import Final

from burako_env.cards import RANK_COUNT
from burako_env.ruibal.tiles import NUMBER_COUNT

_THERE_AND_BACK: Final = (*range(NUMBER_COUNT), *range(NUMBER_COUNT - 2, 0, -1))
_RANKS: Final = (*range(2, RANK_COUNT), 0)
# Rank to number - 1, for every rank that a number stands for.
NUMBER_OF_RANK: Final = {rank: _THERE_AND_BACK[place % len(_THERE_AND_BACK)] for place, rank in enumerate(_RANKS)}


def spread(old: int, new: int) -> Mapping[int, int]:
    """The column of a feature of `old` columns that each column of one of `new` columns stands for: number by rank."""
    return NUMBER_OF_RANK if (old, new) == (NUMBER_COUNT, RANK_COUNT) else {}
