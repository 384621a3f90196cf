"""Search: rollouts are paired, depend on no batch, and a choice is changed only for a convincing lead."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import agents
from agents.base import Agent
from agents.rollouts import paired_values, play_out
from agents.search import SearchAgent
from agents.search.agent import convincing
from burako_env.batch import Bools, Ints
from burako_env.burako.game import BurakoGame
from burako_env.burako.turn.actions import Kind
from burako_env.chance.rng import U64, combine
from burako_env.errors import UserError
from burako_env.layout import View
from experiments.contest.identity import files_behind
from tests.tools.core_play import dealt
from tests.tools.train_runs import run, tiny


def moments(games: int, decisions: int, first: int = 0) -> BurakoGame:
    """Hands that the heuristic has played for a while."""
    game = dealt("burako-4", games, first=first)
    play_out(game, agents.load("heuristic", "burako-4"), decisions)
    return game


def asked(game: BurakoGame) -> tuple[View, Bools, U64]:
    """What the seats to act are asked."""
    return game.view(), game.legal(), game.keys()


class Fixed(Agent):
    """Plays the first legal action and expects 100 points of every position."""

    def act(self, view: View, legal: Bools, keys: U64) -> Ints:
        return legal.argmax(axis=1)

    def values(self, view: View) -> np.ndarray:
        return np.full(len(view), 100, dtype=np.float32)


# Rollouts.


def test_the_same_choice_twice_has_the_same_values() -> None:
    """Pairing: two candidates that are one action meet the same cards and the same chance after it."""
    game = moments(6, 30)
    view, legal, keys = asked(game)
    row = np.repeat(np.arange(6), 2)
    action = np.repeat(legal.argmax(axis=1), 2)
    values = paired_values(game, agents.load("random"), view, keys, row, action, 5)
    assert values.shape == (12, 5)
    assert np.array_equal(values[0::2], values[1::2])
    assert np.ptp(values, axis=1).min() > 0  # redraws differ


def test_values_are_final_points_from_the_seat_to_act() -> None:
    """The mean over redraws of what random play makes of it, computed here without any of the shared code."""
    game = moments(1, 30)
    view, legal, keys = asked(game)
    action = int(legal[0].argmax())
    values = paired_values(game, Fixed(), view, keys, np.array([0]), np.array([action]), 4)
    states = game.sample_states(view, 4, keys)
    states.step([action] * 4)
    while not states.done.all():
        states.step(states.legal().argmax(axis=1))
    assert values[0].tolist() == (states.scores[:, 0] - states.scores[:, 1]).tolist()


def test_a_cut_counts_the_points_so_far_and_what_the_agent_expects() -> None:
    game = moments(1, 30)
    view, legal, keys = asked(game)
    action = int(legal[0].argmax())
    values = paired_values(game, Fixed(), view, keys, np.array([0]), np.array([action]), 3, depth=2)
    states = game.sample_states(view, 3, keys)
    states.step([action] * 3)
    for _ in range(2):
        states.step(states.legal().argmax(axis=1))
    sign = np.where(states.to_act % 2 == 0, 1, -1)
    assert values[0].tolist() == (states.scores[:, 0] - states.scores[:, 1] + 100 * sign).tolist()


# What is looked at, and what is taken.


def test_where_names_the_decisions() -> None:
    game = moments(300, 25)
    view, legal, keys = asked(game)
    own = agents.load("heuristic", "burako-4").act(view, legal, keys)
    kinds = game.table.rows["kind"]
    several = legal.sum(axis=1) > 1
    discards = several & (kinds[own] == Kind.DISCARD)
    draws = several & np.array([bool((kinds[np.flatnonzero(row)] == Kind.DRAW_PILE).any()) for row in legal])
    assert discards.sum() > 10
    assert draws.sum() > 10
    for where, expected in (("discards", discards), ("draws", draws), ("turns", discards | draws), ("all", several)):
        agent = agents.load(f"search:where={where}", "burako-4")
        assert isinstance(agent, SearchAgent)
        assert np.array_equal(agent.searched(legal, own), expected)


def test_a_lead_has_to_be_convincing() -> None:
    # Means 2 and 2; standard errors 1 (deviation 2, 4 redraws) and 0; then a mean below 0.
    differences = np.array([[0, 2, 2, 4], [2, 2, 2, 2], [-1, -1, -1, -1]], dtype=np.float32)
    error = differences[0].std(ddof=1) / 2
    assert convincing(differences, 2 / error + 0.01).tolist() == [0, 2, 0]
    assert convincing(differences, 2 / error - 0.01).tolist() == [2, 2, 0]


def test_without_a_convincing_lead_the_policy_is_played() -> None:
    game = moments(8, 24)
    view, legal, keys = asked(game)
    own = agents.load("heuristic", "burako-4").act(view, legal, keys)
    timid = agents.load("search:redraws=8,margin=1000000,where=all", "burako-4")
    assert np.array_equal(timid.act(view, legal, keys), own)
    bold = agents.load("search:redraws=2,depth=40,margin=0,where=all", "burako-4").act(view, legal, keys)
    assert (bold != own).any()
    assert legal[np.arange(8), bold].all()


def test_rows_are_searched_alike_however_the_batch_is_cut() -> None:
    game = moments(40, 24)
    view, legal, keys = asked(game)
    agent = agents.load("search:redraws=4,candidates=3,depth=30,margin=0.5,where=all", "burako-4")
    whole = agent.act(view, legal, keys)
    order = np.argsort(combine(5, np.arange(40)))
    assert np.array_equal(agent.act(view.take(order), legal[order], keys[order]), whole[order])
    for row in (0, 17):
        one = slice(row, row + 1)
        assert agent.act(view.take([row]), legal[one], keys[one])[0] == whole[row]


def test_search_sees_what_playing_on_is_worth() -> None:
    """A policy without any idea gains hundreds of points per hand from rollouts of a better player."""
    spec = "search:policy=random,rollout=heuristic,redraws=4,depth=8,where=all"
    game = dealt("burako-4", 12)
    game.reset(np.arange(12) // 2, swap_sides=np.arange(12) % 2 == 1)
    players = [agents.load(name, "burako-4") for name in (spec, "random")]
    while not game.done.all():
        for team, player in enumerate(players):
            live = np.flatnonzero(~game.done & (game.to_act % 2 == team))
            if live.size:
                game.step(player.act(game.view(live), game.legal(live), game.keys(live)), live)
    points = (game.scores[:, 0] - game.scores[:, 1]).reshape(-1, 2).mean(axis=1)
    assert points.mean() > 3 * points.std(ddof=1) / 6**0.5


# Preferences.


@pytest.mark.parametrize("spec", ["random", "heuristic", "heuristic-v0", "heuristic:discard=random"])
def test_preferences_are_of_the_legal_actions(spec: str) -> None:
    game = moments(100, 20)
    view, legal, keys = asked(game)
    appeal = agents.load(spec, "burako-4").preferences(view, legal, keys)
    assert appeal.shape == legal.shape
    assert appeal.dtype == np.float32
    assert np.array_equal(np.isfinite(appeal), legal)


def test_the_heuristic_prefers_what_it_plays() -> None:
    for decisions in (10, 31, 60):
        game = moments(150, decisions)
        view, legal, keys = asked(game)
        agent = agents.load("heuristic", "burako-4")
        assert np.array_equal(agent.preferences(view, legal, keys).argmax(axis=1), agent.act(view, legal, keys))


def test_a_network_brings_its_logits_and_its_critic(tmp_path: Path) -> None:
    training = run(tiny(algorithm="clone", points=250.0), tmp_path)
    spec = str(training.store.best)
    agent, learner = agents.load(spec, "burako-4"), training.context.learner
    game = moments(50, 24)
    view, legal, keys = asked(game)
    assert np.array_equal(agent.preferences(view, legal, keys).argmax(axis=1), agent.act(view, legal, keys))
    nothing = np.zeros((50, 0), dtype=np.uint8)
    # What is worth 1 to the critic is 250 points.
    assert np.allclose(
        agent.values(view), 250 * learner.values(learner.encoder.encode(view.buffer), nothing), rtol=1e-4
    )
    search = agents.load(f"search:policy={spec}(temperature=0),redraws=2,depth=3,where=all", "burako-4")
    assert legal[np.arange(50), search.act(view, legal, keys)].all()


# Specs within specs.


def test_an_agent_as_an_option_has_its_own_options_in_brackets() -> None:
    agent = agents.load("search:policy=heuristic(discard=highest,pile=never),rollout=random,redraws=8")
    assert isinstance(agent, SearchAgent)
    assert agent.policy.name == "heuristic(discard=highest,pile=never)"
    assert type(agent.policy.discard).__name__ == "HighestDiscard"  # type: ignore[attr-defined]
    assert agent.rollout.name == "random"
    assert agent.redraws == 8
    nested = agents.load("search(policy=search(policy=heuristic(pile=always)))")
    assert nested.policy.policy.name == "heuristic(pile=always)"  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("search:policy=heuristic(discard=safe", "brackets in .* do not match"),
        ("search:policy=heuristik", "did you mean heuristic"),
        ("search:policy=heuristic(discord=safe)", "did you mean discard"),
        ("search:candidates=1", "option candidates of agent 'search' = 1: input should be greater than or equal to 2"),
        ("search:where=pile", "where"),
    ],
)
def test_a_bad_search_is_refused(spec: str, message: str) -> None:
    with pytest.raises(UserError, match=message):
        agents.load(spec)


def test_files_of_nested_agents_are_part_of_a_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("a", "b"):
        Path(f"{name}.safetensors").write_text(name)
    found = files_behind("search:policy=a.safetensors(temperature=1),rollout=search(policy=b.safetensors)")
    assert set(found) == {"a.safetensors", "b.safetensors"}
