"""Deep Monte-Carlo: results of hands as targets, a loss that falls, and runs that can be stopped at any round."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

import agents
from agents.learned.encoders import encoder_for
from burako_env.families import make
from experiments.train.acting import Choice, SelfPlay, Situation
from experiments.train.monte_carlo import MonteCarloWorker
from experiments.train.settings import DmcSettings, TrainSettings
from tests.tools.train_runs import rows, run, tiny

SCALE = 500.0


class First:
    """Plays the first legal action."""

    def choose(self, situation: Situation) -> Choice:
        played = situation.legal.argmax(axis=1)
        nothing = np.zeros(len(played), dtype=np.float32)
        return Choice(played, played, nothing, nothing)

    def values(self, features: Any, hidden: Any) -> Any:
        raise AssertionError("results of hands are not estimated")


def worker(slots: int) -> MonteCarloWorker:
    game = make("burako-4", slots, 3)
    encoder = encoder_for("burako-4", None, game.layout)
    return MonteCarloWorker(game, encoder, first=0, stride=slots, scale=SCALE)


def expected(deal: int) -> list[float]:
    """Points still to come at every real choice of a deal, for the side that chooses, from the core alone."""
    game = make("burako-4", 1, 3)
    game.reset([deal])
    seen: list[tuple[int, float]] = []
    while not game.done[0]:
        own = int(game.to_act[0]) % 2
        if game.legal()[0].sum() > 1:
            points = int(game.scores[0, own] - game.scores[0, 1 - own]) if game.decisions[0] else 0
            seen.append((own, points))
        game.step([int(game.legal()[0].argmax())])
    final = game.scores[0].astype(float)
    return [(final[own] - final[1 - own] - points) / SCALE for own, points in seen]


def test_every_decision_comes_back_once_with_the_result_of_its_hand() -> None:
    found: list[list[float]] = [[], []]
    whole, rounds = worker(2), 0
    while min(map(len, found)) < len(expected(0)) + len(expected(1)):
        rollout = whole.collect(7, First(), SelfPlay(), 1.0)
        for slot in range(2):
            found[slot] += rollout.returns[rollout.slots == slot].tolist()
        rounds += 1
        assert rounds < 200
    for slot in range(2):
        both = expected(slot) + expected(slot + 2)
        wanted = both[: len(found[slot])]
        assert np.allclose(found[slot][: len(wanted)], wanted, atol=1e-5)
        assert len(wanted) > len(expected(slot))


def dmc(**changes: Any) -> TrainSettings:
    """Toy runs of the algorithm."""
    settings: dict[str, Any] = {"decisions": 100_000, "teacher": 0, "steps": 48, "minibatch": 256, "lr": (3e-3, 3e-3)}
    return tiny(algorithm="dmc", slots=128, dmc=DmcSettings(**{**settings, **changes.pop("dmc", {})}), **changes)


def test_the_loss_falls_and_values_tell_good_from_bad(tmp_path: Path) -> None:
    training = run(dmc(start="clone", dmc={"decisions": 60_000, "teacher": 60_000}), tmp_path)
    assert training.finished
    losses = [row["train/loss_q"] for row in rows(tmp_path) if "train/loss_q" in row]
    assert np.mean(losses[len(losses) // 2 :]) < 0.9 * losses[0]
    assert agents.load(str(training.store.best), "burako-4")


def test_the_mean_of_the_weights_is_saved_and_others_learn(tmp_path: Path) -> None:
    training = run(dmc(dmc={"polyak": 0.9}), tmp_path, rounds=6)
    saved = agents.load(str(training.store.checkpoint(6)), "burako-4").policy.state_dict()  # type: ignore[attr-defined]
    learner = training.context.learner
    held = learner.policy.state_dict()
    assert all(bool((saved[name] == held[name]).all()) for name in held)
    learning = training.algorithm.state()["learning"]
    mean = np.concatenate([parameter.detach().numpy().ravel() for parameter in learner.parameters])
    assert 0 < np.abs(learning - mean).max() < 1


def test_a_stopped_run_goes_on_bit_for_bit(tmp_path: Path) -> None:
    settings = dmc(start="clone", dmc={"teacher": 2000, "steps": 24})
    whole = run(settings, tmp_path / "whole", rounds=8)
    run(settings, tmp_path / "halves", rounds=4)
    halves = run(settings, tmp_path / "halves", rounds=8)
    for part in ("learner", "worker"):
        one, two = (getattr(training.context, part).state() for training in (whole, halves))
        assert one.keys() == two.keys()
        assert all(np.array_equal(one[name], two[name]) for name in one)
    one, two = whole.algorithm.state(), halves.algorithm.state()
    assert all(np.array_equal(one[name], two[name]) for name in one)
    assert rows(tmp_path / "whole") == rows(tmp_path / "halves")


def test_two_processes_that_have_unequally_many_decisions(tmp_path: Path) -> None:
    training = run(dmc(processes=2, dmc={"decisions": 4000, "steps": 12}), tmp_path)
    assert training.finished
    assert training.decisions >= 4000
