"""The discard benchmark: suites, values, judging and the command, with tiny budgets."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pyarrow.parquet as pq
import pytest

from agents.burako.discard import STRATEGIES
from agents.burako.discard.sentences import SENTENCES
from agents.burako.facts import Facts
from agents.burako.lookup import lookups
from burako_env.burako.rules import PRESETS
from burako_env.errors import UserError
from experiments.cli import main
from experiments.discards.advice import FEWEST, differences, word
from experiments.discards.estimates import weighted_mean
from experiments.discards.judge import Values, agreements, chosen, judge, means, regrets
from experiments.discards.noise import repeat_noise
from experiments.discards.rollouts import values
from experiments.discards.situations import AXES, CELLS, NAMES, cell_name, cells_in, cells_with
from experiments.discards.store import read_suite, write_suite
from experiments.discards.suite import Source, sample
from experiments.statistics.intervals import Estimate
from tests.tools.contest_bots import summary_of

FOUR = PRESETS["burako-4"]
SOURCE = Source("burako-4", (), "heuristic", seed=4, hands=160, positions=60)
TINY = ["discards", "--config", "tiny", "--part", "decisions"]


@pytest.fixture(scope="module")
def suite():
    return sample(SOURCE, "discards")


@pytest.fixture(scope="module")
def points(suite):
    row, choice, found = values(SOURCE.make(1), SOURCE.load(), suite, 4, 9)
    whole = np.zeros((*suite.legal.shape, 4), dtype=np.int32)
    whole[row, choice] = found
    return whole


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A run of the decisions part."""
    folder = tmp_path_factory.mktemp("discards") / "run"
    assert main([*TINY, "--workers", "1", "--out", str(folder)]) == 0
    return folder


# Situations and suites.


def test_cells_are_the_combinations_of_situations():
    assert len({cell_name(cell) for cell in range(CELLS)}) == CELLS == 24
    assert cells_with(()).all()
    for names in AXES.values():
        assert (sum(cells_in(name).astype(int) for name in names) == 1).all()
    both = cells_with(("next-2", "next-3", "pile-empty", "late"))
    assert [cell_name(cell) for cell in np.flatnonzero(both)] == [
        "next-2, pile-empty, late",
        "next-3, pile-empty, late",
    ]


def test_positions_are_discards_with_a_choice_one_of_a_hand_and_in_their_cells(suite):
    view = suite.view
    assert len(suite) == SOURCE.positions
    assert len(set(suite.deals.tolist())) == len(suite)
    assert (suite.legal.sum(axis=1) > 1).all()
    assert (view.hand[suite.legal.nonzero()] > 0).all()
    assert (view.actor == 0).all()
    assert (view.opening == 0).all()
    for name, rows in {
        "next-2": view.hand_sizes[:, 1] == 2,
        "next-more": view.hand_sizes[:, 1] > 3,
        "pile-empty": view.pile_size == 0,
        "early": view.burakos_taken.sum(axis=1) == 0,
        "late": view.burakos_left.sum(axis=1) == 0,
    }.items():
        assert np.array_equal(cells_in(name)[suite.cells], rows)


def test_every_situation_has_its_part_and_weights_restore_how_often_it_happens(suite):
    assert all(cells_in(name)[suite.cells].sum() >= 4 for name in NAMES)
    assert suite.weights.sum() == pytest.approx(1)
    often = cells_in("next-more")[suite.cells]
    assert suite.weights[often].mean() > suite.weights[~often].mean()


def test_the_same_seed_gives_the_same_suite_and_another_seed_another(suite):
    assert sample(SOURCE, "discards").digest() == suite.digest()
    assert sample(replace(SOURCE, seed=5), "discards").digest() != suite.digest()
    few = sample(replace(SOURCE, positions=20, situations=("late",)), "discards")
    assert cells_in("late")[few.cells].all()
    assert len(few) == 20


def test_draws_are_those_that_advice_3_speaks_of():
    draws = sample(replace(SOURCE, positions=20), "draws")
    assert draws.legal.all()
    assert draws.legal.shape == (20, 2)
    assert (draws.view.hand_sizes[:, 1] > 3).all()
    assert (draws.view.pile_size > 0).all()


def test_too_few_hands_say_so():
    with pytest.raises(UserError, match=r"40 hands give 40 positions .* not 60: raise --hands"):
        sample(replace(SOURCE, hands=40), "discards")


def test_a_suite_survives_its_file_and_a_changed_one_is_refused(suite, tmp_path):
    path = tmp_path / "suite.parquet"
    write_suite(suite, path)
    again = read_suite(path, "burako-4", FOUR)
    assert again.digest() == suite.digest()
    for name in ("keys", "legal", "deals", "numbers", "cells", "weights"):
        assert np.array_equal(getattr(again, name), getattr(suite, name))
    with pytest.raises(UserError, match="not of burako-6"):
        read_suite(path, "burako-6", PRESETS["burako-6"])
    with pytest.raises(UserError, match="rules"):
        read_suite(path, "burako-4", FOUR.model_copy(update={"consult": False}))
    table = pq.read_table(path)
    pq.write_table(table.slice(1).replace_schema_metadata(table.schema.metadata), path)
    with pytest.raises(UserError, match="do not give its digest"):
        read_suite(path, "burako-4", FOUR)


# Values.


def test_values_do_not_depend_on_what_shares_the_batch(suite, points):
    few = suite.take([7, 31])
    row, choice, found = values(SOURCE.make(1), SOURCE.load(), few, 4, 9)
    assert np.array_equal(found, points[np.array([7, 31])[row], choice])
    _, _, other = values(SOURCE.make(1), SOURCE.load(), few, 4, 10)
    assert not np.array_equal(found, other)


def test_every_choice_meets_the_same_redraws(suite):
    """Copies of one discard, given as two choices, end alike."""
    twin = replace(
        suite.take([3]),
        legal=np.ones((1, 2), dtype=np.bool_),
        actions=np.repeat(suite.actions[suite.legal[3].argmax()], 2),
    )
    _, _, found = values(SOURCE.make(1), SOURCE.load(), twin, 6, 9)
    assert np.array_equal(found[0], found[1])
    assert len(set(found[0].tolist())) > 1


# Judging, with values made up.


@pytest.fixture
def made_up(suite):
    """Each card is worth its points below zero, with noise in the halves that cancels out."""
    worth = -np.broadcast_to(lookups(FOUR).value, suite.legal.shape) - np.arange(53) / 1000
    mean = np.where(suite.legal, worth, -np.inf)
    return Values(mean, (mean, mean))


def test_regret_is_what_the_card_loses_against_the_best(suite, made_up):
    lowest = judge("lowest", suite, made_up, FOUR)
    highest = judge("highest", suite, made_up, FOUR)
    assert lowest["regret"] == pytest.approx(0)
    assert lowest["agreement"] == pytest.approx(1)
    assert highest["regret"] > 1
    assert highest["regret_ci"][0] < highest["regret"] < highest["regret_ci"][1]
    assert sum(part["positions"] for part in highest["cells"]) == len(suite)
    for names in AXES.values():
        parts = [part for part in highest["situations"] if part["situation"] in names]
        assert sum(part["share"] for part in parts) == pytest.approx(1)
        assert sum(part["share"] * part["regret"] for part in parts) == pytest.approx(highest["regret"])


def test_the_winner_of_noise_is_not_taken_for_the_best():
    """All cards are worth the same: measured on the same redraws the best would seem far better."""
    noise = np.random.default_rng(1).normal(0, 100, (4000, 8, 4))
    found = means(noise, np.ones((4000, 8), dtype=np.bool_))
    first = np.zeros(4000, dtype=np.int64)
    assert (found.mean.max(axis=1) - found.mean[:, 0]).mean() > 60
    assert abs(regrets(found, first).mean()) < 5
    assert agreements(found, first).mean() == pytest.approx(1 / 8, abs=0.02)


def test_a_strategy_is_judged_by_the_card_its_agent_throws(suite):
    for name in ("safe", "seed"):
        cards = chosen(STRATEGIES[name](), suite, FOUR)
        assert suite.legal[np.arange(len(suite)), cards].all()
        agent = replace(SOURCE, agent=f"heuristic:discard={name}").load()
        legal = np.zeros((len(suite), SOURCE.make(1).num_actions), dtype=np.bool_)
        legal[:, suite.actions] = suite.legal
        assert np.array_equal(agent.act(suite.view, legal, suite.keys), suite.actions[cards])


def test_advice_is_the_paired_difference_of_cards_that_follow_it(suite):
    facts = Facts(suite.view, lookups(FOUR))
    for sentence in SENTENCES:
        follows = np.zeros(suite.legal.shape, dtype=np.bool_)
        follows[:, :52] = sentence.follows(facts).reshape(-1, 52)
        mean = np.where(suite.legal, np.where(follows, 30.0, 10.0) + suite.deals[:, None], -np.inf)
        gain, weights = differences(sentence, facts, suite, Values(mean, (mean, mean)))
        assert len(gain) == len(weights)
        assert gain == pytest.approx(np.full(len(gain), 20.0))


@pytest.mark.parametrize(
    ("bounds", "decisions", "verdict"),
    [
        ((1.0, 3.0), FEWEST, "helps"),
        ((-3.0, -1.0), FEWEST, "hurts"),
        ((-3.0, 1.0), FEWEST, "no difference"),
        ((1.0, 3.0), FEWEST - 1, "too few decisions"),
        ((np.nan, np.nan), 0, "too few decisions"),
    ],
)
def test_verdicts(bounds, decisions, verdict):
    assert word(Estimate(0.0, *bounds), decisions) == verdict


def test_weighted_means():
    found = weighted_mean([0.0, 10.0], [3.0, 1.0])
    assert found.value == 2.5
    assert found.low < 2.5 < found.high
    rng = np.random.default_rng(2)
    inside = 0
    for _ in range(400):
        weights = rng.choice([1.0, 3.0], 60)
        bounds = weighted_mean(rng.normal(5, 2, 60), weights)
        inside += bounds.low < 5 < bounds.high
    assert 0.91 < inside / 400 < 0.98
    assert np.isnan(weighted_mean([], []).value)
    assert np.isnan(weighted_mean([1.0], [1.0]).low)


def test_noise_of_equal_and_of_unrelated_estimates(suite, points):
    first = means(points, suite.legal)
    same = repeat_noise(suite, first, first, ["safe", "highest"], FOUR)
    assert same["correlation"] == pytest.approx(1)
    assert (same["rmse"], same["regret_difference"]) == (0, 0)
    other = np.random.default_rng(3).permuted(points, axis=2)
    again = repeat_noise(suite, first, means(other + 1, suite.legal), ["safe"], FOUR)
    assert again["rmse"] == pytest.approx(0)
    noise = np.random.default_rng(4).normal(0, 500, points.shape)
    assert abs(repeat_noise(suite, first, means(noise, suite.legal), ["safe"], FOUR)["correlation"]) < 0.3


# The command.


def test_a_run_writes_values_summary_and_pictures(finished):
    found = summary_of(finished)
    assert [strategy["name"] for strategy in found["strategies"]] != []
    assert {strategy["name"] for strategy in found["strategies"]} == {"random", "safe", "seed"}
    assert [row["advice"] for row in found["advice"]] == [*(s.name for s in SENTENCES), "ADVICE-3 more cards"]
    assert found["noise"]["positions"] == 8
    assert found["suite"]["positions"] == 48
    about = json.loads(pq.read_schema(finished / "values.parquet").metadata[b"burako"])
    assert about == {
        "game": "burako-4",
        "rules_digest": FOUR.digest(),
        "suite_digest": found["suite"]["digest"],
        "agent": "heuristic",
        "seed": 1,
        "redraws": 4,
    }
    for name in ("regret.png", "regret.svg", "config.yaml", "manifest.json"):
        assert (finished / name).stat().st_size > 0


def test_values_do_not_depend_on_workers_batch_or_interruption(finished, tmp_path):
    out = tmp_path / "two"
    assert main([*TINY, "--workers", "2", "--batch", "100", "--out", str(out)]) == 0
    wanted = pq.read_table(finished / "values.parquet")
    assert pq.read_table(out / "values.parquet").equals(wanted)
    same = ("suite", "values", "strategies", "advice", "noise")
    assert [summary_of(out)[key] for key in same] == [summary_of(finished)[key] for key in same]
    (out / "values.parquet").unlink()
    lost = sorted((out / "parts" / "values").iterdir())[1]
    lost.rename(lost.with_suffix(".tmp-1"))
    assert main([*TINY, "--workers", "1", "--out", str(out), "--resume"]) == 0
    assert pq.read_table(out / "values.parquet").equals(wanted)
    assert not list(out.glob("parts/*/*.tmp-*"))


def test_stored_values_judge_other_strategies(finished, tmp_path, capsys):
    out = tmp_path / "judged"
    line = ["discards", "--config", "tiny", "--part", "decisions", "--values", str(finished), "--out", str(out)]
    assert main([*line, "--strategies", "memory", "safe"]) == 0
    found = {strategy["name"]: strategy for strategy in summary_of(out)["strategies"]}
    assert set(found) == {"memory", "safe"}
    before = {strategy["name"]: strategy for strategy in summary_of(finished)["strategies"]}
    assert found["safe"] == before["safe"]
    assert not (out / "parts").exists()
    shown = capsys.readouterr().out
    assert "Regret by situation" in shown
    assert "The seed's advice" in shown


def test_play_uses_the_tournament_machinery(tmp_path, capsys):
    line = ["discards", "--part", "play", "--games", "burako-4", "burako-6", "--strategies", "random", "safe"]
    out = tmp_path / "run"
    assert main([*line, "--boards", "4", "--workers", "1", "--out", str(out)]) == 0
    found = summary_of(out)["play"]
    assert list(found) == ["burako-4", "burako-6"]
    assert {agent["name"] for agent in found["burako-6"]["agents"]} == {"random", "safe"}
    assert found["burako-4"]["pairs"][0]["boards"] == 4
    assert (out / "play.png").stat().st_size > 0
    assert "burako-6: play, random is 0" in capsys.readouterr().out


def edited(finished, folder, name, **changes):
    """A copy of a run whose file of that name says it belongs to something else."""
    folder.mkdir()
    for path in finished.glob("*.parquet"):
        table = pq.read_table(path)
        if path.stem == name:
            about = {**json.loads(table.schema.metadata[b"burako"]), **changes}
            table = table.replace_schema_metadata({b"burako": json.dumps(about)})
        pq.write_table(table, folder / path.name)
    return str(folder)


def refused(capsys, *arguments: str) -> str:
    """The sentence for bad input."""
    assert main(["discards", "--config", "tiny", *arguments]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith("error: ")
    assert shown.err.count("\n") == 1
    return shown.err


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--strategies", "saef"], "unknown discard strategy 'saef': did you mean safe"),
        (["--strategies", "safe", "safe"], "named twice"),
        (["--situations", "next-9"], "unknown situation 'next-9': did you mean next-"),
        (["--agent", "heuristik"], "unknown agent 'heuristik'"),
        (["--games", "burako-5"], "burako-5"),
        (["--redraws", "5"], "redraws"),
        (["--repeat", "49"], "repeat 49 is more than the 48 positions"),
        (["--values", "nowhere"], "suite-discards.parquet does not exist"),
    ],
)
def test_bad_input_is_one_sentence(arguments, expected, capsys, tmp_path):
    assert expected in refused(capsys, *arguments, "--out", str(tmp_path / "run"))
    assert not (tmp_path / "run").exists()


def test_values_of_other_rules_or_another_suite_are_refused(finished, tmp_path, capsys):
    part = ["--part", "decisions", "--out", str(tmp_path / "run"), "--values"]
    other = edited(finished, tmp_path / "a", "values", rules_digest="0" * 16)
    assert f"was made with rules {'0' * 16}, not {FOUR.digest()}" in refused(capsys, *part, other)
    other = edited(finished, tmp_path / "b", "values", suite_digest="f" * 16)
    assert f"belongs to suite {'f' * 16}, not to" in refused(capsys, *part, other)
    assert "not of burako-4 with rules" in refused(capsys, *part, str(finished), "--rules", "consult=false")
    other = edited(finished, tmp_path / "c", "values")
    (tmp_path / "c" / "values.parquet").write_bytes(b"nothing")
    assert "values.parquet is damaged" in refused(capsys, *part, other)
    assert not (tmp_path / "run").exists()
