"""A batch of games in which one side is a learner's and the others play by themselves: what the Gymnasium
environments of `vector.py` are made of.

Games stop only where the learner has a real choice. Everything else, the other sides' decisions and those with one
legal action, is played on the way there.
"""

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from burako_env.batch import BatchGame, Bools, Ints
from burako_env.chance.rng import U64
from burako_env.choice import random_legal
from burako_env.errors import UserError
from burako_env.kit import checks
from burako_env.layout import I8, View

Floats = npt.NDArray[np.float64]
Index = npt.NDArray[np.intp]
Act = Callable[[View, Bools, U64], npt.ArrayLike]


class Acts(Protocol):
    """What the agents of the package `agents` have."""

    def act(self, view: View, legal: Bools, keys: U64) -> Ints:
        """One action for each row, int `[n]`."""


Opponent = Acts | Act | None


class SeatedGames:
    """B games, one side of each the learner's.

    Args:
        game: a batch, not yet dealt; slot s plays deals s, s + B, s + 2 B, ..., or goes on from the deals it is given.
        opponents: play the other sides, each deal against the next of them; None plays at random. One or several.
        side: the learner's.

    Attributes:
        over: bool `[B]`, games that have ended; `deal` starts the next one.
    """

    def __init__(self, game: BatchGame, opponents: Opponent | Sequence[Opponent], side: int) -> None:
        self.game, self.side = game, checks.whole("side", side, 0, game.sides - 1)
        several = list(opponents) if isinstance(opponents, Sequence) and not isinstance(opponents, str) else [opponents]
        if not several:
            raise UserError("opponents = []: expected at least one, or None for random play")
        self.opponents = [_answers(opponent, game.name) for opponent in several]
        self.over = np.ones(game.size, dtype=np.bool_)
        self._seats = np.zeros(game.size, dtype=np.int64)
        self._next = np.arange(game.size)

    def use_seed(self, root_seed: int) -> None:
        """Every game dealt from now on is one of that root seed; the first deals come first."""
        self.game.root_seed = root_seed
        self._next = np.arange(self.game.size)

    def deal(self, slots: Index, deals: Ints | None = None, turned: Ints | None = None) -> None:
        """Start the next game of some slots: of the given deals, int64 `[n]`, the tables turned by that many seats."""
        if deals is not None:
            self._next[slots] = deals
        turned = np.zeros(len(slots), dtype=np.int64) if turned is None else turned
        while slots.size:
            self.game.reset(self._next[slots], games=slots, swap_sides=turned)
            self._next[slots] = checks.following(self._next[slots], self.game.size)
            self._advance(slots)
            # A game that ends before the learner has had a choice teaches nothing.
            again = self.over[slots]
            slots, turned = slots[again], turned[again]

    def step(self, actions: npt.ArrayLike, slots: Index) -> None:
        """The learner's actions, int `[n]`, in games that are not over. Raises `IllegalAction`."""
        self.game.step(actions, games=slots)
        self._advance(slots)

    def legal_rows(self, actions: npt.ArrayLike, slots: Index) -> Bools:
        """Which actions are legal, bool `[n]`."""
        chosen = np.asarray(actions, dtype=np.int64)
        inside = (chosen >= 0) & (chosen < self.game.num_actions)
        allowed: Bools = inside & self.game.legal(slots)[np.arange(len(slots)), np.where(inside, chosen, 0)]
        return allowed

    def points(self) -> Floats:
        """The learner's points as far as everybody can see them, minus the mean of the others', `[B]`; of a game that
        has ended its result.
        """
        scores = self.game.public_scores.astype(np.float64)
        own = scores[:, self.side]
        found: Floats = own - (scores.sum(axis=1) - own) / (self.game.sides - 1)
        return found

    def observations(self, slots: Index | None = None) -> dict[str, I8]:
        """The View of the learner's seat to act (the last one in a game that is over) and its legal actions.

        int8 `[n, F]` and `[n, A]`, of all games or of some; no action is legal in a game that is over.
        """
        live = ~self.over
        self._seats[live] = self.game.to_act[live]
        mask, seats, over = self.game.legal(slots), self._seats, self.over
        if slots is not None:
            seats, over = seats[slots], over[slots]
        mask[over] = False
        return {"observation": self.game.view(slots, seats).buffer, "action_mask": mask.view(np.int8)}

    def _advance(self, slots: Index) -> None:
        """Play on until every slot waits for a choice of the learner or is over."""
        game = self.game
        self.over[slots] = False
        while slots.size:
            done = game.done[slots]
            self.over[slots[done]] = True
            slots = slots[~done]
            words = game.legal_packed(slots)
            choice = np.bitwise_count(words).sum(axis=1, dtype=np.int64) > 1
            goes_on = ~choice | (game.side_of[game.to_act[slots]] != self.side)
            slots, words, choice = slots[goes_on], words[goes_on], choice[goes_on]
            actions = random_legal(words, np.zeros(len(words), dtype=np.uint64))
            rows = np.flatnonzero(choice)
            which = game.deal_ids[slots[rows]] % len(self.opponents)
            for number in np.unique(which).tolist():
                own = rows[which == number]
                at = slots[own]
                actions[own] = self.opponents[number](game.view(at), game.legal(at), game.keys(at))
            game.step(actions, games=slots)


def _answers(opponent: Any, game: str) -> Act:
    """An opponent as a function of View, legal actions and keys."""
    if opponent is None:
        return _at_random
    if isinstance(opponent, str):
        raise UserError(
            f"opponent {opponent!r} is a name and no agent: load it first, agents.load({opponent!r}, {game!r})"
        )
    act: Any = getattr(opponent, "act", opponent)
    if not callable(act) or isinstance(opponent, type):
        raise UserError(f"opponent {opponent!r} is neither an agent nor a function of view, legal and keys")
    found: Act = act
    return found


def _at_random(view: View, legal: Bools, keys: U64) -> Ints:
    return random_legal(np.packbits(legal, axis=1, bitorder="little").view(np.uint64), keys)


__all__ = ["Opponent", "SeatedGames"]
