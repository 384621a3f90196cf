"""Play for the tests of the core: agents driven by keys alone, and real states of every stage of a hand."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, Final

import numpy as np

from burako_env.burako.game import BurakoGame
from burako_env.burako.state import State
from burako_env.burako.turn.actions import Kind
from burako_env.cards import is_wild
from burako_env.chance.rng import mix
from burako_env.choice import random_legal
from burako_env.families import make

GAMES: Final = ("burako-4", "burako-6", "burako-8")
# Where a hand can stand, as every seat sees it; a state may be in several stages.
STAGES: Final = (
    "draw",
    "look",
    "lay",
    "first card",
    "second card",
    "answer",
    "yes",
    "no",
    "burako",
    "one card",
    "last",
)
# How much likelier than others an eager player takes an action. It lays, saves its wilds, takes burakos and asks, so it
# reaches positions that random play hardly ever reaches.
EAGER: Final = {Kind.LAY: 20.0, Kind.DRAW_PILE: 3.0, Kind.REJECT: 2.0, Kind.TAKE_BURAKO: 3.0, Kind.ASK: 8.0}
EAGER_WILD: Final = 0.2


def dealt(
    name: str, games: int, config: Mapping[str, Any] | None = None, *, root_seed: int = 0, first: int = 0
) -> BurakoGame:
    """A batch of the deals `first`, `first` + 1, ..."""
    game = make(name, games, root_seed, config)
    assert isinstance(game, BurakoGame)
    game.reset(np.arange(first, first + games))
    return game


def random_actions(game: BurakoGame) -> np.ndarray:
    """A legal action for each game, uniform, from its key; 0 for a done game."""
    return random_legal(game.legal_packed(), mix(game.keys()))


@cache
def _weights(name: str, run_slots: int) -> np.ndarray:
    table = make(name, config={"run_slots": run_slots}).table  # type: ignore[attr-defined]
    weights = np.ones(table.size)
    for action, (kind, card, _) in enumerate(table.rows.tolist()):
        weights[action] = EAGER_WILD if kind == Kind.LAY and is_wild(card) else EAGER.get(Kind(kind), 1.0)
    return weights


def eager_actions(game: BurakoGame) -> np.ndarray:
    """As `random_actions`, with the preferences of `EAGER`."""
    weights = game.legal() * _weights(game.name, game.rules.run_slots)
    sums = weights.cumsum(axis=1)
    drawn = (mix(game.keys()) >> np.uint64(11)).astype(np.float64) / 2**53 * sums[:, -1]
    return np.minimum((sums <= drawn[:, None]).sum(axis=1), game.num_actions - 1)


def mixed_actions(game: BurakoGame) -> np.ndarray:
    """Random play in the deals of even number, eager play in the others."""
    return np.where(game.deal_ids % 2 == 0, random_actions(game), eager_actions(game))


def reset_done(game: BurakoGame, following: int) -> int:
    """Deal `following`, `following` + 1, ... in the games that are over; returns the next unused deal."""
    over = np.flatnonzero(game.done)
    if over.size:
        game.reset(np.arange(following, following + over.size), over)
    return following + over.size


def played(name: str, games: int, steps: int, config: Mapping[str, Any] | None = None, *, first: int = 0) -> BurakoGame:
    """A batch after `steps` decisions of mixed play; games that are over stay over."""
    game = dealt(name, games, config, first=first)
    for _ in range(steps):
        game.step(mixed_actions(game))
    return game


def stages(game: BurakoGame) -> dict[str, np.ndarray]:
    """Which games stand in which stage, bool `[B]` each."""
    view = game.view()
    draw, look, lay, answer, burako = view.phase.T > 0
    return {
        "draw": draw,
        "look": look,
        "lay": lay & (view.opening == 0) & (view.answer < 2),
        "first card": view.opening == 1,
        "second card": view.opening == 2,
        "answer": answer,
        "yes": lay & (view.answer == 2),
        "no": lay & (view.answer == 3),
        "burako": burako,
        "one card": lay & (view.single > 0),
        "last": (view.final_turns >= 0) & ~game.done,
    }


def joined(parts: list[BurakoGame]) -> BurakoGame:
    """One batch of all the games of several batches of the same rules."""
    saved = [part.state_dict() for part in parts]
    whole = parts[0].clone()
    whole.load_state_dict({key: np.concatenate([one[key] for one in saved], axis=1) for key in saved[0]})
    return whole


@cache
def _stage_states(name: str, per_stage: int) -> BurakoGame:
    game = dealt(name, 160)
    following, found = 160, dict.fromkeys(STAGES, 0)
    parts: list[BurakoGame] = []
    for step in range(2500):
        wanted: set[int] = set()
        for stage, there in stages(game).items():
            # A few of each stage at a time, spread over the play.
            some = np.flatnonzero(there)[step % 3 : step % 3 + 2] if step % 5 == 0 or there.sum() < 4 else there[:0]
            some = some[: per_stage - found[stage]]
            found[stage] += len(some)
            wanted.update(some.tolist())
        if wanted:
            parts.append(game.select(sorted(wanted)))
        if min(found.values()) == per_stage:
            return joined(parts)
        game.step(mixed_actions(game))
        following = reset_done(game, following)
    raise AssertionError(f"stages not reached: {found}")


def stage_states(name: str, per_stage: int = 6) -> BurakoGame:
    """A batch with at least `per_stage` games in every stage of `STAGES`, all reached by play from a deal."""
    return _stage_states(name, per_stage).clone()


def sampled(game: BurakoGame, k: int) -> BurakoGame:
    """`k` states for the View of the seat to act in each game."""
    return game.sample_states(game.view(), k, game.keys())


def expect_same(before: Mapping[str, np.ndarray], after: Mapping[str, np.ndarray]) -> None:
    """Assert that two saved states are equal, field by field."""
    assert before.keys() == after.keys()
    changed = [key for key in before if not np.array_equal(before[key], after[key])]
    assert not changed, f"changed: {changed}"


def state_of(game: BurakoGame) -> State:
    """A copy of the state with named arrays, for tests that look at or edit cards themselves."""
    state = State(game.rules, 1)
    state.load(game.state_dict())
    return state


def with_state(game: BurakoGame, state: State) -> BurakoGame:
    """A batch of the same game holding an edited state."""
    other = game.clone()
    other.load_state_dict(state.save())
    return other
