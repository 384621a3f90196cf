"""Every agent answers no questions with no answers, in all the games it plays."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import agents
import burako_env
from agents.burako.discard import STRATEGIES
from burako_env.burako.rules import PRESETS
from burako_env.ruibal import LEVELS

CARDS, SANCTIONS = tuple(PRESETS), {"enforcement": "sanctions"}
# Specs, games and rules. Levels have shipped networks for 2 to 4 players.
TABLES: dict[str, list[tuple[str, dict[str, Any]]]] = {
    "random": [(game, {}) for game in (*CARDS, *LEVELS)],
    "heuristic": [(game, rules) for game in CARDS for rules in ({}, SANCTIONS)],
    "heuristic-v0": [(game, rules) for game in CARDS for rules in ({}, SANCTIONS)],
    "clumsy:s4=1,s12=1": [(game, SANCTIONS) for game in CARDS],
    "cunning:rule=12": [(game, SANCTIONS) for game in CARDS],
    "search": [(game, rules) for game in CARDS for rules in ({}, SANCTIONS)],
    "search:policy=greedy": [(game, {}) for game in LEVELS],
    "search:policy=ppo,depth=2": [(CARDS[0], {})],
    "greedy": [(game, {"players": players}) for game in LEVELS for players in (2, 3, 4)],
    "clone": [(CARDS[0], {})],
    "dmc:temperature=1": [(CARDS[0], {})],
    "ppo": [*((game, {}) for game in (*CARDS, *LEVELS)), (CARDS[0], SANCTIONS)],
    **{f"heuristic:discard={name},advice1=true,advice3=true,advice6=true": [(CARDS[0], {})] for name in STRATEGIES},
}


def test_no_agent_is_forgotten() -> None:
    assert {spec.partition(":")[0] for spec in TABLES} == set(agents.names())


@pytest.mark.parametrize("spec", TABLES)
def test_no_rows_no_answers(spec: str) -> None:
    for game_name, rules in TABLES[spec]:
        game = burako_env.make(game_name, 2, 0, rules)
        game.reset([0, 1])
        nothing = np.zeros(0, dtype=np.int64)
        view, legal, keys = game.view(nothing), game.legal(nothing), game.keys(nothing)
        assert (len(view), legal.shape, keys.shape) == (0, (0, game.num_actions), (0,))
        agent = agents.load(spec, game_name, rules)
        actions = agent.act(view, legal, keys)
        assert actions.shape == (0,)
        assert actions.dtype.kind == "i"
        assert agent.preferences(view, legal, keys).shape == (0, game.num_actions)
        values = agent.values(view)
        assert values is None or (values.shape == (0,) and values.dtype == np.float32)
        # And no answers change nothing for those that follow.
        answered = agent.act(game.view(), game.legal(), game.keys())
        assert game.legal()[np.arange(2), answered].all()
