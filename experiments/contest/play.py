"""Play a list of hands between agents, many at a time.

A batch has a fixed number of slots; a slot whose hand is over takes the next hand of the list, so the batch stays full
to the end. Deals and the agents' chance depend on the hand alone (root seed, deal, orientation), so what is played does
not depend on the number of slots nor on which hands share a batch. A decision with one legal action is not put to the
agent. The game may be one of matches: a row is then a match.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from agents import Agent
from burako_env.batch import BatchGame, Ints
from burako_env.choice import random_legal
from experiments.contest.asking import ask
from experiments.contest.outcomes import OTHERS, Outcomes, shares_of_best
from experiments.contest.schedule import Hands
from experiments.contest.watchers import Index, Watcher


class Decisions:
    """The decisions of one moment, one for each live game; all arrays have n rows.

    slots: games of the batch. rows: their hands. seats, sides: who acts; sides other than a's and b's count as one
    (`OTHERS`). words: legal actions, packed. failed: places (0 to n - 1) whose agent failed, with the reason.
    """

    def __init__(self, game: BatchGame, live: Index, hand: Index) -> None:
        """What is to be decided in the live slots; slot s plays hand `hand[s]`."""
        # The whole batch at once is quicker than a list of all its games.
        games = None if len(live) == game.size else live
        self.slots, self.rows = live, hand[live]
        self.seats = game.to_act[live].astype(np.intp)
        self.sides = np.minimum(game.side_of[self.seats], OTHERS)
        self.words, self.view, self.keys = game.legal_packed(games), game.view(games), game.keys(games)
        self.failed: dict[int, str] = {}


def play(
    game: BatchGame,
    agents: Sequence[Agent],
    hands: Hands,
    outcomes: Outcomes,
    watchers: Sequence[Watcher] = (),
    budget: float = 0.0,
) -> Iterator[Ints]:
    """Play all hands in the slots of `game`; yields the hands just finished, whose rows of `outcomes` are then filled.

    `agents` are those of `hands.agents`, bound to the game. The game has at most as many slots as there are hands.
    `watchers` see every hand and add what they count to `outcomes`. `budget`: seconds per decision, see `ask`.
    """
    live: Index = np.arange(min(game.size, len(hands)))
    hand = live.copy()
    waiting = len(live)
    _deal(game, hands, live, hand, watchers)
    while live.size:
        now = Decisions(game, live, hand)
        for watcher in watchers:
            watcher.seen(now.slots, now.rows, now.seats, now.view)
        actions = _choose(game, agents, hands.players[now.rows, now.seats], now, outcomes, budget)
        good = np.array([place not in now.failed for place in range(len(live))]) if now.failed else slice(None)
        slots, rows, seats, sides = now.slots[good], now.rows[good], now.seats[good], now.sides[good]
        outcomes.decisions[rows, sides] += 1
        for watcher in watchers:
            watcher.acted(slots, rows, seats, actions[good])
        game.step(actions[good], games=slots, validate=False)
        for watcher in watchers:
            watcher.stepped(game)
        finished = slots[game.done[slots]]
        _count_hands(game, finished, hand, outcomes, watchers)
        over = np.concatenate([finished, now.slots[sorted(now.failed)]])
        if not over.size:
            continue
        _give_up(game, now, outcomes, watchers)
        _record(game, over, hand[over], outcomes)
        yield hand[over]
        refilled = over[: len(hands) - waiting]
        hand[refilled] = np.arange(waiting, waiting + len(refilled))
        waiting += len(refilled)
        if refilled.size:
            _deal(game, hands, refilled, hand, watchers)
        live = np.setdiff1d(live, over[len(refilled) :], assume_unique=True)


def _deal(game: BatchGame, hands: Hands, slots: Index, hand: Index, watchers: Sequence[Watcher]) -> None:
    """Deal the hands `hand[slots]` into slots."""
    rows = hand[slots]
    game.reset(hands.boards[rows], games=slots, swap_sides=hands.swapped[rows])
    for watcher in watchers:
        watcher.dealt(game, slots, rows)


def _choose(
    game: BatchGame, agents: Sequence[Agent], players: Ints, now: Decisions, outcomes: Outcomes, budget: float
) -> Ints:
    """Actions int `[n]`; `players` int `[n]` is the agent of each decision. Fills `now.failed`."""
    # With one legal action there is nothing to choose, and nothing to ask.
    actions = random_legal(now.words, np.zeros(len(now.words), dtype=np.uint64))
    choice = np.bitwise_count(now.words).T.sum(axis=0, dtype=np.uint16) > 1
    legal = np.unpackbits(now.words.view(np.uint8), axis=1, bitorder="little").view(np.bool_)
    for number in np.unique(players[choice]):
        part = np.flatnonzero(choice & (players == number))
        answers = ask(agents[number], now.view.take(part), legal[part], now.keys[part], budget)
        actions[part] = answers.actions
        outcomes.asked[now.rows[part], now.sides[part]] += 1
        outcomes.seconds[now.rows[part], now.sides[part]] += answers.seconds
        now.failed.update({int(part[row]): reason for row, reason in answers.failed.items()})
        for row, action in answers.illegal.items():
            now.failed[int(part[row])] = _illegal(game, agents[number], int(now.slots[part[row]]), action)
    return actions


def _illegal(game: BatchGame, agent: Agent, slot: int, action: int) -> str:
    """Why the action is refused, in the game's own words."""
    try:
        game.select([slot]).step([action])
    except ValueError as error:
        return f"{agent.name}: {error}"
    raise AssertionError(f"{game.name} plays action {action}, which its legal set does not hold")


def _give_up(game: BatchGame, now: Decisions, outcomes: Outcomes, watchers: Sequence[Watcher]) -> None:
    """End the hands whose agent failed."""
    for place, reason in now.failed.items():
        outcomes.error_side[now.rows[place]] = now.sides[place]
        outcomes.errors[int(now.rows[place])] = reason
    if places := sorted(now.failed):
        for watcher in watchers:
            watcher.broken(game, now.slots[places], now.rows[places])


def _count_hands(game: BatchGame, slots: Index, hand: Index, outcomes: Outcomes, watchers: Sequence[Watcher]) -> None:
    """Count the hands that the last step ended: those in `slots`, or all that matches say have ended.

    Matches that go on have been dealt their next hand by then.
    """
    match = game.match
    if match is None:
        ended = game.select(slots) if slots.size else None
    else:
        slots, ended = match.finished, match.finished_hands
    if ended is None:
        return
    rows = hand[slots]
    outcomes.hands[rows] += 1
    outcomes.turns[rows] += ended.turns
    for watcher in watchers:
        watcher.ended(ended, rows)
    going = slots[~game.done[slots]]
    if going.size:
        for watcher in watchers:
            watcher.dealt(game, going, hand[going])


def _record(game: BatchGame, slots: Index, hand: Index, outcomes: Outcomes) -> None:
    """Take the results of finished slots."""
    final = game.select(slots)
    outcomes.scores[hand] = final.scores[:, :OTHERS]
    outcomes.best[hand] = shares_of_best(final.scores)[:, :OTHERS]
    outcomes.truncated[hand] = final.truncated
    if game.match is not None:
        # MATCH-1: a truncated match has no winner.
        outcomes.tied[hand] = final.truncated
    for number, reason in zip(hand.tolist(), final.reasons):
        outcomes.reasons[number] = "error" if outcomes.error_side[number] >= 0 else reason
