"""`python -m experiments.studies.sanctions`: what each infraction costs, and what it is worth at its best.

The price: `clumsy` with one infraction against the agent it is made of, on duplicate boards; points lost per hand
divided by infractions per hand, with a 95% interval over boards (delta method for a ratio of means). SANCTION-10 is
counted by the complete groups left on the table at the end. SANCTION-18 needs an open wild group, which the heuristic
seldom has: it is measured among heuristics that open one from three wilds on, on ten times as many boards.

The best case: positions from play in which the infraction is possible. Each is dealt anew `redraws` times from what the
seat to act knows. Over the first half of these redeals the best of some infractions is picked, with the agent playing
all hands to their end; over the other half it is compared with what the agent would have done. So a lucky pick does not
count twice. Players who could judge that well would break the rule where the gain is positive.
"""

import sys
from collections.abc import Sequence
from typing import Annotated, Any, Final, Literal, NamedTuple, cast, get_args

import numpy as np
import numpy.typing as npt
from pydantic import Field

from agents.base import Agent
from agents.spec import quoted
from burako_env.batch import BatchGame, Bools
from burako_env.burako.game import BurakoGame
from burako_env.burako.melds.groups import MAX_CARDS
from burako_env.burako.sanctions.facts import PENALTIES, group_lengths, penalties
from burako_env.burako.turn.actions import Kind
from burako_env.chance.rng import combine, mix
from burako_env.errors import UserError
from burako_env.families import family_of, make
from burako_env.inputs.checked import Whole
from burako_env.layout import View
from experiments.processes.apart import load_agent
from experiments.runs.printing import say
from experiments.runs.settings import Boards, GameName, Seed, Settings, run_script
from experiments.statistics.intervals import Floats

CONFIG: Final = {"enforcement": "sanctions"}
Infraction = Literal[2, 3, 4, 5, 7, 10, 11, 12, 18]
# How often `clumsy` commits each: what can seldom be done is done whenever it can.
RATES: Final = {2: 1.0, 3: 0.2, 4: 0.1, 5: 0.05, 7: 1.0, 10: 1.0, 11: 0.05, 12: 0.05, 18: 1.0}
MORE_BOARDS: Final = {18: 10}
UNCLOSED: Final = 10
# The heuristic that SANCTION-18 is measured with, as it opens wild groups.
GATHERER: Final = "heuristic(wild_group=3)"
# Infractions tried in a position.
CANDIDATES: Final = 4


class Mean(NamedTuple):
    """A mean and half its 95% interval; NaN where there is none."""

    value: float = np.nan
    half: float = np.nan

    def __str__(self) -> str:
        return "-" if np.isnan(self.value) else f"{self.value:+.0f} ± {self.half:.0f}"


class Best(NamedTuple):
    """Of one infraction: positions, and what any of it costs there against the agent's own action; then at its best:
    the gain, the share of positions in which it is picked as one that gains, and the gain in these.
    """

    positions: int
    cost: Mean
    gain: Mean
    share: float
    picked: Mean


def play_on(game: BatchGame, players: list[Agent], counted: int = 0) -> tuple[Floats, Floats]:
    """Play all games to their end, team s by `players[s]`, exchanged where the sides are swapped.

    Returns the points of player 0 less those of player 1, and how often player 0 was sanctioned by `counted`, `[B]`.
    """
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
    lead = (game.scores[:, 0] - game.scores[:, 1]).astype(np.float64)
    return np.where(game.swapped, -lead, lead), times


def price(game_name: str, agent: str, number: int, boards: int, seed: int) -> tuple[float, Mean]:
    """How often an infraction happens per hand and the points that one costs, from duplicate boards."""
    boards *= MORE_BOARDS.get(number, 1)
    clumsy = load_agent(f"clumsy:agent={quoted(agent)},s{number}={RATES[number]}", game_name, CONFIG)
    game = make(game_name, 2 * boards, seed, CONFIG)
    game.reset(np.tile(np.arange(boards), 2), swap_sides=np.repeat([False, True], boards))
    lead, times = play_on(game, [clumsy, load_agent(agent, game_name, CONFIG)], number)
    lost, count = -lead.reshape(2, boards).mean(axis=0), times.reshape(2, boards).mean(axis=0)
    often = float(count.mean())
    if not often:
        return 0.0, Mean()
    ratio = lost.mean() / often
    half = 1.96 * (lost - ratio * count).std(ddof=1) / np.sqrt(boards) / often
    return often, Mean(float(ratio), float(half))


def found_positions(game_name: str, agent: Agent, number: int, wanted: int, seed: int) -> BurakoGame:
    """Games in play, at most so many, in which the infraction can be committed."""
    game = cast(BurakoGame, make(game_name, 256, seed, CONFIG))
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
    agent = load_agent(agent_name, game_name, CONFIG)
    careless = load_agent(f"clumsy:agent={quoted(agent_name)},s10=1", game_name, CONFIG)
    found = found_positions(game_name, agent, number, wanted, seed)
    rows = []
    for index in range(found.size):
        game = found.select([index])
        view, legal, keys = game.view(), game.legal(), game.keys()
        own, after = agent.act(view, legal, keys).tolist(), agent
        fouls = np.flatnonzero(_chances(view, game, legal, number)[0])
        tried = fouls[np.argsort(mix(combine(keys, np.arange(fouls.size))))][:CANDIDATES].tolist()
        if number == UNCLOSED:
            tried, after = careless.act(view, legal, keys).tolist(), careless
        sampled = game.sample_states(view, redraws, keys)
        # The observer sits at seat 0 of a sample; its side is team 0, and no sample is swapped.
        plain, values = _values(sampled, own, [agent, agent])[0], _values(sampled, tried, [after, agent])
        first, second = slice(redraws // 2), slice(redraws // 2, None)
        best = values[values[:, first].mean(axis=1).argmax()]
        pick, gain = (best[half].mean() - plain[half].mean() for half in (first, second))
        rows.append((plain.mean() - values.mean(), gain, pick))
    if not rows:
        return Best(0, Mean(), Mean(), np.nan, Mean())
    cost, gain, pick = np.array(rows).T
    return Best(len(rows), _mean(cost), _mean(gain), float((pick > 0).mean()), _mean(gain[pick > 0]))


def _chances(view: View, game: BurakoGame, legal: Bools, number: int) -> Bools:
    """Legal actions that commit an infraction, `[n, A]`; SANCTION-10: closings, which can be left out."""
    closing = game.table.rows["kind"] == Kind.CLOSE
    found: Bools = legal & closing if number == UNCLOSED else penalties(view, game.rules, legal) == number
    return found


def _values(sampled: BatchGame, options: list[int], players: list[Agent]) -> Floats:
    """Points after each option in each sample, `[options, samples]`."""
    every = sampled.select(np.tile(np.arange(sampled.size), len(options)))
    every.step(np.repeat(options, sampled.size))
    return play_on(every, players)[0].reshape(len(options), sampled.size)


def _mean(values: Floats) -> Mean:
    if values.size < 2:
        return Mean(float(values[0])) if values.size else Mean()
    return Mean(float(values.mean()), float(1.96 * values.std(ddof=1) / np.sqrt(values.size)))


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
    lines = ["| infraction | per hand | points it costs | positions | any costs | best case | gains in | there |"]
    lines.append("|---|---:|---:|---:|---:|---:|---:|---:|")
    for number in options.infractions:
        agent = GATHERER if (number, options.agent) == (18, "heuristic") else options.agent
        often, cost = price(options.game, agent, number, options.boards, options.seed)
        best = best_case(options.game, agent, number, options.positions, options.redraws, options.seed + 1)
        share = "-" if np.isnan(best.share) else f"{best.share:.0%}"
        cells = (f"SANCTION-{number}", f"{often:.2f}", cost, best.positions)
        lines.append(f"| {' | '.join(map(str, (*cells, best.cost, best.gain, share, best.picked)))} |")
        print(lines[-1], file=sys.stderr, flush=True)
    return "\n".join(lines)


def run(settings: SanctionsSettings) -> int:
    """Measure and print."""
    family = family_of(settings.game)
    if family.name != "burako":
        raise UserError(f"infractions are measured in the card game, and {settings.game} is none of its games")
    family.rules(settings.game, CONFIG)
    load_agent(settings.agent, settings.game, CONFIG)
    say(report(settings))
    return 0


def main(argv: Sequence[str] | None = None) -> int:
    """Run it all."""
    return run_script("experiments.studies.sanctions", SanctionsSettings, run, argv)


if __name__ == "__main__":
    sys.exit(main())
