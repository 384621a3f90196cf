"""Ratings against simulated tournaments whose answer is known."""

from __future__ import annotations

import numpy as np
import pytest

from experiments.statistics import ratings
from experiments.statistics.ratings import (
    ANCHOR_ELO,
    ELO_PER_LOGIT,
    Meetings,
    elo_of,
    pair_indices,
    player_points,
    points_solver,
    rate,
)


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
    assert found.points[0] == (0, 0, 0)
    for point, truth in zip(found.points[1:], strengths[1:] - strengths[0]):
        assert point.low < point.value < point.high
        assert point.value == pytest.approx(truth, abs=60)
    assert found.ranks.sum(axis=0) == pytest.approx(np.ones(4))
    assert found.ranks.sum(axis=1) == pytest.approx(np.ones(4))
    assert found.ranks[3].tolist() == [1, 0, 0, 0]


def test_points_rating_is_exact_for_additive_means():
    data = meetings(np.random.default_rng(2), [0.0, 100, 250], 50)
    exact = Meetings(data.agents, data.pairs, np.tile([[-100.0], [-250], [-150]], 50), data.wins)
    solution = points_solver(exact) @ exact.points.mean(axis=1)
    assert solution - solution[0] == pytest.approx([0, 100, 250], abs=1e-6)


def test_a_punching_ball_does_not_decide_the_points_rating():
    """Everybody beats the last agent alike and with little variance: that says nothing of the others."""
    rng = np.random.default_rng(12)
    index = np.array([[0, 1], [0, 2], [1, 2]])
    points = np.stack([rng.normal(mean, spread, 500) for mean, spread in ((200, 450), (1000, 130), (1000, 130))])
    found = rate(Meetings(("a", "b", "c"), index, points, np.full((3, 500), 0.5)), "a", seed=0)
    # Equal weights give 2/3 of the direct result; weights by variance alone some 20 points.
    assert found.points[1].value == pytest.approx(-2 / 3 * 200, abs=30)
    assert found.points[2].value == pytest.approx(-1000 - 200 / 3, abs=30)


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


def test_a_pair_that_stopped_early_counts_with_the_boards_it_played():
    data = meetings(np.random.default_rng(4), [0.0, 100, 250], 600)
    data.points[0, 64:] = data.wins[0, 64:] = np.nan
    assert data.boards.tolist() == [64, 600, 600]
    found = rate(data, "agent-0", seed=0)
    assert [point.value for point in found.points] == pytest.approx([0, 100, 250], abs=50)
    full = rate(meetings(np.random.default_rng(4), [0.0, 100, 250], 600), "agent-0", seed=0)
    widths = [[point.high - point.low for point in ratings.points] for ratings in (found, full)]
    assert widths[0][1] > widths[1][1]


def test_teams_that_no_pair_connects_with_the_anchor_get_no_rating():
    rng = np.random.default_rng(5)
    data = Meetings(("a", "b", "c", "d"), np.array([[0, 1], [2, 3]]), rng.normal(9, 5, (2, 64)), np.full((2, 64), 0.5))
    found = rate(data, "d", seed=0)
    assert np.isnan([found.points[0].value, found.elo[1].low]).all()
    assert found.points[2].value == pytest.approx(9, abs=3)
    assert found.ranks[[0, 1]].sum() == 0


def test_players_of_mixed_teams_are_rated_by_the_mean_of_a_team():
    rng = np.random.default_rng(6)
    worth = {"a": 0.0, "b": 120.0, "c": -60.0}
    teams = ("a", "b", "a+b", "b+c", "c")
    strength = [np.mean([worth[player] for player in team.split("+")]) for team in teams]
    index = np.array([[0, 1], [2, 0], [3, 1], [4, 2], [3, 0]])
    gaps = np.array([strength[a] - strength[b] for a, b in index])
    data = Meetings(teams, index, rng.normal(gaps[:, None], 300, (5, 3000)), np.full((5, 3000), 0.5))
    found = player_points(data, "a", seed=0)
    assert found["a"] == (0, 0, 0)
    for name, truth in worth.items():
        assert found[name].low - 1e-9 <= truth <= found[name].high + 1e-9
        assert found[name].value == pytest.approx(truth, abs=30)


@pytest.mark.slow
def test_rating_intervals_cover(monkeypatch):
    """Cluster-bootstrap intervals hold the true ratings in about 95% of 60 simulated tournaments."""
    monkeypatch.setattr(ratings, "REPLICATES", 400)
    rng = np.random.default_rng(11)
    strengths = np.array([-150.0, 0, 150])
    hits = np.zeros((60, 2, 3))
    truth = ANCHOR_ELO + strengths / 200 * ELO_PER_LOGIT
    for repeat in range(60):
        found = rate(meetings(rng, strengths, 120), "agent-1", seed=repeat)
        hits[repeat, 0] = [point.low <= value <= point.high for point, value in zip(found.points, strengths)]
        hits[repeat, 1] = [elo.low - 1e-6 <= value <= elo.high + 1e-6 for elo, value in zip(found.elo, truth)]
    assert 0.89 <= hits[:, 0, [0, 2]].mean() <= 0.995
    assert 0.89 <= hits[:, 1, [0, 2]].mean() <= 0.995
