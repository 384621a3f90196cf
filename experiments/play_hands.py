"""Play a list of hands between agents, many at a time.

A batch has a fixed number of slots; a slot whose hand is over takes the next hand of the list, so the batch stays full
to the end. Deals and the agents' chance depend on the hand alone (root seed, deal, orientation), so what is played does
not depend on the number of slots nor on which hands share a batch.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from agents import Agent
from burako_env.batch import BatchGame, Bools, Ints
from burako_env.layout import View
from experiments.schedule import Hands

# An agent that raises or returns an action that is not legal loses the hand by this many points: about the standard
# deviation of a hand, so that one error weighs as much as a plain loss.
FORFEIT_POINTS: Final = 1000


@dataclass
class Outcomes:
    """What became of each hand; all arrays `[n]`, `scores` `[n, 2]`.

    error_side: team whose agent failed, -1 if none did; `errors` has the reason by hand. The scores of such a hand are
    those at the moment of the error.
    """

    scores: npt.NDArray[np.int32]
    decisions: npt.NDArray[np.int32]
    turns: npt.NDArray[np.int32]
    truncated: Bools
    error_side: npt.NDArray[np.int8]
    reasons: list[str]
    errors: dict[int, str] = field(default_factory=dict)

    @staticmethod
    def empty(hands: int) -> Outcomes:
        """Room for `hands` outcomes."""
        return Outcomes(
            scores=np.zeros((hands, 2), dtype=np.int32),
            decisions=np.zeros(hands, dtype=np.int32),
            turns=np.zeros(hands, dtype=np.int32),
            truncated=np.zeros(hands, dtype=np.bool_),
            error_side=np.full(hands, -1, dtype=np.int8),
            reasons=[""] * hands,
        )

    @property
    def points(self) -> npt.NDArray[np.int32]:
        """Points of team 0 minus those of team 1, int32 `[n]`; a forfeit counts as lost by `FORFEIT_POINTS`."""
        plain = self.scores[:, 0] - self.scores[:, 1]
        forfeit = np.where(self.error_side == 0, -FORFEIT_POINTS, FORFEIT_POINTS)
        return np.where(self.error_side < 0, plain, forfeit).astype(np.int32)


def play(game: BatchGame, agents: Sequence[Agent], hands: Hands, outcomes: Outcomes) -> Iterator[Ints]:
    """Play all hands in the slots of `game`; yields the hands just finished, whose rows of `outcomes` are then filled.

    `agents` are those of `hands.agents`, bound to the game. The game has at most as many slots as there are hands.
    """
    slots = min(game.size, len(hands))
    hand = np.arange(slots)
    live = np.arange(slots)
    waiting = slots
    game.reset(hands.boards[hand], games=live, swap_sides=hands.swapped[hand])
    while live.size:
        side = game.side_of[game.to_act[live]]
        actions, failed = _choose(game, agents, live, hands.sides[hand[live], side])
        played = live if not failed else live[[slot not in failed for slot in live]]
        game.step(actions[played], games=played, validate=False)
        over = np.concatenate([played[game.done[played]], np.array(sorted(failed), dtype=np.intp)])
        if not over.size:
            continue
        for slot, reason in failed.items():
            outcomes.error_side[hand[slot]] = game.side_of[game.to_act[slot]]
            outcomes.errors[int(hand[slot])] = reason
        _record(game, over, hand[over], outcomes)
        yield hand[over]
        refilled = over[: len(hands) - waiting]
        hand[refilled] = np.arange(waiting, waiting + len(refilled))
        waiting += len(refilled)
        if refilled.size:
            game.reset(hands.boards[hand[refilled]], games=refilled, swap_sides=hands.swapped[hand[refilled]])
        live = np.setdiff1d(live, over[len(refilled) :], assume_unique=True)


def _choose(
    game: BatchGame, agents: Sequence[Agent], live: npt.NDArray[np.intp], acting: Ints
) -> tuple[Ints, dict[int, str]]:
    """Actions by slot, int `[B]`, and the slots whose agent failed, with the reason.

    `acting` int `[len(live)]` is the agent of each live slot.
    """
    actions = np.zeros(game.size, dtype=np.int64)
    failed: dict[int, str] = {}
    for number in np.unique(acting):
        slots = live[acting == number]
        chosen, wrong = _ask(game, agents[number], slots)
        actions[slots] = chosen
        failed.update(wrong)
    return actions, failed


def _ask(game: BatchGame, agent: Agent, slots: npt.NDArray[np.intp]) -> tuple[Ints, dict[int, str]]:
    """The agent's actions in some slots, checked. If it fails on many, it is asked one by one to find out on which."""
    legal = game.legal(games=slots)
    try:
        answer: Any = np.asarray(agent.act(game.view(games=slots), legal, game.keys(slots)))
        if answer.shape != slots.shape or answer.dtype.kind not in "iu":
            raise ValueError(f"act returned {answer.dtype} {list(answer.shape)}, expected integers [{len(slots)}]")
    except Exception as error:  # an agent is foreign code: whatever it raises costs it the hand, not the tournament
        if len(slots) == 1:
            return np.zeros(1, dtype=np.int64), {int(slots[0]): f"{agent.name}: {type(error).__name__}: {error}"}
        parts = [_ask(game, agent, slots[place : place + 1]) for place in range(len(slots))]
        return np.concatenate([part[0] for part in parts]), {key: why for part in parts for key, why in part[1].items()}
    inside = (answer >= 0) & (answer < game.num_actions)
    allowed = inside & legal[np.arange(len(slots)), np.where(inside, answer, 0)]
    wrong = {
        int(slots[row]): _illegal(game, agent, int(slots[row]), int(answer[row])) for row in np.flatnonzero(~allowed)
    }
    return answer.astype(np.int64), wrong


def _illegal(game: BatchGame, agent: Agent, slot: int, action: int) -> str:
    """Why the action is refused, in the game's own words."""
    try:
        game.select([slot]).step([action])
    except ValueError as error:
        return f"{agent.name}: {error}"
    raise AssertionError(f"{game.name} plays action {action}, which its legal set does not hold")


def _record(game: BatchGame, slots: npt.NDArray[np.intp], hand: Ints, outcomes: Outcomes) -> None:
    """Take the results of finished slots."""
    outcomes.scores[hand] = game.scores[slots]
    outcomes.decisions[hand] = game.decisions[slots]
    outcomes.truncated[hand] = game.truncated[slots]
    view = game.view(games=slots)
    if "turns" in game.layout:
        hundreds, rest = view.turns.astype(np.int32).T
        outcomes.turns[hand] = 100 * hundreds + rest
    reasons = end_reasons(view, game.truncated[slots])
    for number, reason in zip(hand.tolist(), reasons):
        outcomes.reasons[number] = "error" if outcomes.error_side[number] >= 0 else reason


def end_reasons(view: View, truncated: Bools) -> list[str]:
    """How finished hands ended, in the words of the case files, from what everybody sees: who went out has no card."""
    if "hand_sizes" in view.layout:
        over = np.where((view.hand_sizes == 0).any(axis=1), "out", "exhausted")
    else:
        over = np.full(len(view), "over")
    return [str(reason) for reason in np.where(truncated, "truncated", over)]
