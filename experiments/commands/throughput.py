"""`burako throughput`: decisions per second of uniformly random legal play on one core.

A decision is everything a learner needs of it: the boolean mask of legal actions and the flat observation are both
made, an action is chosen, the game steps, and a finished hand is dealt anew. The clock is the CPU time of this process.
"""

import itertools
import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Annotated, Any, ClassVar, Final, Literal

import numpy as np
from pettingzoo import AECEnv
from pydantic import Field

import burako_env
from burako_env.batch import BatchGame
from burako_env.chance.rng import mix
from burako_env.choice import random_legal
from burako_env.envs.aec import BatchGameEnv, wrapped
from burako_env.inputs.checked import Real, Whole
from experiments.report.tables import table
from experiments.runs.folder import open_run
from experiments.runs.printing import console
from experiments.runs.settings import ConfigFile, OutDir, RuleChanges, Seed, Settings, SideBySide, rule_changes

# Games start together and spread out as hands end: this many decisions per game are played before the clock runs.
WARM_UP: Final = 400
_GOLDEN: Final = np.uint64(0x9E3779B97F4A7C15)


class ThroughputSettings(Settings):
    """Decisions per CPU second of random legal play on one core.

    The mask and the observation are made for every decision, and finished hands are dealt anew.
    """

    how: ClassVar[frozenset[str]] = frozenset()

    games: Annotated[tuple[str, ...], Field(description="games to measure; by default all")] = ()
    batch: Annotated[
        tuple[SideBySide, ...], Field(min_length=1, description="games side by side, one measurement each")
    ] = (256, 1024, 4096)
    modes: Annotated[
        tuple[Literal["batch", "aec"], ...],
        Field(description="batch: the core; aec: the PettingZoo environment, one game"),
    ] = ("batch", "aec")
    seconds: Annotated[Real, Field(gt=0, le=3600, description="CPU seconds of one run")] = 1.0
    runs: Annotated[Whole, Field(ge=5, le=1000, description="runs of each measurement; the median counts")] = 5
    rules: RuleChanges = ()
    seed: Seed = 0
    config: ConfigFile = None
    out: OutDir = None


def run(settings: ThroughputSettings, line: str) -> int:
    """Measure, print, write the summary."""
    games = settings.games or burako_env.game_names()
    for name in games:
        # Rules that do not exist are refused before anything is written.
        burako_env.make(name, config=rule_changes(settings.rules))
    with open_run("throughput", settings, line, {}) as folder:
        results = measure_all(games, settings)
        path = folder.write_summary({"results": results})
    shown = table("", ("game", "mode"), ("batch", "decisions per CPU second", "bytes per game"))
    for found in results:
        rate, size = found["decisions_per_s"], found["bytes_per_game"]
        shown.add_row(found["game"], found["mode"], str(found["batch"]), f"{rate:,.0f}", str(size))
    out = console()
    out.print(shown)
    out.print(f"summary: {path}", markup=False, soft_wrap=True)
    return 0


def measure_all(games: Sequence[str], settings: ThroughputSettings) -> list[dict[str, Any]]:
    """An entry of `results` for every game, mode and batch."""
    results = []
    for name, mode in itertools.product(games, settings.modes):
        for batch in settings.batch if mode == "batch" else (1,):
            with console().status(f"{name}, {mode}, {batch} games"):
                results.append(measure(name, mode, batch, settings))
    return results


def measure(name: str, mode: str, batch: int, settings: ThroughputSettings) -> dict[str, Any]:
    """One entry of `results`: the median of some runs, which continue one another."""
    changes = rule_changes(settings.rules)
    game = burako_env.make(name, batch=batch, root_seed=settings.seed, config=changes)
    game.reset(np.arange(batch))
    size = sum(array.nbytes for array in game.state_dict().values()) // batch
    decisions = batch_play(game) if mode == "batch" else aec_play(name, settings.seed, changes)
    rates = timed_runs(decisions, WARM_UP * batch, settings.seconds, settings.runs)
    return {
        "game": name,
        "mode": mode,
        "batch": batch,
        "decisions_per_s": round(statistics.median(rates), 1),
        "bytes_per_game": size,
        "runs": [round(rate, 1) for rate in rates],
    }


def timed_runs(
    decisions: Iterator[int], warm_up: int, seconds: float, runs: int, clock: Callable[[], float] = time.process_time
) -> list[float]:
    """Decisions per second of each run; `decisions` plays on and yields how many decisions it has just made."""
    while warm_up > 0:
        warm_up -= next(decisions)
    rates = []
    for _ in range(runs):
        count, start = 0, clock()
        while (spent := clock() - start) < seconds:
            count += next(decisions)
        rates.append(count / spent)
    return rates


def batch_play(game: BatchGame) -> Iterator[int]:
    """Play the dealt games on and on, all side by side.

    Slot s plays deals s, s + B, s + 2B, ...: which deal comes next does not depend on the order in which hands end.
    """
    deals = game.deal_ids.copy()
    salt = mix(np.arange(game.size, dtype=np.uint64))
    moment = np.zeros(1, dtype=np.uint64)
    while True:
        words = game.legal_packed()
        mask = np.unpackbits(words.view(np.uint8), axis=1, bitorder="little").view(np.bool_)
        view = game.view()
        assert mask.shape == (game.size, game.num_actions)
        assert view.buffer.shape == (game.size, game.layout.width)
        moment += _GOLDEN
        game.step(random_legal(words, mix(salt + moment)), validate=False)
        over = np.flatnonzero(game.done)
        if over.size:
            deals[over] += game.size
            game.reset(deals[over], games=over)
        yield game.size


def aec_play(name: str, seed: int, rules: Mapping[str, Any] | None = None) -> Iterator[int]:
    """Play the game's PettingZoo environment on and on, by its own loop."""
    env = aec_env(name, rules)
    episode = 0
    word = seed
    while True:
        env.reset(seed=seed + episode)
        episode += 1
        for _ in env.agent_iter():
            observation, _, termination, truncation, _ = env.last()
            if termination or truncation:
                env.step(None)
                continue
            # For one game at a time plain integers are the quickest source of chance: the high bits of Knuth's MMIX.
            word = (word * 6364136223846793005 + 1442695040888963407) & (2**64 - 1)
            legal = np.flatnonzero(observation["action_mask"])
            env.step(int(legal[(word >> 33) % legal.size]))
            yield 1


def aec_env(name: str, rules: Mapping[str, Any] | None = None) -> AECEnv:
    """The PettingZoo environment of a game, with some rules changed."""

    def made(root_seed: int, rules: Mapping[str, Any]) -> BatchGame:
        return burako_env.make(name, 1, root_seed, rules)

    return wrapped(BatchGameEnv(made, rules=rules))
