"""SCORE-1 to SCORE-6 on positions, with every number worked out by hand from the rules page."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from burako_env.burako.game import BurakoGame
from burako_env.burako.notation import parse_action, parse_cards
from burako_env.burako.position import Position
from burako_env.burako.rules import burako_rules
from burako_env.cards import TYPE_COUNT, card_name
from tests.reference.cards import VALUE, full_pack
from tests.tools.core_play import GAMES, dealt, mixed_actions, stage_states

RULES = {
    "DECK-2": ["test_card_values"],
    "SCORE-1": ["test_bazas", "test_example_b"],
    "SCORE-2": ["test_open_groups", "test_a_closed_baza_adds_its_points_alone"],
    "SCORE-3": ["test_hands_and_burakos", "test_example_b"],
    "SCORE-4": ["test_example_a", "test_the_others_went_out_justified"],
    "SCORE-5": ["test_example_c", "test_the_others_of_an_unjustified_team"],
    "SCORE-6": ["test_exhaustion", "test_truncation", "test_scores_are_recomputed"],
}
CLEAN_RUN = "4H 5H 6H 7H 8H 9H 10H"
LOW_RUN = "AH 2H 3H 4H 5H 6H 7H"
OTHER_BAZA = "4S 5S 6S 7S 8S 9S 10S"


def at(
    hands: list[str],
    tables: tuple[list[str], list[str]] = ([], []),
    closed: tuple[list[str], list[str]] = ([], []),
    taken: tuple[bool, bool] = (False, False),
    *,
    turn: int = 0,
    phase: str = "lay",
    stock: str = "KH",
    config: dict[str, Any] | None = None,
    **changes: Any,
) -> BurakoGame:
    """burako-4, seat `turn` to act; a burako `taken` was taken by the team's first seat; others are leftovers."""
    rules = burako_rules("burako-4", config)
    placed = " ".join([*hands, *(group for team in (*tables, *closed) for group in team), stock]).split()
    rest = list((Counter(full_pack(2)) - Counter(placed)).elements())

    def groups(team: list[str]) -> list[list[int]]:
        return [parse_cards(text) for text in team]

    position = Position(
        rules,
        turn,
        phase,  # type: ignore[arg-type]
        [parse_cards(hand) for hand in hands],
        tables=[groups(team) for team in tables],
        closed=[groups(team) for team in closed],
        stock=parse_cards(stock),
        burakos=[
            [] if gone else [parse_cards(" ".join(rest[11 * team : 11 * team + 11]))] for team, gone in enumerate(taken)
        ],
        taken_by=[[team] if gone else [] for team, gone in enumerate(taken)],
        **changes,
    )
    return BurakoGame.from_positions([position])


def play(game: BurakoGame, *texts: str) -> list[int]:
    """Plays actions; the scores after them."""
    for text in texts:
        table = game.position(0).tables[int(game.to_act[0]) % 2]
        suits = [
            sum(len({card % 13 for card in group}) > 1 and group[0] // 13 == suit for group in table)
            for suit in range(4)
        ]
        action = parse_action(game.table, text, suits)
        assert action is not None
        game.step(action)
    return points(game)


def points(game: BurakoGame) -> list[int]:
    """Points of both teams."""
    return [int(score) for score in game.scores[0]]


def test_card_values() -> None:
    """Joker, 2, ace 20; K Q J 10 9 8 are 10; 7 6 5 4 3 are 5: each card as the only one in a partner's hand."""
    by_rank = dict(
        zip(
            ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"],
            [20, 20, 5, 5, 5, 5, 5, 10, 10, 10, 10, 10, 10],
        )
    )
    for card in range(TYPE_COUNT):
        name = card_name(card)
        value = 20 if name == "JK" else by_rank[name[:-1]]
        # Unjustified, burako left: minus (10 + value) - 100.
        assert points(at(["KS", "KC", name, "KD"], stock="3S"))[0] == -10 - value - 100, name


@pytest.mark.parametrize(
    ("baza", "worth"),
    [
        ("2C 2D 2H 2S JK JK JK", 700),
        ("2C 2D 2H 2S 2C 2D 2H", 700),
        ("AC AD AH AS AC AD AH", 400),
        ("AC AD AH AS AC AD JK", 200),
        ("AC AD AH AS AC AD 2S", 200),
        ("9C 9D 9H 9S 9C 9D 9H", 200),
        ("9C 9D 9H 9S 9C 9D 2H", 100),
        ("AS 2S 3S 4S 5S 6S 7S", 200),
        ("8S 9S 10S JS QS KS AS", 200),
        ("2S 3S 4S 5S 6S JK 8S", 100),
        ("3S 4S 5S 6S 7S 8S 2S", 200),
        ("4S 5S 6S 7S 8S 9S 2S", 100),
        ("3S 2S 4S 5S 2S 7S 8S", 100),
    ],
)
def test_bazas(baza: str, worth: int) -> None:
    """One closed baza; K in hand and in the partner's, burako left: worth - 20 - 100."""
    assert points(at(["KS", "KC", "KH", "KD"], closed=([baza], [])))[0] == worth - 20 - 100
    assert points(at(["KS", "KC", "KH", "KD"], closed=([], [baza])))[1] == worth - 20 - 100


def test_several_bazas() -> None:
    """A run and aces, clean: 200 + 400; the others 700 for wilds."""
    closed = ([CLEAN_RUN, "AC AD AH AS AC AD AH"], ["2C 2D 2H 2S JK JK JK"])
    assert points(at(["KS", "KC", "KH", "KD"], closed=closed)) == [600 - 20 - 100, 700 - 20 - 100]


def test_open_groups() -> None:
    """K K K joker 50, A 3 4 and 2 50, the wild group 60; a justified team adds them, an unjustified one pays."""
    groups = ["KC KD KH JK", "AC 3C 4C 2H", "2C 2D JK"]
    # 10 10 10 20; 20 5 5 20; 20 20 20.
    assert (
        points(at(["5S", "5H", "6S", "6H"], tables=(groups, []), closed=([OTHER_BAZA], [])))[0] == 200 + 160 - 10 - 100
    )
    assert points(at(["5S", "5H", "6S", "6H"], tables=(groups, [])))[0] == -160 - 10 - 100


def test_a_closed_baza_adds_its_points_alone() -> None:
    """Six nines on the table are 60; the seventh closes them: 200, and the 60 are gone."""
    nines = "9C 9D 9H 9S 9C 9D"
    game = at(["9H KS QS", "KC", "KH", "KD"], tables=([nines], []), closed=([LOW_RUN], []))
    assert points(game)[0] == 200 + 60 - (30 + 10) - 100
    assert play(game, "lay 9H set")[0] == 200 + 200 - (20 + 10) - 100


@pytest.mark.parametrize(("taken", "burako"), [(False, -100), (True, 100)])
def test_hands_and_burakos(taken: bool, burako: int) -> None:
    """All players of the team count: A 2C joker 60 and 8 3 15; +100 for a burako taken, -100 for one left."""
    game = at(["AS 2C JK", "KC", "8S 3S", "KD"], closed=([CLEAN_RUN], []), taken=(taken, False))
    assert points(game)[0] == 200 - 75 + burako


def test_burakos_of_more_players() -> None:
    """Three of each team with 8 players: at the deal -300 and minus the hands."""
    game = dealt("burako-8", 20)
    for index in range(20):
        hands = game.position(index).hands
        for team in (0, 1):
            value = sum(VALUE[card_name(card)] for seat in range(team, 8, 2) for card in hands[seat])
            assert game.scores[index, team] == -value - 300


@pytest.mark.parametrize(("taken", "worth"), [(False, -225), (True, -25)])
def test_example_a(taken: bool, worth: int) -> None:
    """Unjustified, the others went out justified, table 9 9 9 joker (50), hands worth 75."""
    hands = ["KC QC JC 10C 4C", "8S", "AH 8H", "4D"]  # 45 + 30 and the partner of the one who goes out 5
    game = at(hands, (["9C 9D 9H JK"], []), ([], [OTHER_BAZA]), (taken, True), turn=1)
    assert play(game, "discard 8S") == [worth, 200 - 5 + 100 + 100]
    assert game.done[0]
    assert not game.truncated[0]


def test_example_b() -> None:
    """Justified: clean run 200, K K K 30, burako taken 100, went out 100, the partner's 2 and 5 cost 25."""
    game = at(["7D", "9C", "2C 5D", "9D"], (["KC KD KS"], []), ([CLEAN_RUN], []), (True, False))
    assert play(game, "discard 7D") == [405, -20 - 100]


def test_example_c() -> None:
    """Out unjustified: table 45, partner's hand 60, burako taken: +95; the others 50, hands 75, burako left: +25."""
    tables = (["JC QC KC", "3S 4S 5S"], ["9C 9D 9H JK"])
    game = at(["7D", "AC AD 5H", "AH AS 2C", "KD KH 8S"], tables, taken=(True, False))
    assert play(game, "discard 7D") == [95, 25]


def test_the_others_went_out_justified() -> None:
    """The bonus is the team's that went out; a justified loser scores as usual."""
    hands = ["KC QC", "8S", "AH 8H", "4D"]
    game = at(hands, (["9C 9D 9H"], ["KC KD KH"]), ([CLEAN_RUN], [OTHER_BAZA]), (False, True), turn=1)
    assert play(game, "discard 8S") == [200 + 30 - 50 - 100, 200 + 30 - 5 + 100 + 100]


@pytest.mark.parametrize("bazas", [0, 1])
def test_the_others_of_an_unjustified_team(bazas: int) -> None:
    """Whoever went out unjustified: the others add their hands, closed a baza or not, and what is left costs."""
    closed = ([], [OTHER_BAZA][:bazas])
    game = at(["7D", "AC AD 5H", "AH", "KD"], (["3S 4S 5S"], ["9C 9D 9H JK"]), closed, (True, False))
    # -(15 + 20) + 100 + 100; 200 a baza, table 50, hands 45 + 10, burako left.
    assert play(game, "discard 7D") == [165, 200 * bazas + 50 + 55 - 100]


def test_going_out_by_laying() -> None:
    """The last card laid closes a baza: justified by it: 100 for nines with a joker, 100 out, 100 taken, minus 10."""
    game = at(["9H", "KC", "KH", "KD"], (["9C 9D 9H 9S 9C JK"], []), taken=(True, False))
    assert play(game, "lay 9H set")[0] == 100 - 10 + 100 + 100
    assert game.position(0).out_seat == 0


EXHAUSTION = [("negative", [200 + 30 - 20 - 100, -(50 + 25) - 100]), ("normal", [200 + 30 - 20 - 100, 50 - 25 - 100])]


@pytest.mark.parametrize(("key", "worth"), EXHAUSTION)
def test_exhaustion(key: str, worth: list[int]) -> None:
    """No bonus; an unjustified team pays for table and hands, unless the key says normal. Live, it counts the same."""
    tables, closed = (["JC QC KC"], ["9C 9D 9H JK"]), ([CLEAN_RUN], [])
    hands = ["KS", "AC", "KH", "5H"]
    config = {"unjustified_on_exhaustion": key}
    game = at(hands, tables, closed, phase="draw", stock="", config=config, final_turns=3)
    assert points(game) == worth
    assert play(game, "end hand") == worth
    assert game.position(0).reason == "exhausted"


@pytest.mark.parametrize(("key", "worth"), EXHAUSTION)
def test_truncation(key: str, worth: list[int]) -> None:
    """Scored as exhaustion: the same position at the end of the last turn, after a discard of 3S."""
    tables, closed = (["JC QC KC"], ["9C 9D 9H JK"]), ([CLEAN_RUN], [])
    config = {"unjustified_on_exhaustion": key, "max_turns": 9}
    game = at(["KS 3S", "AC", "KH", "5H"], tables, closed, config=config, turns=8)
    assert points(game) == [worth[0] - 5, worth[1]]
    assert play(game, "discard 3S") == worth
    assert game.truncated[0]


def test_no_floor() -> None:
    """Totals go far below zero: 3 jokers, 8 twos and 4 aces in an unjustified hand are -300, the partner's K -10."""
    many = "JK JK JK 2C 2D 2H 2S 2C 2D 2H 2S AC AD AH AS"
    assert points(at([many, "KC", "KH", "KD"]))[0] == -300 - 10 - 100


@pytest.mark.parametrize("name", GAMES)
def test_scores_are_recomputed(name: str) -> None:
    """Asked twice, or only once at the end, or of a copy loaded from a file: the same points."""
    game, silent = stage_states(name), stage_states(name)
    for _ in range(40):
        first = game.scores
        assert np.array_equal(first, game.scores)
        actions = mixed_actions(game)
        game.step(actions)
        silent.step(actions)
    assert np.array_equal(game.scores, silent.scores)
    loaded = dealt(name, 1)
    loaded.load_state_dict(game.state_dict())
    assert np.array_equal(loaded.scores, game.scores)
