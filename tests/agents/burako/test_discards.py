"""Discard strategies do what they say, in positions made by hand; the seed's advice as predicates."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from agents.burako.discard import STRATEGIES
from agents.burako.discard.features import features
from agents.burako.discard.fitted import WEIGHTS
from agents.burako.discard.measures import chance_of_run, chance_of_set, closed, dead, expected_in_hand, lies_on
from agents.burako.discard.sentences import SENTENCES
from agents.burako.facts import Facts
from agents.burako.lookup import lookups
from agents.registry import describe
from burako_env.burako.game import BurakoGame
from burako_env.burako.rules import PRESETS, Rules
from burako_env.cards import TYPE_COUNT, card_name, card_type
from burako_env.cases.burako.position import read_position
from burako_env.cases.nodes import nodes_of_text
from tests.tools.core_play import GAMES, dealt, mixed_actions

FOUR = PRESETS["burako-4"]


def game_at(position: str, rules: Rules = FOUR) -> BurakoGame:
    """A batch of one at a position in the words of the case files, seat 0 to lay or discard."""
    node = nodes_of_text(f"{{turn: 0, phase: lay, {position}}}", Path("text.yaml"))
    assert node is not None
    return BurakoGame.from_positions([read_position(node, rules)])


def facts_at(position: str) -> Facts:
    """What the seat to act there can read out of its View."""
    return Facts(game_at(position).view(), lookups(FOUR))


def hands(own: str, others: str = "*11") -> str:
    """The hands of a position; `others` is what the next player holds."""
    return f'hands: ["{own}", "{others}", "*11", "*11"]'


def throws(strategy: str, position: str) -> str:
    """The card a strategy discards."""
    game = game_at(position)
    first = game.table.discard(0)
    legal = game.legal()[:, first : first + TYPE_COUNT]
    return card_name(int(STRATEGIES[strategy]().choose(Facts(game.view(), lookups(FOUR)), legal, game.keys())[0]))


def named(cards: np.ndarray) -> set[str]:
    """Cards marked in `[1, 4, 13]`."""
    return {card_name(int(card)) for card in np.flatnonzero(cards[0])}


# All of them.


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_row_is_rated_alike_in_every_batch(strategy, name):
    game = dealt(name, 40)
    for _ in range(50):
        game.step(mixed_actions(game))
    live = np.flatnonzero(~game.done)
    view, keys, known = game.view(live), game.keys(live), lookups(PRESETS[name])
    scores = STRATEGIES[strategy]().scores(Facts(view, known), keys)
    assert scores.shape == (len(live), TYPE_COUNT)
    assert np.isfinite(scores).all()
    for row in range(0, len(live), 7):
        alone = STRATEGIES[strategy]().scores(Facts(view.take([row]), known), keys[[row]])
        assert np.array_equal(alone[0], scores[row])
    differs = not np.array_equal(STRATEGIES[strategy]().scores(Facts(view, known), keys + np.uint64(1)), scores)
    assert differs == (strategy == "random")


def test_every_strategy_is_an_option_of_the_heuristic():
    option = next(line for line in describe("heuristic").options if line.startswith("discard="))
    assert all(name in option for name in STRATEGIES)


# One by one.


def test_lowest_and_highest_go_by_points():
    assert throws("lowest", hands("AC KD 7H")) == "7H"
    assert throws("highest", hands("AC KD 7H")) == "AC"


@pytest.mark.parametrize(
    ("own", "card"),
    [("KD KH 7S 8S QC", "QC"), ("7S 8S 9C 9D 3H", "3H"), ("AH KH 5C 5D 9S", "9S"), ("4C 6C JD 8H", "JD")],
)
def test_isolated_keeps_pairs_and_neighbours(own, card):
    assert throws("isolated", hands(own)) == card


def test_memory_denies_what_the_next_player_may_hold():
    known = 'known: ["", "9C 9D", "", ""]'
    assert throws("memory", f"{hands('9S 4H', '9C 9D *5')}, {known}") == "4H"
    # Cards of a rank that is gone can open nothing; of those left over all may.
    gone = 'tables: [[], ["KC KD KH KS KC KD"]]'
    assert throws("memory", f"{hands('KH 4H')}, {gone}") == "4H"
    gone = 'closed: [["KC KD KH KS KC KD KS"], []]'
    assert throws("memory", f"{hands('KH 10H')}, {gone}") == "KH"


def test_memory_counts_the_pile_as_his():
    assert throws("memory", f'{hands("9S JH")}, pile: "9C 9D"') == "JH"
    assert throws("memory", f'{hands("9S JH")}, pile: "JC JD"') == "9S"


def test_cooperative_keeps_what_partners_need():
    known = 'hands: ["9S JH", "*11", "9C 9D *5", "*11"], known: ["", "", "9C 9D", ""]'
    assert throws("cooperative", known) == "JH"
    known = 'hands: ["9S JH", "JC JD *5", "*11", "*11"], known: ["", "JC JD", "", ""]'
    assert throws("cooperative", known) == "9S"


def test_fitted_has_a_weight_for_every_feature():
    game = dealt("burako-4", 3)
    names = [name for name, _ in features(Facts(game.view(), lookups(FOUR)))]
    assert names == list(WEIGHTS)


# The seed, ADVICE-1 to ADVICE-3.

TABLE = 'tables: [[], ["9C 9D 9H"]]'


@pytest.mark.parametrize(
    ("position", "card"),
    [
        # ADVICE-1, where nothing else is said: 5 cards in the next hand.
        (f'{hands("9S 4H JD", "*5")}, closed: [["4C 4D 4H 4S 4C 4D 4S"], []]', "4H"),
        # ADVICE-2, one card: what is off his table, though 9S alone is without companions.
        (f"{hands('9S 4H 4D', '*1')}, {TABLE}", "4D"),
        # Two and three cards: what lies on a table, even a pair's half.
        (f"{hands('9S 9H 4H', '*2')}, {TABLE}", "9H"),
        (f"{hands('9S 9H 4H', '*3')}, {TABLE}", "9H"),
        (f"{hands('9S 9H 4H', '*4')}, {TABLE}", "4H"),
        # ADVICE-3, one card: no pair with a pile card; two: what lies on a table.
        (f'{hands("JS 4H 4D", "*1")}, pile: "JC 8D"', "4D"),
        (f'{hands("9S 9H 4H", "*2")}, {TABLE}, pile: "JC"', "9H"),
        (f'{hands("9S 9H 4H", "*3")}, {TABLE}, pile: "JC"', "4H"),
    ],
)
def test_seed_follows_the_advice_to_the_letter(position, card):
    assert throws("seed", position) == card


def sentence(name):
    return next(found for found in SENTENCES if found.name == name)


def test_when_each_sentence_speaks():
    for cards in range(1, 6):
        for pile in (False, True):
            facts = facts_at(hands("9S 4H", f"*{cards}") + (', pile: "JC"' if pile else ""))
            spoken = {found.name.removesuffix(", fit") for found in SENTENCES if found.applies(facts)[0]}
            number = {1: "one card", 2: "two cards", 3: "three cards"}.get(cards)
            wanted = {"ADVICE-1"}
            if number and not (pile and cards == 3):
                wanted.add(f"ADVICE-{2 + pile} {number}")
            if number == "one card" and not pile:
                wanted |= {"ADVICE-2 one card, blocked", "ADVICE-2 one card, partner"}
            assert spoken == wanted


def test_which_cards_follow_each_sentence():
    facts = facts_at(f'{hands("9S 4H JD")}, tables: [["3C 4C 5C"], ["9C 9D 9H", "5D 6D 7D"]], pile: "KH"')
    off = named(sentence("ADVICE-2 one card").follows(facts))
    assert not off & {"9S", "9C", "5D", "6D", "7D"}
    assert {"3C", "4D", "8D"} <= off
    unfit = named(sentence("ADVICE-2 one card, fit").follows(facts))
    assert not unfit & {"9S", "4D", "8D"}
    assert {"6D", "6C", "3C"} <= unfit
    lying = named(sentence("ADVICE-2 two cards").follows(facts))
    assert lying == {"3C", "4C", "5C", "9C", "9D", "9H", "9S", "5D", "6D", "7D"}
    single = named(sentence("ADVICE-3 one card").follows(facts))
    assert not single & {"KC", "KD", "KH", "KS"}
    assert "QH" in single
    known = facts_at('hands: ["9S 4H", "*11", "QC *5", "*11"], known: ["", "", "QC", ""]')
    helps = named(sentence("ADVICE-2 one card, partner").follows(known))
    assert helps == {"QC", "QD", "QH", "QS", "10C", "JC", "KC", "AC"}


def test_closed_and_dead_cards():
    facts = facts_at(f'{hands("KH 4H 6C")}, closed: [["KC KD KH KS KC KD KS"], ["3C 4C 5C 6C 7C 8C 9C"]]')
    there = named(closed(facts))
    assert {"KC", "KD", "KH", "KS", "3C", "9C"} <= there
    assert not there & {"4H", "10C"}
    # One king is left, and every run with it needs the queen: those are all there.
    assert "KH" not in named(dead(facts, 0))
    gone = 'closed: [["KC KD KH KS KC KD KS"], ["QC QD QH QS QC QD QH", "JH JC JD JS JH JC JD"]]'
    facts = facts_at(f"{hands('KH 4H QS')}, {gone}")
    assert "KH" in named(dead(facts, 0))
    assert "KH" in named(dead(facts, 1))
    assert "4H" not in named(dead(facts, 1))


def test_what_lies_on_a_table():
    on = lies_on(facts_at(f'{hands("9S 4H")}, tables: [["QS KS AS"], ["9C 9D 9H"]]'))
    assert named(on[:, 0]) == {"QS", "KS", "AS"}
    assert named(on[:, 1]) == {"9C", "9D", "9H", "9S"}


def test_expected_cards_add_up_to_the_hand():
    facts = facts_at('hands: ["9S 4H", "QC *6", "*11", "*11"], known: ["", "QC", "", ""], pile: "9C 9D"')
    his = expected_in_hand(facts, 1)
    assert his[0, card_type("QC") // 13, 11] > 1
    # Wilds take their share of the six unknown cards.
    assert 5 < his.sum() < 7
    assert his[0, 0, 8] < his[0, 0, 7]
    sure = np.zeros((1, 4, 13), dtype=np.float32)
    sure[0, 0, [3, 4]] = 50
    assert chance_of_run(sure)[0, 0, [2, 5]] == pytest.approx([1, 1])
    assert chance_of_run(sure)[0, 0, [7, 1]] == pytest.approx([0, 0])
    assert chance_of_set(sure, 2)[0, [3, 8]] == pytest.approx([1, 0])
    assert chance_of_set(sure / 50, 1)[0, 3] == pytest.approx(1 - np.exp(-1))
