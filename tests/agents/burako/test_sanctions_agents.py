"""Sanctions play around the core: environments, agents, records, commands."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from pettingzoo.test import api_test, render_test, seed_test, state_test
from pettingzoo.utils.conversions import turn_based_aec_to_parallel

import agents
from burako_env import burako_v0
from burako_env.batch import BatchGame
from burako_env.burako.game import BurakoGame
from burako_env.burako.melds.groups import MAX_CARDS
from burako_env.burako.rules import burako_rules
from burako_env.burako.sanctions.actions import FOULS
from burako_env.burako.sanctions.facts import group_lengths, penalties
from burako_env.burako.sanctions.game import game_class
from burako_env.burako.turn.actions import Kind
from burako_env.cases.burako.position import read_position
from burako_env.cases.nodes import nodes_of_text
from burako_env.chance.rng import mix
from burako_env.choice import random_legal
from burako_env.errors import UserError
from burako_env.families import make, make_match
from burako_env.records.recorder import Recorder
from burako_env.records.replay import verify
from experiments.cli import main
from tests.burako_env.burako.test_sanctions import SANCTIONS, states
from tests.fuzz.starts import reference_at
from tests.reference.sanctions import broken_rule, named_groups
from tests.tools.core_play import dealt

pytestmark = [
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably"),
    pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros"),
    pytest.mark.filterwarnings("ignore:reset ignores an unknown option 'options'"),
]
SHORT = {"max_turns": 20}


@pytest.mark.parametrize("players", [4, 6, 8])
def test_pettingzoo(players: int) -> None:
    made = partial(burako_v0.env, players=players, enforcement="sanctions", rules=SHORT)
    env = made()
    assert env.action_space("player_0").n == make(f"burako-{players}", config=SANCTIONS).num_actions
    api_test(env)
    seed_test(made)
    state_test(made(), turn_based_aec_to_parallel(made()))


def test_render() -> None:
    render_test(partial(burako_v0.env, enforcement="sanctions", rules=SHORT))


def played_by(specs: list[str], games: int, config: dict[str, object]) -> tuple[BurakoGame, list[int]]:
    """All hands to their end, team s by the agent `specs[s]`; the kinds of actions chosen by team 0."""
    game = dealt("burako-4", games, config)
    players = [agents.load(spec, "burako-4", config) for spec in specs]
    kinds: list[int] = []
    while not game.done.all():
        live = np.flatnonzero(~game.done)
        view, legal, keys = game.view(live), game.legal(live), game.keys(live)
        actions = np.zeros(live.size, dtype=np.int64)
        for side, player in enumerate(players):
            rows = np.flatnonzero(game.to_act[live] % 2 == side)
            if rows.size:
                actions[rows] = player.act(view.take(rows), legal[rows], keys[rows])
                if not side:
                    kinds += game.table.rows["kind"][actions[rows]].tolist()
        game.step(actions, games=live)
    return game, kinds


@pytest.mark.parametrize("spec", ["heuristic", "heuristic-v0"])
def test_strict_agents_break_no_rule(spec: str) -> None:
    """They close their groups, and leave none complete unless somebody else ends the hand."""
    game, kinds = played_by([spec, spec], 40, SANCTIONS)
    assert not set(kinds) & set(FOULS)
    assert Kind.CLOSE in kinds
    assert not game.state_dict()["must_pass"].any()
    for seat in range(2):
        assert not (group_lengths(game.view(seats=seat), game.rules) == MAX_CARDS).any()
    assert game.scores.mean() > 0


def test_random_breaks_them_all() -> None:
    _, kinds = played_by(["random", "heuristic"], 40, {**SANCTIONS, "max_turns": 60})
    assert {Kind.FOUL_EARLY, Kind.FOUL_DISCARD, Kind.FOUL_LAY} <= set(kinds)


@pytest.mark.parametrize(("number", "kind"), [(4, Kind.FOUL_DISCARD), (5, Kind.FOUL_EARLY), (12, Kind.FOUL_RUN)])
def test_clumsy_breaks_the_rule_it_is_told(number: int, kind: Kind) -> None:
    _, kinds = played_by([f"clumsy:s{number}=0.3", "heuristic"], 20, SANCTIONS)
    fouls = set(kinds) & set(FOULS)
    assert kind in fouls
    assert fouls <= {kind, Kind.FOUL_DISCARD}


def test_clumsy_leaves_its_groups_unclosed() -> None:
    """SANCTION-10: at rate 1 a team has no baza, but complete groups at the end."""
    game, kinds = played_by(["clumsy:s10=1", "heuristic"], 20, SANCTIONS)
    assert Kind.CLOSE not in kinds
    ends = [game.view(seats=seat) for seat in range(2)]
    assert (group_lengths(ends[0], game.rules) == MAX_CARDS).any()
    assert not ends[0].closed_kinds[:, 0].any()
    assert ends[1].closed_kinds[:, 0].any()


def test_clumsy_without_rates_is_its_agent() -> None:
    ours, theirs = (played_by([spec, "heuristic"], 10, SANCTIONS)[0].scores for spec in ("clumsy", "heuristic"))
    assert np.array_equal(ours, theirs)


def test_clumsy_needs_sanctions_play() -> None:
    with pytest.raises(UserError, match="only sanctions play"):
        agents.load("clumsy:s4=0.1", "burako-4")
    with pytest.raises(UserError, match=r"s4 of agent .clumsy. = 1\.5: input should be less than or equal to 1"):
        agents.load("clumsy:s4=1.5", "burako-4", SANCTIONS)


def chosen_by(spec: str, text: str) -> str:
    """The action of an agent in a position of sanctions play."""
    rules = burako_rules("burako-4", SANCTIONS)
    node = nodes_of_text(text, Path("text.yaml"))
    assert node is not None
    game = game_class(rules).from_positions([read_position(node, rules)])
    player = agents.load(spec, "burako-4", SANCTIONS)
    return game.action_text(int(player.act(game.view(), game.legal(), game.keys())[0]))


@pytest.mark.parametrize(
    ("spec", "hand", "foul"),
    [("cunning", "JK 9C 4D", "foul discard JK"), ("cunning:rule=12", "4S 5S KD", "foul lay KD run new")],
)
def test_cunning_breaks_its_rule_when_it_hurries(spec: str, hand: str, foul: str) -> None:
    """An opponent with one card and no burako left: the dearest card goes, in the place of a discard."""
    text = "{{turn: 0, phase: lay, hands: [{}, {}, KD 9S, 3H 4H 7H], stock: KH QH, burakos_taken_by: {}}}"
    hurried, calm, early = (
        text.format(hand, next_hand, taken)
        for next_hand, taken in (("3C", "[[0], [1]]"), ("3C 6C 8C", "[[0], [1]]"), ("3C", "[[0], []]"))
    )
    assert chosen_by(spec, hurried) == foul
    for position in (hurried, calm, early):
        assert chosen_by("heuristic", position).startswith("discard ")
    for position in (calm, early):
        assert chosen_by(spec, position) == chosen_by("heuristic", position)


def test_cunning_lays_before_it_breaks_a_rule() -> None:
    text = """
turn: 0
phase: lay
hands: ["JK 8S 4D 5D KH", "3C", "KD 9S", "3H 4H"]
tables: [["8C 8D 8H"], []]
closed: [["9C 9C 9D 9D 9H 9H 9S"], []]
stock: "KH QH"
burakos_taken_by: [[0], [1]]
"""
    for spec in ("cunning", "cunning:rule=12"):
        assert chosen_by(spec, text) == chosen_by("heuristic", text)
        assert chosen_by(spec, text).startswith("lay ")


def test_penalties_are_those_of_the_reference() -> None:
    game = states("burako-4")
    legal, view = game.legal(), game.view()
    found = penalties(view, game.rules, legal)
    kinds = game.table.rows["kind"]
    checked = 0
    for index in range(game.size):
        position = game.position(index)
        if position.opening is not None:
            continue
        if position.phase != "look":
            position.drawn = None  # it may have been laid since, which a case cannot start from
        hand = reference_at(position, SANCTIONS)
        groups = dict(named_groups(hand))
        assert [len(group.cards) for group in groups.values() if len(group.cards) > 6] == [
            int(length) for length in group_lengths(view.take([index]), game.rules)[0] if length > 6
        ]
        for action in np.flatnonzero(legal[index] & (kinds == Kind.FOUL_LAY)).tolist():
            _, _, card, *name = game.action_text(action, index).split()
            assert f"SANCTION-{found[index, action]}" == broken_rule(hand, groups[" ".join(name)], card)
            checked += 1
    assert checked > 500
    assert np.array_equal(found > 0, legal & np.isin(kinds, FOULS))


def test_rules_lists_the_infractions(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "burako-4", "--enforcement", "sanctions"]) == 0
    text = capsys.readouterr().out
    for number in (2, 3, 4, 5, 7, 10, 11, 12, 18):
        assert f"SANCTION-{number} " in text
    assert "foul discard WILD" in text
    assert main(["rules", "burako-4"]) == 0
    assert "foul discard" not in capsys.readouterr().out


@pytest.mark.parametrize("maker", [make, make_match])
def test_records_are_verified_by_replay(maker: Callable[..., BatchGame]) -> None:
    config = {**SANCTIONS, "max_turns": 30, "max_hands": 2}
    game = maker("burako-4", 6, 3, config)
    recorder = Recorder(game, config)
    game.reset(np.arange(6))
    recorder.begin()
    records = []
    while not game.done.all():
        actions = random_legal(game.legal_packed(), mix(game.keys()))
        recorder.note(actions)
        game.step(actions)
        records += [record for _, record in recorder.collect()]
    assert len(records) == 6
    assert verify(records) == [None] * 6
    assert any(action.startswith("foul") for record in records for hand in record.parts for action in hand.actions)
