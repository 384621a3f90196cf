"""`python -m experiments.studies.sanctions`: what each infraction costs, and what it is worth at its best.

The price: `clumsy` with one infraction against the agent it is made of, on duplicate boards; points lost a hand divided
by infractions a hand, with a 95% interval over boards (delta method for a ratio of means). SANCTION-10 is counted by
the complete groups left on the table at the end. SANCTION-18 needs an open wild group, which the heuristic seldom has:
it is measured among heuristics that open one from three wilds on, on ten times as many boards.

The best case: positions from play in which the infraction is possible. Each is dealt anew `redraws` times from what the
seat to act knows. Over the first half of these redeals the best of some infractions is picked, with the agent playing
all hands to their end; over the other half it is compared with what the agent would have done. So a lucky pick does not
count twice. A player who could judge that well would break the rule where the gain is positive.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, get_args

import numpy as np
import numpy.typing as npt
from pydantic import Field

from agents.base import Agent
from agents.spec import quoted
from burako_env.batch import BatchGame, Bools
from burako_env.burako.game import BurakoGame
from burako_env.burako.melds.groups import MAX_CARDS
from burako_env.burako.rules import burako_rules
from burako_env.burako.sanctions.facts import PENALTIES, group_lengths, penalties
from burako_env.burako.turn.actions import Kind
from burako_env.families import make
from burako_env.inputs.checked import Whole
from burako_env.kit.rng import combine, mix
from burako_env.layout import View
from experiments.processes.apart import load_agent
from experiments.runs.printing import say
from experiments.runs.settings import Boards, GameName, Seed, Settings, run_script

CONFIG = {"enforcement": "sanctions"}
# How often `clumsy` commits each: what can seldom be done is done whenever it can.
Infraction = Literal[2, 3, 4, 5, 7, 10, 11, 12, 18]
ALL: tuple[Infraction, ...] = get_args(Infraction)
RATES = {2: 1.0, 3: 0.2, 4: 0.1, 5: 0.05, 7: 1.0, 10: 1.0, 11: 0.05, 12: 0.05, 18: 1.0}
MORE_BOARDS = {18: 10}
UNCLOSED = 10
GATHERER = "heuristic(wild_group=3)"
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Price:
    """Of one infraction: how often a hand, points lost by one, and half the 95% interval."""

    hands: int
    per_hand: float
    points: float
    half: float


@dataclass(frozen=True)
class Best:
    """Of one infraction: positions, what any of it costs against the agent's own action and half the interval; then at
    its best: mean gain and half the interval, share of positions in which it gains, mean gain in those picked as such.
    """

    positions: int
    cost: float
    cost_half: float
    gain: float
    half: float
    share: float
    when_picked: float
    picked_half: float


def play_on(game: BatchGame, players: list[Agent], counted: int = 0) -> tuple[Floats, Floats]:
    """Play all games to their end, team s by `players[s]`, exchanged where the sides are swapped.

    Returns the points of player 0 less those of player 1, and how often player 0 was sanctioned by `counted`, `[B]`.
    """
    assert isinstance(game, BurakoGame)
    times = np.zeros(game.size)
    while not game.done.all():
        live = np.flatnonzero(~game.done)
        view, legal, keys = game.view(live), game.legal(live), game.keys(live)
        who = (game.to_act[live] + game.swapped[live]) % 2
        actions = np.zeros(len(live), dtype=np.int64)
        for player, agent in enumerate(players):
            rows = np.flatnonzero(who == player)
            if rows.size:
                actions[rows] = agent.act(view.take(rows), legal[rows], keys[rows])
        if counted in PENALTIES:
            rows = np.flatnonzero(who == 0)
            done = penalties(view.take(rows), game.rules, legal[rows])[np.arange(rows.size), actions[rows]]
            times[live[rows]] += done == counted
        game.step(actions, games=live)
    if counted == UNCLOSED:
        ends = game.view(seats=game.swapped)
        times = (group_lengths(ends, game.rules) == MAX_CARDS).sum(axis=1).astype(np.float64)
    first = game.swapped.astype(np.intp)
    points = np.take_along_axis(game.scores.astype(np.float64), np.stack([first, 1 - first], axis=1), axis=1)
    return points[:, 0] - points[:, 1], times


def base_agent(agent: str, number: int) -> str:
    """The agent that an infraction is measured with: SANCTION-18 needs one that opens wild groups."""
    return GATHERER if (number, agent) == (18, "heuristic") else agent


def price(game_name: str, agent: str, number: int, boards: int, seed: int) -> Price:
    """The price of an infraction from `boards` duplicate boards, more of them where it is rare."""
    agent, boards = base_agent(agent, number), boards * MORE_BOARDS.get(number, 1)
    clumsy = load_agent(f"clumsy:agent={quoted(agent)},s{number}={RATES[number]}", game_name, CONFIG)
    plain = load_agent(agent, game_name, CONFIG)
    game = make(game_name, 2 * boards, seed, CONFIG)
    game.reset(np.tile(np.arange(boards), 2), swap_sides=np.repeat([False, True], boards))
    lead, times = play_on(game, [clumsy, plain], number)
    lost, count = -lead.reshape(2, boards).mean(axis=0), times.reshape(2, boards).mean(axis=0)
    often = count.mean()
    if not often:
        return Price(2 * boards, 0.0, np.nan, np.nan)
    ratio = lost.mean() / often
    half = 1.96 * (lost - ratio * count).std(ddof=1) / np.sqrt(boards) / often
    return Price(2 * boards, float(often), float(ratio), float(half))


def found_positions(game_name: str, agent: Agent, number: int, wanted: int, seed: int) -> BurakoGame:
    """Games in play, at most so many, in which the infraction can be committed."""
    game = make(game_name, 256, seed, CONFIG)
    assert isinstance(game, BurakoGame)
    game.reset(np.arange(256))
    parts: list[dict[str, npt.NDArray[Any]]] = []
    while len(parts) < wanted and not game.done.all():
        live = np.flatnonzero(~game.done)
        view, legal, keys = game.view(live), game.legal(live), game.keys(live)
        can = _chances(view, game, legal, number).any(axis=1)
        # A word of the key decides which of them are taken, so that they are spread over the hands.
        taken = live[can & (mix(combine(keys, number)) % np.uint64(8) == 0)]
        parts += [game.select([place]).state_dict() for place in taken[: max(2, wanted // 16)].tolist()]
        game.step(agent.act(view, legal, keys), games=live)
    if parts:
        whole = {name: np.concatenate([part[name] for part in parts[:wanted]], axis=1) for name in parts[0]}
        game.load_state_dict(whole)
    return game.select(np.arange(min(wanted, len(parts))))


def best_case(game_name: str, agent_name: str, number: int, wanted: int, redraws: int, seed: int) -> Best:
    """What an infraction is worth where it is worth most; SANCTION-10: closing nothing from there to the end."""
    agent_name = base_agent(agent_name, number)
    agent = load_agent(agent_name, game_name, CONFIG)
    careless = load_agent(f"clumsy:agent={quoted(agent_name)},s10=1", game_name, CONFIG)
    after = careless if number == UNCLOSED else agent
    found = found_positions(game_name, agent, number, wanted, seed)
    gains, picks, costs = [], [], []
    for index in range(found.size):
        game = found.select([index])
        view, legal, keys = game.view(), game.legal(), game.keys()
        own = int(agent.act(view, legal, keys)[0])
        fouls = np.flatnonzero(_chances(view, game, legal, number)[0])
        order = np.argsort(mix(combine(keys, np.arange(fouls.size))))
        tried = fouls[order][:CANDIDATES].tolist()
        if number == UNCLOSED:
            tried = careless.act(view, legal, keys).tolist()
        sampled = game.sample_states(view, redraws, keys)
        # The observer sits at seat 0 of a sample; its side is team 0, and no sample is swapped.
        values = np.concatenate(
            [_values(sampled, [own], [agent, agent]), _values(sampled, tried, [after, agent])],
        )
        costs.append(values[0].mean() - values[1:].mean())
        half = redraws // 2
        best = 1 + int(values[1:, :half].mean(axis=1).argmax())
        picks.append(values[best, :half].mean() - values[0, :half].mean())
        gains.append(values[best, half:].mean() - values[0, half:].mean())
    gain, pick, cost = np.array(gains), np.array(picks), np.array(costs)
    if not gain.size:
        return Best(0, *[np.nan] * 7)
    when = gain[pick > 0]
    return Best(
        gain.size,
        float(cost.mean()),
        _half(cost),
        float(gain.mean()),
        _half(gain),
        float((pick > 0).mean()),
        float(when.mean()) if when.size else np.nan,
        _half(when),
    )


# Infractions tried in a position.
CANDIDATES = 4


def _chances(view: View, game: BurakoGame, legal: Bools, number: int) -> Bools:
    """Legal actions that commit an infraction, `[n, A]`; SANCTION-10: closings, which can be left out."""
    if number == UNCLOSED:
        found: Bools = legal & (game.table.rows["kind"] == Kind.CLOSE)
    else:
        found = penalties(view, game.rules, legal) == number
    return found


def _values(sampled: BatchGame, options: list[int], players: list[Agent]) -> Floats:
    """Points after each option in each sample, `[options, samples]`."""
    every = sampled.select(np.tile(np.arange(sampled.size), len(options)))
    every.step(np.repeat(options, sampled.size))
    return play_on(every, players)[0].reshape(len(options), sampled.size)


def _half(values: Floats) -> float:
    """Half the 95% interval of a mean."""
    return float(1.96 * values.std(ddof=1) / np.sqrt(values.size)) if values.size > 1 else float("nan")


class SanctionsSettings(Settings):
    """What infractions cost, and what each is worth at its best: both as one table in Markdown."""

    game: GameName = "burako-4"
    agent: Annotated[str, Field(description="agent that plays all seats")] = "heuristic"
    boards: Annotated[Boards, Field(le=100_000, description="boards for each price")] = 300
    positions: Annotated[Whole, Field(ge=1, le=10_000, description="positions for each best case")] = 24
    redraws: Annotated[Whole, Field(ge=2, le=10_000, description="redeals of each position")] = 24
    infractions: Annotated[tuple[Infraction, ...], Field(min_length=1, description="by sanction; all")] = get_args(
        Infraction
    )
    seed: Annotated[Seed, Field(lt=2**62)] = 1


def report(options: SanctionsSettings) -> str:
    """Both tables, as Markdown."""
    lines = ["| infraction | a hand | points it costs | positions | any costs | best case | gains in | there |"]
    lines.append("|---|---:|---:|---:|---:|---:|---:|---:|")
    for number in options.infractions:
        cost = price(options.game, options.agent, number, options.boards, options.seed)
        best = best_case(options.game, options.agent, number, options.positions, options.redraws, options.seed + 1)
        share = "-" if np.isnan(best.share) else f"{best.share:.0%}"
        cells = [f"SANCTION-{number}", f"{cost.per_hand:.2f}", _with(cost.points, cost.half), str(best.positions)]
        cells += [
            _with(best.cost, best.cost_half),
            _with(best.gain, best.half),
            share,
            _with(best.when_picked, best.picked_half),
        ]
        lines.append(f"| {' | '.join(cells)} |")
        print(lines[-1], file=sys.stderr, flush=True)
    return "\n".join(lines)


def _with(value: float, half: float) -> str:
    return "-" if np.isnan(value) else f"{value:+.0f} ± {half:.0f}"


def run(settings: SanctionsSettings) -> int:
    """Measure and print."""
    burako_rules(settings.game, CONFIG)
    load_agent(settings.agent, settings.game, CONFIG)
    say(report(settings))
    return 0


def main(argv: Sequence[str] | None = None) -> int:
    """Run it all."""
    return run_script("experiments.studies.sanctions", SanctionsSettings, run, argv)


if __name__ == "__main__":
    sys.exit(main())
