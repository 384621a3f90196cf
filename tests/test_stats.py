"""Statistics against simulated data whose answer is known."""

from __future__ import annotations

import numpy as np
import pytest

from experiments import stats
from experiments.ratings import ANCHOR_ELO, ELO_PER_LOGIT, Meetings, elo_of, pair_indices, points_solver, rate


def simulated_points(rng, n, mean, sd_board=300.0, sd_hand=500.0):
    """Points of n boards of two hands: what the cards give one side they take from it when swapped."""
    luck = rng.normal(0, sd_board, n)
    hands = rng.normal(mean, sd_hand, (n, 2))
    return hands + np.stack([luck, -luck], axis=1)


def test_board_points_cancel_the_cards():
    points = np.array([[700, -500], [10, 20]])
    assert stats.board_points(points).tolist() == [100, 15]


def test_board_wins_count_a_draw_as_half():
    points = np.array([[5, 1], [5, -5], [0, 0], [0, 3], [-1, -2], [0, -2]])
    assert stats.board_wins(points).tolist() == [1, 0.5, 0.5, 0.75, 0, 0.25]


def test_mean_interval_is_near_the_normal_one_on_normal_data():
    values = np.random.default_rng(0).normal(30, 100, 2000)
    found = stats.mean_interval(values, seed=1)
    half = 1.96 * values.std(ddof=1) / np.sqrt(len(values))
    assert found.value == pytest.approx(values.mean())
    assert found.low == pytest.approx(values.mean() - half, abs=0.15 * half)
    assert found.high == pytest.approx(values.mean() + half, abs=0.15 * half)
    assert found == stats.mean_interval(values, seed=1)


def test_intervals_of_too_few_or_equal_boards():
    assert np.isnan(stats.mean_interval([12.0], seed=0).low)
    assert np.isnan(stats.win_interval([1.0]).low)
    assert stats.mean_interval([3.0] * 10, seed=0) == (3.0, 3.0, 3.0)


def test_win_interval_stays_open_when_every_hand_was_won():
    found = stats.win_interval(np.ones(500))
    assert found.value == 1
    # Wilson for 1,000 hands out of 1,000.
    assert found.low == pytest.approx(1 / (1 + 1.96**2 / 1000), abs=1e-5)
    assert found.high == pytest.approx(1)


@pytest.mark.parametrize("mean", [0.0, 150.0])
def test_intervals_cover(mean):
    """95% intervals hold the truth in about 95% of 300 simulated matches of 100 boards (binomial error: 1.3%)."""
    rng = np.random.default_rng(5)
    truth = (np.sign(simulated_points(rng, 1_000_000, mean)).mean() + 1) / 2
    mean_hits = win_hits = 0
    for repeat in range(300):
        points = simulated_points(rng, 100, mean)
        found = stats.mean_interval(stats.board_points(points), seed=repeat)
        mean_hits += found.low <= mean <= found.high
        wins = stats.win_interval(stats.board_wins(points))
        win_hits += wins.low <= truth <= wins.high
    assert 0.91 <= mean_hits / 300 <= 0.985
    assert 0.91 <= win_hits / 300 <= 0.985


def meetings(rng, strengths, boards, spread=400.0):
    """A round robin in which agent i's points a board against j are normal about strengths[i] - strengths[j]."""
    names = tuple(f"agent-{index}" for index in range(len(strengths)))
    pairs = [(a, b) for place, a in enumerate(names) for b in names[place + 1 :]]
    index = pair_indices(names, pairs)
    gaps = np.asarray(strengths)[index[:, 0]] - np.asarray(strengths)[index[:, 1]]
    cards = rng.normal(0, 100, boards)
    points = rng.normal(gaps[:, None], spread, (len(pairs), boards)) + cards
    probability = 1 / (1 + np.exp(-gaps / 200))
    wins = rng.binomial(2, probability[:, None], (len(pairs), boards)) / 2
    return Meetings(names, index, points, wins)


def test_points_rating_finds_the_strengths():
    strengths = np.array([-300.0, -20, 60, 260])
    found = rate(meetings(np.random.default_rng(1), strengths, 800), "agent-0", seed=0)
    assert sum(point.value for point in found.points) == pytest.approx(0, abs=1e-6)
    for point, truth in zip(found.points, strengths):
        assert point.low < point.value < point.high
        assert point.value == pytest.approx(truth, abs=40)


def test_points_rating_is_exact_for_additive_means():
    data = meetings(np.random.default_rng(2), [0.0, 100, 250], 50)
    exact = Meetings(data.agents, data.pairs, np.tile([[-100.0], [-250], [-150]], 50), data.wins)
    solution = points_solver(exact) @ exact.points.mean(axis=1)
    assert solution - solution[0] == pytest.approx([0, 100, 250], abs=1e-6)


def test_elo_finds_the_strengths_and_keeps_the_anchor():
    strengths = np.array([0.0, 100, 300])
    found = rate(meetings(np.random.default_rng(3), strengths, 2000), "agent-1", seed=0)
    truth = ANCHOR_ELO + (strengths - 100) / 200 * ELO_PER_LOGIT
    assert found.elo[1] == (ANCHOR_ELO, ANCHOR_ELO, ANCHOR_ELO)
    for elo, expected in zip(found.elo, truth):
        assert elo.value == pytest.approx(expected, abs=25)
        assert elo.low - 1e-9 <= elo.value <= elo.high + 1e-9


def test_elo_of_two_agents_is_the_logit():
    data = Meetings(("a", "b"), np.array([[0, 1]]), np.zeros((1, 100)), np.full((1, 100), 0.75))
    elo = elo_of(data, np.array([150.0]), 0.0, reference=1)
    assert elo == pytest.approx([ANCHOR_ELO + 400 * np.log10(3), ANCHOR_ELO])


def test_elo_of_an_agent_that_never_lost_is_finite_with_an_honest_interval():
    data = Meetings(("a", "b"), np.array([[0, 1]]), np.full((1, 500), 900.0), np.ones((1, 500)))
    found = rate(data, "b", seed=0).elo[0]
    assert ANCHOR_ELO + 800 < found.low < found.value < found.high < ANCHOR_ELO + 8000
    # The lower bound is that of Jeffreys' interval for 1,000 wins in 1,000 hands: 0.25% lost.
    assert found.low == pytest.approx(ANCHOR_ELO + 400 * np.log10(0.9975 / 0.0025), abs=40)


def test_equal_agents_rate_equal():
    data = Meetings(("a", "b", "c"), np.array([[0, 1], [0, 2], [1, 2]]), np.zeros((3, 64)), np.full((3, 64), 0.5))
    found = rate(data, "a", seed=0)
    assert [point.value for point in found.points] == pytest.approx([0, 0, 0])
    assert [elo.value for elo in found.elo] == pytest.approx([ANCHOR_ELO] * 3)


@pytest.mark.slow
def test_rating_intervals_cover():
    """Cluster-bootstrap intervals hold the true ratings in about 95% of 60 simulated tournaments."""
    rng = np.random.default_rng(11)
    strengths = np.array([-150.0, 0, 150])
    hits = np.zeros((60, 2, 3))
    truth = ANCHOR_ELO + strengths / 200 * ELO_PER_LOGIT
    for repeat in range(60):
        found = rate(meetings(rng, strengths, 120), "agent-1", seed=repeat)
        hits[repeat, 0] = [point.low <= value <= point.high for point, value in zip(found.points, strengths)]
        hits[repeat, 1] = [elo.low - 1e-6 <= value <= elo.high + 1e-6 for elo, value in zip(found.elo, truth)]
    assert 0.89 <= hits[:, 0].mean() <= 0.995
    assert 0.89 <= hits[:, 1, [0, 2]].mean() <= 0.995
