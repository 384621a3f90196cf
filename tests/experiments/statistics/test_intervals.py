"""Intervals against simulated data whose answer is known."""

from __future__ import annotations

import numpy as np
import pytest

from experiments.statistics import intervals
from experiments.statistics.control_variates import LEAST_BOARDS, variance_ratio, without_luck


def simulated_points(rng, n, mean, sd_board=300.0, sd_hand=500.0):
    """Points of n boards of two hands: what the cards give one side they take from it when swapped."""
    luck = rng.normal(0, sd_board, n)
    hands = rng.normal(mean, sd_hand, (n, 2))
    return hands + np.stack([luck, -luck], axis=1)


def test_board_points_cancel_the_cards():
    points = np.array([[700, -500], [10, 20]])
    assert intervals.board_points(points).tolist() == [100, 15]


def test_points_of_matches_are_per_hand():
    assert intervals.board_points([[900, -300], [0, 0]], [[4, 2], [0, 0]]).tolist() == [100, 0]


def wins_of(points):
    """1 for a hand won by the first team, a half for a drawn one."""
    return (np.sign(points) + 1) / 2


def test_board_wins_count_a_draw_as_half():
    wins = wins_of(np.array([[5, 1], [5, -5], [0, 0], [0, 3], [-1, -2], [0, -2]]))
    assert intervals.board_wins(wins).tolist() == [1, 0.5, 0.5, 0.75, 0, 0.25]
    assert intervals.board_results(wins) == [1, 1, 2, 1, 1]


def test_mean_interval_is_near_the_normal_one_on_normal_data():
    values = np.random.default_rng(0).normal(30, 100, 2000)
    found = intervals.mean_interval(values, seed=1)
    half = 1.96 * values.std(ddof=1) / np.sqrt(len(values))
    assert found.value == pytest.approx(values.mean())
    assert found.low == pytest.approx(values.mean() - half, abs=0.15 * half)
    assert found.high == pytest.approx(values.mean() + half, abs=0.15 * half)
    assert found == intervals.mean_interval(values, seed=1)


def test_intervals_of_too_few_or_equal_boards():
    assert np.isnan(intervals.mean_interval([12.0], seed=0).low)
    assert np.isnan(intervals.win_interval([1.0]).low)
    assert intervals.mean_interval([3.0] * 10, seed=0) == (3.0, 3.0, 3.0)


def test_win_interval_stays_open_when_every_hand_was_won():
    found = intervals.win_interval(np.ones(500))
    assert found.value == 1
    # Wilson for 1,000 hands out of 1,000.
    assert found.low == pytest.approx(1 / (1 + 1.96**2 / 1000), abs=1e-5)
    assert found.high == pytest.approx(1)


@pytest.mark.parametrize("mean", [0.0, 150.0])
def test_intervals_cover(mean):
    """95% intervals hold the truth in about 95% of 200 simulated matches of 100 boards (binomial error: 1.5%)."""
    rng = np.random.default_rng(5)
    truth = (np.sign(simulated_points(rng, 1_000_000, mean)).mean() + 1) / 2
    mean_hits = win_hits = 0
    for repeat in range(200):
        points = simulated_points(rng, 100, mean)
        found = intervals.mean_interval(intervals.board_points(points), seed=repeat)
        mean_hits += found.low <= mean <= found.high
        wins = intervals.win_interval(intervals.board_wins(wins_of(points)))
        win_hits += wins.low <= truth <= wins.high
    assert 0.91 <= mean_hits / 200 <= 0.985
    assert 0.91 <= win_hits / 200 <= 0.985


def simulated_luck(rng, n, mean):
    """Points of n boards that owe a part to luck `[n, 2]` of expectation 0: half of their variance."""
    luck = rng.normal(0, 1, (n, 2)) * [1.0, 0.5]
    return mean + luck @ [200.0, 300.0] + rng.laplace(0, 250 / np.sqrt(2), n), luck


def test_without_luck_the_mean_is_the_same_and_the_variance_what_luck_leaves():
    points, luck = simulated_luck(np.random.default_rng(8), 20_000, 30.0)
    adjusted = without_luck(points, luck)
    assert adjusted.mean() == pytest.approx(30, abs=4 * 250 / np.sqrt(20_000))
    assert variance_ratio(points, adjusted) == pytest.approx(0.5, abs=0.02)


def test_intervals_without_luck_cover_and_are_narrower():
    rng = np.random.default_rng(9)
    hits, widths = 0, []
    for repeat in range(120):
        points, luck = simulated_luck(rng, 80, 30.0)
        found = intervals.mean_interval(without_luck(points, luck), seed=repeat)
        plain = intervals.mean_interval(points, seed=repeat)
        hits += found.low <= 30 <= found.high
        widths.append((found.high - found.low) / (plain.high - plain.low))
    assert 0.90 <= hits / 120 <= 0.992
    assert np.mean(widths) == pytest.approx(np.sqrt(0.5), abs=0.05)


def test_luck_that_says_nothing_changes_nothing_much():
    rng = np.random.default_rng(10)
    points = rng.normal(0, 100, 500)
    constant = without_luck(points, np.zeros((500, 2)))
    assert constant == pytest.approx(points)
    assert without_luck(points[: LEAST_BOARDS - 1], np.zeros((LEAST_BOARDS - 1, 2))) is None
    unrelated = without_luck(points, rng.normal(0, 1, (500, 2)))
    assert variance_ratio(points, unrelated) == pytest.approx(1, abs=0.05)
