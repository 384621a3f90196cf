"""Random hands through the reference: cards are conserved, a live hand has an action, every rule comes up."""

import random
from collections import Counter

import pytest

from . import ReferenceHand
from .cards import WILDS, full_pack
from .coverage import APART, MEANINGS
from .deal import deal, shuffled_pack
from .position import all_cards

CONFIGS = [
    {},
    {"ace": "low", "rediscard_single_pile": True, "one_set_per_rank_ever": True, "max_turns": 40},
    {"ace": "high", "consult": False, "exhaustion": "end", "unjustified_on_exhaustion": "normal", "cut_look_max": 11},
    {"enforcement": "sanctions"},
    {"enforcement": "sanctions", "manual_close": False, "max_turns": 60},
]
# How much likelier than others an eager player takes an action that moves the hand on.
EAGER = {"lay": 20, "take": 20, "ask": 5, "yes": 3}


def choose(legal: set[str], eager: bool, generator: random.Random) -> str:
    """A legal action at random; an eager player prefers lays, burakos and questions, and what seldom breaks a rule."""
    actions = sorted(legal)
    weights = [_foul_weight(action) or (EAGER.get(action.split()[0], 1) if eager else 1) for action in actions]
    return generator.choices(actions, weights)[0]


def _foul_weight(action: str) -> float:
    """Before drawing and with naturals nearly everything breaks a rule, which would be most of the play."""
    words = action.split()
    if words[0] != "foul":
        return 0
    if "open" in words or (words[2] in WILDS and len(words) > 3):
        return 5
    return 0.05


def random_hand(players: int, config: dict, seed: int) -> Counter:
    """Play a dealt hand to its end, checking every state; returns what fired."""
    generator = random.Random(seed)
    cutter = generator.randrange(players)
    position = deal(players, config, shuffled_pack(players, config, generator), cutter)
    hand = ReferenceHand.from_position(players, config, position)
    pack = Counter(full_pack(hand.config.decks))
    while not hand.expect()["over"]:
        legal = hand.legal()
        assert legal
        assert Counter(all_cards(hand)) == pack
        assert all(hand.hands)  # nobody waits without cards (BURAKO-1, OUT-1)
        seen = hand.view(hand.actor)
        assert sum(seen["hand_sizes"]) == sum(cards.total() for cards in hand.hands)
        assert all(
            Counter(known) <= cards for known, cards in zip(seen["known"], _from(hand.hands, hand.actor), strict=True)
        )
        hand.play(choose(legal, seed % 2 == 0, generator))
    assert hand.legal() == set()
    assert Counter(all_cards(hand)) == pack
    return hand.fired


def _from(seats: list, first: int) -> list:
    """Seats counted from one of them on."""
    return seats[first:] + seats[:first]


@pytest.mark.parametrize("players", [4, 6, 8])
@pytest.mark.parametrize("config", CONFIGS)
def test_random_hands(players, config):
    """DECK-1, TURN-6, END-1: every hand ends, cards are neither lost nor made."""
    for seed in range(4):
        assert set(random_hand(players, config, seed)) <= {*MEANINGS, *APART}


def test_every_rule_comes_up():
    """Every rule id is counted somewhere in a handful of hands."""
    fired = Counter()
    for number, config in enumerate(CONFIGS):
        for seed in range(12):
            fired += random_hand(4, config, 100 * number + seed)
    assert set(MEANINGS) <= set(fired)


def test_a_copy_is_independent():
    """A copy played on leaves the original as it was."""
    generator = random.Random(7)
    hand = ReferenceHand.from_position(4, {}, deal(4, {}, shuffled_pack(4, {}, generator), 0))
    before = hand.expect()
    twin = hand.copy()
    for _ in range(60):
        twin.play(choose(twin.legal(), True, generator))
    assert hand.expect() == before
    assert twin.expect() != before
