"""What infractions cost: the experiment behind docs/sanctions.md."""

from __future__ import annotations

from argparse import Namespace

import pytest

import agents
from burako_env.burako.melds.groups import MAX_CARDS
from burako_env.burako.sanctions.facts import group_lengths, penalties
from experiments.studies import sanctions
from tests.burako_env.burako.test_sanctions import SANCTIONS


def test_positions_offer_what_they_are_to_be_judged_by() -> None:
    heuristic = agents.load("heuristic", "burako-4", SANCTIONS)
    games = sanctions.found_positions("burako-4", heuristic, 12, 4, 3)
    assert games.size == 4
    assert (penalties(games.view(), games.rules, games.legal()) == 12).any(axis=1).all()
    full = sanctions.found_positions("burako-4", heuristic, sanctions.UNCLOSED, 4, 3)
    assert full.size == 4
    assert (group_lengths(full.view(), full.rules) == MAX_CARDS).any(axis=1).all()


@pytest.mark.slow
def test_a_baza_given_away_costs_its_points() -> None:
    """SANCTION-10: 100 points of table cards and 100 to 500 of the baza go, and often the burako's justification."""
    best = sanctions.best_case("burako-4", "heuristic", sanctions.UNCLOSED, 2, 8, 3)
    assert best.positions == 2
    assert best.cost.value > 100
    assert best.share == 0


@pytest.mark.slow
def test_the_table_has_a_row_an_infraction() -> None:
    options = Namespace(
        game="burako-4", agent="heuristic", boards=4, positions=1, redraws=2, seed=1, infractions=[4, 10]
    )
    rows = sanctions.report(options).splitlines()[2:]
    assert [row.split("|")[1].strip() for row in rows] == ["SANCTION-4", "SANCTION-10"]


def test_another_game_is_refused_in_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert sanctions.main(["--game", "ruibal-2"]) == 2
    expected = "error: infractions are measured in the card game, and ruibal-2 is none of its games\n"
    assert capsys.readouterr() == ("", expected)
