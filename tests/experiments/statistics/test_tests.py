"""Effect sizes, tests and intransitivity against simulated data whose answer is known."""

from __future__ import annotations

import math

import numpy as np
import pytest

from burako_env.errors import UserError
from experiments.statistics import cycles
from experiments.statistics.ratings import Meetings, pair_indices
from experiments.statistics.significance import boards_needed, effect, holm, p_value
from experiments.statistics.sprt import LEAST, Plan, decide, log_ratio


def test_effect_size_and_the_boards_it_takes():
    sample = np.random.default_rng(0).normal(60, 300, 100_000)
    found = effect(sample)
    assert found.t == pytest.approx(0.2, abs=0.01)
    # (1.96 + 0.84)^2 / t^2, and 2 more for the t distribution.
    for t, needed in ((0.05, 3140), (0.1, 787), (0.2, 199), (0.3, 90)):
        assert boards_needed(t) == pytest.approx(needed, abs=2)
        assert boards_needed(-t) == boards_needed(t)
    assert boards_needed(0.0) is None
    assert boards_needed(9.0) == 3


def test_the_boards_needed_show_the_effect_in_four_of_five_tournaments():
    rng = np.random.default_rng(1)
    needed = boards_needed(0.3)
    found = [p_value(rng.normal(0.3, 1, needed)) < 0.05 for _ in range(1000)]
    assert np.mean(found) == pytest.approx(0.8, abs=0.04)


def test_effects_of_boards_without_variance():
    assert effect([5.0, 5.0]) == (math.inf, 2)
    assert effect([0.0, 0.0]) == (0, None)
    assert math.isnan(effect([5.0]).t)
    assert p_value([5.0, 5.0]) == 0
    assert p_value([0.0, 0.0]) == 1
    assert math.isnan(p_value([5.0]))


def test_p_values_are_uniform_when_there_is_nothing():
    rng = np.random.default_rng(2)
    found = [p_value(rng.laplace(0, 300, 64)) for _ in range(1000)]
    assert np.mean(np.array(found) < 0.05) == pytest.approx(0.05, abs=0.02)
    assert np.mean(found) == pytest.approx(0.5, abs=0.03)


def test_holm_as_in_the_textbook():
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    found = holm([0.01, math.nan, 0.04])
    assert (found[0], found[2]) == pytest.approx((0.02, 0.04))
    assert math.isnan(found[1])
    assert math.isnan(holm([math.nan])[0])


def test_holm_keeps_the_error_of_all_pairs_together(monkeypatch):
    # The library collects garbage at every call, which takes a tenth of a second here.
    monkeypatch.setattr("gc.collect", lambda: 0)
    rng = np.random.default_rng(3)
    wrong = [min(holm(rng.uniform(size=10).tolist())) < 0.05 for _ in range(1000)]
    assert np.mean(wrong) == pytest.approx(0.05, abs=0.02)


def heavy(rng, t, n):
    """Boards with two humps and long tails, of effect size t: closing out, or being closed out."""
    humps = rng.choice([-600.0, 600.0], n) + 400 * rng.standard_t(4, n)
    return humps + t * math.sqrt(600**2 + 2 * 400**2)


def test_the_ratio_by_hand():
    points = np.tile([1.0, 3.0], 50)  # mean 2, standard deviation 1
    middle, reach = 0.05, math.sqrt(1 + 0.01 / 4)
    extreme = middle + reach
    expected = 50 * math.log((1 + extreme**2) / (1 + (extreme - 0.1) ** 2))
    assert log_ratio(points, Plan()) == pytest.approx(expected)
    assert log_ratio(points - 1.5, Plan()) == pytest.approx(50 * math.log(1.25 / 1.16))
    assert log_ratio(np.full(40, 7.0), Plan()) == pytest.approx(
        20 * math.log((1 + extreme**2) / (1 + (extreme - 0.1) ** 2))
    )
    assert log_ratio(np.zeros(40), Plan(-0.1, 0.1)) == 0


def test_the_test_makes_the_errors_it_was_asked_to_make():
    """Heavy-tailed boards of exactly either size: at most about 5% of the decisions are wrong."""
    rng = np.random.default_rng(4)
    plan = Plan(0.0, 0.2)
    for truth, right in ((0.0, "H0"), (0.2, "H1")):
        verdicts = [decide(heavy(rng, truth, 1500), plan) for _ in range(400)]
        wrong = np.mean([verdict.decision != right for verdict in verdicts])
        assert wrong <= 0.075
        assert 120 <= np.mean([verdict.boards for verdict in verdicts]) <= 220


def test_clear_differences_stop_at_once_and_symmetrically():
    strong = np.random.default_rng(5).normal(1000, 100, 200)
    assert decide(strong, Plan()).decision == "H1"
    assert decide(strong, Plan()).boards == 64
    assert decide(-strong, Plan(-0.1, 0.0)).decision == "H0"
    assert decide(-strong, Plan(-0.1, 0.0)).boards == 64
    assert decide(strong[: LEAST - 1], Plan()) == ("open", 0.0, 0)


def test_a_plan_needs_two_sizes_in_order():
    with pytest.raises(UserError, match="t0 < t1"):
        Plan(0.1, 0.1)


def played(rng, means, boards, spread=400.0):
    """Meetings of all pairs with given means `{(a, b): points}`, and luck that all pairs of a board share."""
    names = tuple(dict.fromkeys(name for pair in means for name in pair))
    luck = rng.normal(0, 150, boards)
    points = np.array(list(means.values()))[:, None] + rng.normal(0, spread, (len(means), boards)) + luck
    return Meetings(names, pair_indices(names, list(means)), points, np.full(points.shape, 0.5))


def test_a_circle_is_found_with_its_share():
    means = {("a", "b"): 100.0, ("b", "c"): 100.0, ("a", "c"): -100.0}
    found = cycles.intransitivity(played(np.random.default_rng(6), means, 2000), seed=0)
    assert found.share == pytest.approx(1, abs=0.05)
    assert found.p < 0.01
    # Strengths 60, 0, -60 and a circle of 30: 3 * 30^2 of (60 + 30)^2 + (60 + 30)^2 + (120 - 30)^2.
    mixed = {("a", "b"): 90.0, ("b", "c"): 90.0, ("a", "c"): 90.0}
    found = cycles.intransitivity(played(np.random.default_rng(7), mixed, 4000), seed=0)
    assert found.share == pytest.approx(3 * 30**2 / (3 * 90**2), abs=0.04)


def test_a_ranking_has_no_circle_but_for_noise(monkeypatch):
    """Under one strength an agent the p-value is below 5% in about 5% of the tournaments."""
    monkeypatch.setattr(cycles, "SIMULATIONS", 399)
    rng = np.random.default_rng(8)
    strength = dict(zip("abcd", (150.0, 40, 0, -190)))
    pairs = [("a", "b"), ("a", "c"), ("a", "d"), ("b", "c"), ("b", "d"), ("c", "d")]
    means = {(x, y): strength[x] - strength[y] for x, y in pairs}
    found = [cycles.intransitivity(played(rng, means, 200), seed=repeat) for repeat in range(300)]
    assert np.mean([result.p < 0.05 for result in found]) == pytest.approx(0.05, abs=0.03)
    assert np.mean([result.share for result in found]) == pytest.approx(
        np.mean([result.by_chance for result in found]), rel=0.15
    )


def test_pairs_without_a_circle_have_no_intransitivity():
    gauntlet = {("a", "b"): 10.0, ("a", "c"): 20.0, ("a", "d"): 5.0}
    assert cycles.intransitivity(played(np.random.default_rng(9), gauntlet, 100), seed=0) is None


def test_significant_cycles_are_listed():
    means = {("a", "b"): 50.0, ("c", "b"): -40.0, ("a", "c"): -30.0, ("a", "d"): 5.0, ("b", "d"): 5.0, ("c", "d"): 1.0}
    sure = dict.fromkeys(means, 0.01)
    assert cycles.significant_cycles("abcd", means, sure) == [("a", "b", "c")]
    assert cycles.significant_cycles("acbd", means, sure) == [("a", "b", "c")]
    assert cycles.significant_cycles("abcd", means, {**sure, ("a", "c"): 0.2}) == []
