"""The stars of a case: cards and tiles that are not written, filled from what is left, by the case's seed."""

from collections.abc import Callable
from typing import Final

from burako_env.cases.nodes import Node

# The stream of the words that fill stars (`chance/rng.py`): apart from those of deals and agents.
STREAM_CASES: Final = 6

# Cards or tiles as written; None is a star, to be filled.
Template = list[int | None]


def fill(
    template: Template, rest: list[int], node: Node, *, without: Callable[[int], bool] = lambda card: False
) -> list[int]:
    """The template, its stars filled from the front of `rest`, which loses them; cards `without` are passed over."""
    filled = []
    for card in template:
        if card is None:
            at = next((at for at, other in enumerate(rest) if not without(other)), None)
            if at is None:
                raise node.error("the stars and burakos ask for more cards than are left")
            card = rest.pop(at)
        filled.append(card)
    return filled
