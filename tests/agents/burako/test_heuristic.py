"""The heuristic in positions set up by hand: what it lays, takes and asks, and how it rates discards."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import pytest

import agents
import burako_env
from agents.burako.discard import STRATEGIES
from agents.burako.facts import Facts
from agents.burako.lookup import lookups
from burako_env.burako.game import BurakoGame
from burako_env.burako.rules import PRESETS, Rules
from burako_env.cards import TYPE_COUNT, card_name, card_type
from burako_env.cases.burako.position import read_position
from burako_env.cases.nodes import nodes_of_text
from burako_env.chance.rng import U64, combine


def game_at(position: str, rules: Rules = PRESETS["burako-4"]) -> BurakoGame:
    """A batch of one at a position written as in the case files."""
    node = nodes_of_text(position, Path("text.yaml"))
    assert node is not None
    return BurakoGame.from_positions([read_position(node, rules)])


def plays(position: str, spec: str = "heuristic") -> str:
    """The action an agent takes there, in words."""
    game = game_at(position)
    return game.action_text(int(agents.load(spec, "burako-4").act(game.view(), game.legal(), game.keys())[0]))


@pytest.mark.parametrize(
    ("hand", "own", "action"),
    [
        ("9S 4D KH JK", "9C 9D 9H 9S 9C 9D", "lay 9S set"),
        ("4D KH JS 2C 7S", "9C 9D 9H", "discard"),
        ("8S 4D KH 9C QH", "5S 6S 7S, 8C 8D 8H", "lay 8S run S1"),
        ("8S 8D 8H KC 2C 4D QC", "", "lay 8"),
        ("4S 4D KH QH JS 2C 2D 8C 9C", "5S 6S 7S", "lay 4S run S1"),
    ],
)
def test_what_is_laid(hand: str, own: str, action: str) -> None:
    tables_text = f"tables: [[{', '.join(repr(g) for g in own.split(', ') if g)}], []]"
    text = f'{{turn: 0, phase: lay, hands: ["{hand}", "*11", "*11", "*11"], {tables_text}}}'
    assert plays(text).startswith(action)


def test_a_wild_closes_the_first_baza_once_no_burako_is_to_come() -> None:
    tables_text = 'tables: [["9C 9D 9H 9S 9C 9D"], []]'
    text = f'{{turn: 0, phase: lay, hands: ["4D KH JK JS 2S", "*11", "*11", "*11"], {tables_text}TAKEN}}'
    assert plays(text.replace("TAKEN", "")).startswith("discard")
    assert plays(text.replace("TAKEN", ", burakos_taken_by: [[0], []]")) == "lay JK set 9"


def test_two_wilds_alone_are_kept_for_the_burako() -> None:
    text = '{turn: 0, phase: lay, hands: ["JK 2S", "*11", "*11", "*11"], tables: [["9C 9D 9H"], []]}'
    assert plays(text) == "take burako"
    text = '{turn: 0, phase: burako, hands: ["JK 2S", "*11", "*11", "*11"]}'
    assert plays(text) == "take burako"


def test_a_wild_group_is_opened_from_so_many_wilds_on() -> None:
    text = '{turn: 0, phase: lay, hands: ["4D KH 8S 6C JK JK 2S", "*11", "*11", "*11"]}'
    assert plays(text).startswith("discard")
    assert plays(text, "heuristic:wild_group=3").endswith("wild")


OUT = 'hands: ["{hand}", "*11", "{partner}", "*11"], tables: [["9C 9D 9H"], []], burakos_taken_by: [[0], []]'


def test_going_out_justified_and_not_otherwise() -> None:
    text = f"{{turn: 0, phase: lay, {OUT.format(hand='9S 4D', partner='*2')}, closed: [CLOSED, []]}}"
    assert plays(text.replace("CLOSED", '["3C 4C 5C 6C 7C 8C 9C"]')) == "lay 9S set"
    assert plays(text.replace("CLOSED", "[]")).startswith("discard")


@pytest.mark.parametrize(
    ("pile", "taken"), [("9S 4D 8C", True), ("9S 9C 5D 10H JC QD", True), ("AC", False), ("AC 4H", False)]
)
def test_useful_piles_are_taken(pile: str, taken: bool) -> None:
    text = (
        '{turn: 0, phase: draw, hands: ["9C 9D 6H QS", "*4", "*11", "*11"], '
        f'tables: [["6S 6D 6C"], ["KC KD KH"]], pile: "{pile}"}}'
    )
    assert (plays(text) == "draw pile") == taken
    assert plays(text, "heuristic:pile=always") == "draw pile"
    assert plays(text, "heuristic:pile=never") == "draw stock"


def test_the_second_look_rejects_a_card_without_companions() -> None:
    text = '{turn: 0, phase: look, first_draw: true, drawn: 3S, hands: ["HAND", "*11", "*11", "*11"]}'
    assert plays(text.replace("HAND", "3S KD KH 10C 9C 9D QC 6H 7H 8D JS AS")) == "keep"
    assert plays(text.replace("HAND", "3S KD KH 10C 9C 9D QC 6H 7H 8D JS QS")) == "reject"


LAYING = '{turn: 0, phase: lay, hands: ["HAND", "NEXT", "*11", "*11"], REST}'


def laying(hand: str, rest: str, options: str, next_hand: str = "*11") -> str:
    """What the heuristic does in the laying phase with some advice on or off."""
    text = LAYING.replace("HAND", hand).replace("NEXT", next_hand).replace("REST", rest)
    return plays(text, f"heuristic:discard=lowest,{options}")


def test_advice_1_to_3_choose_the_discard() -> None:
    closed = 'closed: [[], ["9C 9C 9D 9D 9H 9H 9S"]]'
    assert laying("9S 4D KH", closed, "advice1=false") == "discard 4D"
    assert laying("9S 4D KH", closed, "advice1=true") == "discard 9S"
    theirs = 'tables: [[], ["4C 4H 4S"]]'
    assert laying("4D KH QS", theirs, "advice2=false", "*1") == "discard 4D"
    # One card in the next hand: not what lies on his table; two: just that.
    assert laying("4D KH QS", theirs, "advice2=true", "*1") in ("discard KH", "discard QS")
    assert laying("3D 4D QS", theirs, "advice2=true", "*2") == "discard 4D"
    paired = 'pile: "4C"'
    assert laying("4D KH QS", paired, "advice3=true", "*1") in ("discard KH", "discard QS")
    assert laying("4D KH QS", paired, "advice2=true", "*1") == "discard 4D"


def test_advice_3_and_5_take_the_pile() -> None:
    text = '{turn: 0, phase: draw, hands: ["9C 4D 6H QS", "*4", "*MATE", "*11"], pile: "AC 3D"}'
    few = text.replace("*MATE", "*11")
    assert plays(few) == plays(few, "heuristic:advice5=true") == "draw stock"
    assert plays(few, "heuristic:advice3=true") == "draw pile"
    assert plays(few.replace('"*4"', '"*3"'), "heuristic:advice3=true") == "draw stock"


def test_advice_4_opens_the_higher_set_and_no_run_whose_cards_are_gone() -> None:
    nothing = "closed: [[], []]"
    assert laying("5C 5D 5H KC KD KH 9S 3C QC", nothing, "advice4=true") in ("lay KC set", "lay KD set", "lay KH set")
    # Of a run with 3 4 5 the ace and the two are left without the sixes, and more without the sevens.
    run, sixes, sevens = "3C 4C 5C 9S KH JD", "6C 6C 6D 6D 6H 6H 6S", "7C 7C 7D 7D 7H 7H 7S"
    assert laying(run, f'closed: [["{sixes}"], []]', "advice4=false") == "lay 3C run new"
    assert laying(run, f'closed: [["{sixes}"], []]', "advice4=true").startswith("discard")
    assert laying(run, f'closed: [["{sevens}"], []]', "advice4=true") == "lay 3C run new"


def test_advice_6_keeps_aces_clean_and_a_run_too() -> None:
    nothing = "closed: [[], []]"
    assert laying("AC AD JK 5S", nothing, "advice6=false") == "lay AC set"
    assert laying("AC AD JK 5S", nothing, "advice6=true") in ("discard AC", "discard AD", "discard 5S")
    run = 'tables: [["3D 4D 5D"], []]'
    hand = "2D 9S KH 8C 5H QC 3S"
    assert laying(hand, run, "advice6=false").startswith("discard")
    assert laying(hand, run, "advice6=true") == "lay 2D run D1"


def test_advice_7_goes_out_unasked_where_it_leaves_the_others_negative() -> None:
    rest = (
        'tables: [["9C 9D 9H"], []], burakos_taken_by: [[0], []], closed: [["3C 4C 5C 6C 7C 8C 9C"], []], stock: "*30"'
    )
    assert laying("9S 4D", rest, "advice7=true") == "lay 9S set"
    assert laying("9S 4D", rest, "advice7=false").startswith("discard")


# Discard strategies.


def ratings(strategy: str, hand: str, others: str = "", keys: U64 | None = None) -> dict[str, float]:
    """A strategy's rating of the cards of a hand, with one group on the opponents' table."""
    group = f"'{others}'" if others else ""
    view = game_at(f'{{turn: 0, phase: lay, hands: ["{hand}", "*11", "*11", "*11"], tables: [[], [{group}]]}}').view()
    facts = Facts(view, lookups(PRESETS["burako-4"]))
    scores = STRATEGIES[strategy]().scores(facts, np.array([3], dtype=np.uint64) if keys is None else keys)
    assert scores.shape == (1, TYPE_COUNT)
    return {card_name(card): float(scores[0, card]) for card in np.flatnonzero(view.hand[0])}


def test_highest_rates_by_points() -> None:
    rated = ratings("highest", "AC KD 7H 3S")
    assert rated["AC"] > rated["KD"] > rated["7H"] == rated["3S"]


def test_random_rates_by_the_key_alone() -> None:
    hand = "AC KD 7H 3S"
    assert ratings("random", hand) == ratings("random", hand, "KC KH KS")
    keys = combine(0, np.arange(3000))
    facts = Facts(
        game_at(f'{{turn: 0, phase: lay, hands: ["{hand}", "*11", "*11", "*11"]}}').view(), lookups(PRESETS["burako-4"])
    )
    facts.rows = len(keys)
    scores = STRATEGIES["random"]().scores(facts, keys)
    first = scores[:, [card_type(card) for card in hand.split()]].argmax(axis=1)
    assert (np.abs(np.bincount(first, minlength=4) - 750) < 120).all()


def test_safe_keeps_what_the_hand_or_the_opponents_can_use() -> None:
    rated = ratings("safe", "KD KH 7S 8S QC 3D")
    assert rated["3D"] > rated["KD"]
    assert rated["3D"] > rated["7S"]
    assert rated["QC"] > rated["8S"]
    rated = ratings("safe", "KD 7S", "5S 6S 8S 9S JK")
    assert rated["KD"] > rated["7S"]
    rated = ratings("safe", "8D 3S", "8C 8H 8S")
    assert rated["3S"] > rated["8D"]
    closing = ratings("safe", "8D 3S", "8C 8C 8H 8S 8H 8S")
    assert closing["8D"] < rated["8D"]
    dead = ratings("safe", "8D 3S", "3C 3C 3D 3D 3H 3H")
    assert dead["3S"] < dead["8D"]


def test_a_discard_is_one_of_the_legal_ones() -> None:
    """TURN-4, TURN-5: neither a wild nor the card of a one-card pile, whatever its points."""
    text = '{turn: 0, phase: lay, hands: ["KD JK 3S 5H", "*11", "*11", "*11"], single: KD, tables: [["9C 9D 9H"], []]}'
    assert plays(text, "heuristic:discard=highest") == "discard 5H"


def test_the_first_heuristic_stays_what_it_was() -> None:
    """A yardstick: every hand of 24 deals is played as on the day it was frozen (digest of the action sequence)."""
    agent = agents.load("heuristic-v0", "burako-4")
    game = burako_env.make("burako-4", 24)
    game.reset(np.arange(24))
    digest = hashlib.sha256()
    while not game.done.all():
        live = np.flatnonzero(~game.done)
        actions = agent.act(game.view(live), game.legal(live), game.keys(live))
        digest.update(actions.astype("<i2").tobytes())
        game.step(actions, live)
    assert digest.hexdigest()[:16] == "1ad6c9e6849a14c2"
