"""Agents: loading by spec, legal play everywhere, the same play however the batch is cut."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import agents
from agents.base import Agent
from agents.burako.facts import Facts
from agents.burako.lookup import lookups
from burako_env.batch import Bools
from burako_env.burako.rules import PRESETS
from burako_env.burako.turn.actions import Kind
from burako_env.burako.view.layout import PHASES
from burako_env.cards import TYPE_COUNT
from burako_env.chance.rng import U64, combine
from burako_env.errors import UserError
from burako_env.layout import View
from tests.tools.core_play import GAMES, dealt, mixed_actions

SPECS = ("random", "heuristic", "heuristic:discard=highest,pile=never", "heuristic:discard=random,pile=always,ask=true")
MY_BOTS = '''
from typing import Literal
from agents import Agent

class First(Agent):
    """Plays the first legal action."""

    def __init__(
        self, patience: int = 2, boldness: float = 0.5, loud: bool = False, mood: Literal["calm", "wild"] = "calm"
    ) -> None:
        self.options = (patience, boldness, loud, mood)

    def act(self, view, legal, keys):
        return legal.argmax(axis=1)

class Unfinished(Agent):
    pass

class Stranger:
    pass
'''


@pytest.fixture
def my_bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A module `my_bots` in the current directory."""
    (tmp_path / "my_bots.py").write_text(MY_BOTS, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.delitem(sys.modules, "my_bots", raising=False)
    yield
    sys.modules.pop("my_bots", None)


# Loading.


def test_names_are_described_and_load() -> None:
    for name in agents.names():
        info = agents.describe(name)
        assert info.name == name
        assert info.summary.endswith(".")
        assert isinstance(agents.load(name), Agent)
    assert "pile=useful (useful, always, never)" in agents.describe("heuristic").options


def test_the_name_of_an_agent_is_its_spec() -> None:
    for spec in SPECS:
        assert agents.load(spec).name == spec


@pytest.mark.usefixtures("my_bots")
def test_a_class_of_ones_own_with_typed_options() -> None:
    assert agents.load("my_bots:First").options == (2, 0.5, False, "calm")  # type: ignore[attr-defined]
    agent = agents.load("my_bots:First:patience=3,boldness=1,loud=yes,mood=wild", "burako-4")
    assert agent.options == (3, 1.0, True, "wild")  # type: ignore[attr-defined]
    game = dealt("burako-4", 3)
    assert (agent.act(game.view(), game.legal(), game.keys()) == game.legal().argmax(axis=1)).all()


@pytest.mark.usefixtures("my_bots")
@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("heuristik", "unknown agent 'heuristik': did you mean heuristic"),
        ("xyz", "unknown agent 'xyz': the agents are clone, clumsy, cunning, dmc, greedy, "),
        ("heuristic:discrad=safe", "unknown heuristic option 'discrad': did you mean discard?"),
        ("heuristic:discard=saef", "unknown discard 'saef': did you mean safe"),
        ("heuristic:ask=perhaps", "option ask of agent 'heuristic' takes true or false, not 'perhaps'"),
        ("heuristic:pile=never,discard", "'discard' in 'heuristic:pile=never,discard' is not an option"),
        ("heuristic:pile=never,pile=always", "option 'pile' is given twice"),
        ("random:seed=3", "agent 'random' has no options"),
        ("no_such_bots:First", "cannot import 'no_such_bots'"),
        ("my_bots:Frist", "unknown agent 'Frist': did you mean First?"),
        ("my_bots:Stranger", "Stranger is not a subclass of agents.Agent"),
        ("my_bots:Unfinished", "Unfinished is not a subclass of agents.Agent with an act method"),
        ("my_bots:First:patience=x", "option patience of agent 'my_bots:First' takes a whole number, not 'x'"),
    ],
)
def test_a_bad_spec_is_a_user_error(spec: str, message: str) -> None:
    with pytest.raises(UserError) as caught:
        agents.load(spec)
    assert message in str(caught.value)


# Play.


@cache
def positions(name: str) -> tuple[View, Bools, U64]:
    """Decisions of every stage of hands played partly at random, with their legal actions and keys."""
    game = dealt(name, 60)
    views, legals, keys = [], [], []
    for number in range(400):
        live = np.flatnonzero(~game.done)
        if not live.size:
            break
        if number % 4 == 0:
            views.append(game.view(live).buffer)
            legals.append(game.legal(live))
            keys.append(game.keys(live))
        game.step(mixed_actions(game))
    return View(np.concatenate(views), game.layout), np.concatenate(legals), np.concatenate(keys)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("spec", SPECS)
def test_never_an_illegal_action(spec: str, name: str) -> None:
    view, legal, keys = positions(name)
    actions = agents.load(spec, name).act(view, legal, keys)
    assert actions.shape == (len(view),)
    assert legal[np.arange(len(view)), actions].all()


@pytest.mark.parametrize(
    "config", [{"ace": "high"}, {"ace": "low", "run_slots": 6}, {"decks": 3, "burakos_per_team": 0}]
)
def test_other_rules(config: dict[str, object]) -> None:
    game = dealt("burako-4", 30, config)
    agent = agents.load("heuristic", "burako-4", config)
    while not game.done.all():
        live = np.flatnonzero(~game.done)
        game.step(agent.act(game.view(live), game.legal(live), game.keys(live)), live)


@pytest.mark.parametrize("spec", SPECS)
def test_rows_are_played_alike_however_the_batch_is_cut(spec: str) -> None:
    view, legal, keys = positions("burako-4")
    agent = agents.load(spec, "burako-4")
    whole = agent.act(view, legal, keys)
    order = np.argsort(combine(5, np.arange(len(view))))
    assert np.array_equal(agent.act(view.take(order), legal[order], keys[order]), whole[order])
    for row in range(0, len(view), 41):
        one = slice(row, row + 1)
        assert agent.act(view.take([row]), legal[one], keys[one])[0] == whole[row]


@pytest.mark.parametrize("spec", SPECS)
def test_chance_comes_from_the_keys_alone(spec: str) -> None:
    view, legal, keys = positions("burako-6")
    first, again = (agents.load(spec, "burako-6") for _ in range(2))
    actions = first.act(view, legal, keys)
    first.act(view, legal, keys + np.uint64(1))
    assert np.array_equal(first.act(view, legal, keys), actions)
    assert np.array_equal(again.act(view, legal, keys), actions)
    differs = (first.act(view, legal, keys + np.uint64(1)) != actions).mean()
    assert differs > 0.05 if "random" in spec else differs == 0


def test_an_unbound_heuristic_takes_the_rules_of_the_view() -> None:
    view, legal, keys = positions("burako-8")
    bound = agents.load("heuristic", "burako-8").act(view, legal, keys)
    assert np.array_equal(agents.load("heuristic").act(view, legal, keys), bound)


def hands_won(a: str, b: str, name: str, boards: int) -> float:
    """Share of hands that `a` wins, each of the boards played twice with the sides exchanged."""
    game = dealt(name, 2 * boards)
    game.reset(np.tile(np.arange(boards), 2), swap_sides=np.arange(2 * boards) < boards)
    players = [agents.load(spec, name) for spec in (a, b)]
    while not game.done.all():
        for team, player in enumerate(players):
            live = np.flatnonzero(~game.done & (game.to_act % 2 == team))
            if live.size:
                game.step(player.act(game.view(live), game.legal(live), game.keys(live)), live)
    return float((game.scores[:, 0] > game.scores[:, 1]).mean())


@pytest.mark.parametrize("name", GAMES)
def test_the_heuristic_beats_random_play(name: str) -> None:
    assert hands_won("heuristic", "random", name, 200) >= 0.95


@pytest.mark.parametrize("name", GAMES)
def test_what_fits_a_table_is_what_the_core_lets_be_laid_on_it(name: str) -> None:
    """`Facts` reads the runs back out of the View: a slip there would mislead every part of the heuristic."""
    view, legal, _ = positions(name)
    facts = Facts(view, lookups(PRESETS[name]))
    laying = np.flatnonzero((view.phase[:, PHASES.index("lay")] > 0) & (view.opening == 0) & (view.answer == 0))
    row, action = np.nonzero(legal[laying])
    row = laying[row]
    card, group = facts.lookups.card[action], facts.lookups.group[action]
    on_table = (facts.lookups.kind[action] == Kind.LAY) & ~facts.lookups.wild[action]
    on_table &= facts.group_size[row, group] > 0
    expected = np.zeros((len(view), TYPE_COUNT), dtype=np.bool_)
    expected[row[on_table], card[on_table]] = True
    fits = facts.fit[:, 0].reshape(len(view), 52) & (facts.hand[:, :52] > 0)
    assert expected.any()
    assert np.array_equal(fits[laying], expected[laying, :52])
