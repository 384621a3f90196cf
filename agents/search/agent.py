"""One decision looked ahead: the policy's first choices are played out in the same redraws of the hidden cards.

    for each decision that `where` names:
        the candidates are what the policy would do, plus the legal actions it ranks highest
        redraw the cards that the seat does not see, `redraws` times
        play every candidate in every redraw, all seats after it played by the rollout agent
        take the best candidate, if it leads the policy's own choice by more than `margin` standard errors

The margin keeps the policy's choice where the rollouts cannot tell: with few redraws the best of several means is
mostly the luckiest. Leads are differences within the same redraw, whose error is smaller than that of the means.
"""

from collections.abc import Mapping
from pkgutil import resolve_name
from typing import Annotated, Any, Final, Literal

import numpy as np
from pydantic import Field

from agents.base import Agent, Floats
from agents.registry import game_of, load, parts_of
from agents.rollouts import paired_values
from agents.spec import AgentName
from burako_env.batch import BatchGame, Bools, Ints
from burako_env.chance.rng import U64, combine
from burako_env.families import make
from burako_env.inputs.checked import Real, Whole
from burako_env.layout import View

# Games played side by side in the rollouts.
_GAMES: Final = 4096
_REDRAW: Final = 601


class SearchAgent(Agent):
    """Plays out the first choices of another agent in redraws of the hidden cards, and takes what does best.

    Args:
        policy: agent whose choices are looked at.
        rollout: agent that plays on after them; by default the policy.
        candidates: choices looked at, its own among them.
        redraws: arrangements of the hidden cards in which each is played.
        depth: decisions played after a choice; 0 plays the hand to its end.
        margin: lead over the policy's own choice that another one needs, in standard errors.
        where: decisions looked at: discards, draws (stock or pile), turns (both of these), all. Where a game has no
            such decisions, all are.
    """

    def __init__(
        self,
        policy: AgentName = "heuristic",
        rollout: AgentName = "",
        candidates: Annotated[Whole, Field(ge=2, le=64)] = 4,
        redraws: Annotated[Whole, Field(ge=2, le=4096)] = 16,
        depth: Annotated[Whole, Field(ge=0, le=100_000)] = 0,
        margin: Annotated[Real, Field(ge=0, le=1e9)] = 1.0,
        where: Literal["discards", "draws", "turns", "all"] = "turns",
    ) -> None:
        self.policy = load(policy)
        self.rollout = load(rollout) if rollout else self.policy
        self.candidates, self.redraws, self.depth = candidates, redraws, depth
        self.margin, self.where = margin, where
        self._game: BatchGame | None = None

    def bind(self, game: str, config: Mapping[str, Any] | None = None) -> None:
        for agent in (self.policy, self.rollout):
            agent.bind(game, config)
        self._game = make(game, 1, 0, config)

    def act(self, view: View, legal: Bools, keys: U64) -> Ints:
        if self._game is None:
            self.bind(game_of(view))
        action = self.policy.act(view, legal, keys).astype(np.int64)
        rows = np.flatnonzero(self.searched(legal, action))
        together = max(1, _GAMES // (self.candidates * self.redraws))
        for part in np.array_split(rows, -(-len(rows) // together)) if len(rows) else ():
            action[part] = self._search(view.take(part), legal[part], keys[part], action[part])
        return action

    def searched(self, legal: Bools, action: Ints) -> Bools:
        """Decisions that are looked at, bool `[n]`, given what the policy would do, int64 `[n]`."""
        several: Bools = legal.sum(axis=1) > 1
        place = "" if self.where == "all" or self._game is None else parts_of(self._game.name).turning_points
        if place:
            several &= resolve_name(place)(self._game, self.where, legal, action)
        return several

    def _search(self, view: View, legal: Bools, keys: U64, own: Ints) -> Ints:
        """The best candidate of each row, the policy's own choice if none is convincingly better; int64 `[n]`."""
        row, action = self._candidates(self.policy.preferences(view, legal, keys), legal, own)
        assert self._game is not None
        values = paired_values(
            self._game, self.rollout, view, combine(keys, _REDRAW), row, action, self.redraws, self.depth
        )
        # The own choice is the first of each row.
        first = np.searchsorted(row, np.arange(len(own)))
        lead = convincing(values - values[first[row]], self.margin)
        best = own.copy()
        for place in np.lexsort((lead, row)):
            if lead[place] > 0:
                best[row[place]] = action[place]
        return best

    def _candidates(self, appeal: Floats, legal: Bools, own: Ints) -> tuple[Ints, Ints]:
        """Row and action of every candidate, int64 `[m]` each, row by row, the own choice first."""
        rows = np.arange(len(own))
        appeal = np.where(legal, appeal, -np.inf)
        appeal[rows, own] = np.inf
        order = np.argsort(-appeal, axis=1, kind="stable")[:, : self.candidates]
        row, place = np.nonzero(np.take_along_axis(legal, order, axis=1))
        return row, order[row, place]


def convincing(differences: Floats, margin: float) -> Floats:
    """Mean of each row of differences `[m, redraws]` if it is above `margin` standard errors, else 0; float32 `[m]`."""
    mean = differences.mean(axis=1)
    error = differences.std(axis=1, ddof=1) / np.float32(differences.shape[1] ** 0.5)
    lead: Floats = np.where(mean > margin * error, mean, np.float32(0)).astype(np.float32)
    return np.maximum(lead, 0)
