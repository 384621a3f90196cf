"""Several chosen cards as the chain of actions that lays them.

The core lays card by card, in the order of GROUP-12; a person chooses cards and a place. The order is found by asking
the core: every step of a chain is a legal action of the position that the steps before it lead to.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Final, Literal

import numpy as np

from burako_env.burako.game import BurakoGame
from burako_env.burako.melds.groups import MAX_CARDS, MIN_CARDS
from burako_env.burako.turn.actions import FIRST_RUN, WILD_GROUP, Kind
from burako_env.cards import RANK_COUNT, is_wild
from experiments.play.burako.reasons import Wish, own_team, runs_of, why_not
from experiments.play.families import Plan
from experiments.play.happenings import Reason

# Where cards go: a group of the actor's team by its number, a new one, or the pile.
Place = int | Literal["new", "discard"]
PLACES: Final[tuple[Place, ...]] = ("new", "discard")


def plan(game: BurakoGame, cards: Sequence[int], place: Place) -> Plan | None:
    """The actions that bring these cards of the seat to act in game 0 there, in order; None if there are none."""
    if _not_held(game, cards) is not None:
        return None
    if place == "discard":
        action = game.table.discard(cards[0])
        return (action,) if len(cards) == 1 and game.legal()[0, action] else None
    if place != "new" and place not in open_groups(game):
        return None
    if place == "new" and (not MIN_CARDS <= len(cards) <= MAX_CARDS or int(game.view().opening[0])):
        return None
    return _lays(game, Counter(cards), None if place == "new" else place)


def open_groups(game: BurakoGame) -> tuple[int, ...]:
    """Numbers of the open groups of the seat to act's team."""
    return tuple(group.number for group in own_team(game).groups)


def places(game: BurakoGame, cards: Sequence[int]) -> dict[Place, Plan]:
    """Every place that takes these cards together, with its plan."""
    found = ((place, plan(game, cards, place)) for place in (*open_groups(game), *PLACES))
    return {place: actions for place, actions in found if actions is not None}


def why_no_plan(game: BurakoGame, cards: Sequence[int], place: Place) -> Reason:
    """Why these cards may not go there."""
    lacking = _not_held(game, cards)
    if lacking is not None and game.phase_text(0) == "lay":
        return Reason("TURN-4" if place == "discard" else "TURN-3", "not.held", {"card": lacking})
    if place == "discard":
        if len(cards) != 1:
            return Reason("TURN-4", "one.discard")
        return why_not(game, Wish(Kind.DISCARD, cards[0]))
    if place == "new":
        return _why_no_group(game, cards)
    laid = next((group for group in own_team(game).groups if group.number == place), None)
    if laid is None or len(cards) == 1:
        return why_not(game, Wish(Kind.LAY, cards[0], place))
    if len(laid.cards) + len(cards) > MAX_CARDS:
        return Reason("GROUP-1", "many", {"count": MAX_CARDS})
    # The card that is left over once as many as possible of the others lie there.
    ahead, left = _as_far_as_possible(game, Counter(cards), place)
    return why_not(ahead, Wish(Kind.LAY, left, place))


def _not_held(game: BurakoGame, cards: Sequence[int]) -> int | None:
    """A card that the hand does not hold as often as it is chosen.

    It could come with a burako in the middle of a chain, and a chain that is found would tell that it is there.
    """
    held = Counter(dict(enumerate(game.view().hand[0].tolist())))
    return next(iter(Counter(cards) - held), None)


def _lays(game: BurakoGame, cards: Counter[int], group: int | None) -> Plan | None:
    """A chain of lays of all these cards on one group; None as group: on a new one."""
    rows = game.table.rows
    there = open_groups(game) if group is None else ()
    for action in np.flatnonzero(game.legal()[0] & (rows["kind"] == Kind.LAY)).tolist():
        card, target = int(rows["card"][action]), int(rows["group"][action])
        if not cards[card] or target in there or (group is not None and target != group):
            continue
        rest = cards - Counter([card])
        if not rest:
            return (action,)
        after = game.clone()
        after.step([action])
        if after.done[0] or int(after.to_act[0]) != int(game.to_act[0]):
            continue
        found = _lays(after, rest, target)
        if found is not None:
            return (action, *found)
    return None


def _as_far_as_possible(game: BurakoGame, cards: Counter[int], group: int) -> tuple[BurakoGame, int]:
    """The game after as many of the cards as one chain lays, and the first card that is left then."""
    for card in sorted(cards):
        action = _action(game, card, group)
        if action is not None and (rest := cards - Counter([card])):
            after = game.clone()
            after.step([action])
            return _as_far_as_possible(after, rest, group)
    refused = [card for card in sorted(cards) if _action(game, card, group) is None]
    return game, (refused or sorted(cards))[0]


def _action(game: BurakoGame, card: int, group: int) -> int | None:
    """The legal action of laying a card on a group."""
    try:
        action = game.table.lay(card, group)
    except KeyError:
        return None
    return action if game.legal()[0, action] else None


def _why_no_group(game: BurakoGame, cards: Sequence[int]) -> Reason:
    """Why these cards open no group."""
    naturals = [card for card in cards if not is_wild(card)]
    wish = Wish(Kind.LAY, cards[0], _group_of(game, naturals))
    if game.phase_text(0) != "lay" or int(game.view().opening[0]):
        return why_not(game, wish)
    if not MIN_CARDS <= len(cards) <= MAX_CARDS:
        few = len(cards) < MIN_CARDS
        return Reason("GROUP-1", "few" if few else "many", {"count": MIN_CARDS if few else MAX_CARDS})
    if wish.group is None:
        return Reason("GROUP-2", "mixed")
    if wish.group < FIRST_RUN and wish.group != WILD_GROUP and wish.group in open_groups(game):
        return Reason("GROUP-7", "set.open", {"rank": wish.group})
    if naturals and len(cards) - len(naturals) > 1:
        return Reason("GROUP-4", "second.wild")
    # What keeps the first card from the table keeps all of them; if nothing does, they do not belong together.
    first = (naturals or cards)[0]
    if _action(game, first, wish.group) is not None:
        return Reason("GROUP-3", "mixed")
    reason = why_not(game, Wish(Kind.LAY, first, wish.group))
    return Reason("GROUP-3", "mixed") if reason.key == "open.three" else reason


def _group_of(game: BurakoGame, naturals: Sequence[int]) -> int | None:
    """The group that these cards would open: a set's rank, a suit's next run, the wild group; None for a mixture."""
    if not naturals:
        return WILD_GROUP
    ranks, suits = {card % RANK_COUNT for card in naturals}, {card // RANK_COUNT for card in naturals}
    if len(ranks) == 1:
        return ranks.pop()
    if len(suits) > 1:
        return None
    suit = suits.pop()
    return game.table.run_group(suit, min(runs_of(game, suit, open_groups(game)), game.rules.run_slots - 1))
