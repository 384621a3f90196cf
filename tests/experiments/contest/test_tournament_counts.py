"""What the rows count: checked against the positions of the hands, and against what must hold on average."""

from __future__ import annotations

import numpy as np
import pytest

import agents
import burako_env
from burako_env.burako.turn.actions import Kind
from burako_env.cards import card_name, is_wild
from burako_env.families import make_match
from experiments.cli import main
from experiments.contest.burako.counts import Counter
from experiments.contest.burako.luck import LuckCounter, count_wilds
from experiments.contest.outcomes import COUNTS, LUCK, Outcomes
from experiments.contest.pairings import Pair
from experiments.contest.play import play
from experiments.contest.queries import connect, profiles
from experiments.contest.schedule import chunks_of, hands_of
from experiments.contest.watchers import Watcher
from tests.reference.cards import value
from tests.reference.groups import baza_kind, identify
from tests.tools.contest_bots import summary_of


class Witness(Watcher):
    """Keeps the positions in which hands ended, and how often each seat drew from where, all in the plainest way."""

    def __init__(self, game):
        self.kinds = game.table.rows["kind"]
        self.ends, self.piles, self.decisions = {}, {}, {}

    def acted(self, slots, rows, seats, actions):
        for row, seat, action in zip(rows.tolist(), seats.tolist(), actions.tolist()):
            self.decisions[row, seat % 2] = self.decisions.get((row, seat % 2), 0) + 1
            if self.kinds[action] == Kind.DRAW_PILE:
                self.piles[row, seat % 2] = self.piles.get((row, seat % 2), 0) + 1

    def ended(self, hands, rows):
        for index, row in enumerate(rows.tolist()):
            self.ends[row] = hands.position(index)


def bazas(closed):
    """Closed bazas by kind, as the reference reads them."""
    kinds = [baza_kind(identify([card_name(card) for card in cards], "both"), "both") for cards in closed]
    return {word: sum(kind.startswith(word) for kind in kinds) for word in ("clean", "dirty", "wild")}


@pytest.mark.parametrize("name", ["burako-4", "burako-6"])
def test_counts_are_those_of_the_positions(name):
    game = burako_env.make(name, batch=16, root_seed=5)
    hands = hands_of(chunks_of([Pair(0, "heuristic", "heuristic:pile=always+random")], 12), game.side_of)
    outcomes = Outcomes(len(hands), 1000)
    witness = Witness(game)
    players = [agents.load(agent, name) for agent in hands.agents]
    for _ in play(game, players, hands, outcomes, [Counter(game, outcomes), witness]):
        pass
    assert len(witness.ends) == 24
    went_out = 0
    for row, end in witness.ends.items():
        for side in (0, 1):
            counted = {key: outcomes.count(key)[row, side] for key in COUNTS}
            expected = {
                "out": end.out_seat is not None and end.out_seat % 2 == side,
                **bazas(end.closed[side]),
                "burakos": len(end.taken_by[side]),
                "piles": witness.piles.get((row, side), 0),
                "held": value(card_name(card) for hand in end.hands[side::2] for card in hand),
                "unjustified": not end.closed[side],
            }
            assert counted == expected
            assert outcomes.decisions[row, side] == witness.decisions[row, side]
            went_out += counted["out"]
    assert went_out


class Auditor(Watcher):
    """Compares what the luck counter believes to be unseen with the real stock and burakos, at every decision."""

    def __init__(self, game, counter):
        self.game, self.counter, self.checked, self.drawn = game, counter, 0, {}

    def seen(self, slots, rows, seats, view):
        for slot in slots.tolist():
            position = self.game.position(slot)
            taken = np.zeros(self.game.seats, dtype=int)
            np.add.at(taken, [seat for team in position.taken_by for seat in team], 1)
            if (taken != self.counter.burakos[slot]).any():
                continue  # a burako lies in a hand that its owner has not looked at
            unseen = position.stock + [card for team in position.burakos for cards in team for card in cards]
            assert self.counter.cards[slot] == len(unseen)
            assert self.counter.wilds[slot] == sum(map(is_wild, unseen))
            assert self.counter.natural_last[slot] == (position.bottom is not None and len(position.stock) > 0)
            self.checked += 1


@pytest.mark.parametrize("name", ["burako-4", "burako-8"])
def test_the_luck_counter_knows_what_is_unseen(name):
    game = burako_env.make(name, batch=12, root_seed=6)
    hands = hands_of(chunks_of([Pair(0, "heuristic", "random")], 6), game.side_of)
    outcomes = Outcomes(len(hands), 1000)
    counter = LuckCounter(game, game.size, outcomes)
    auditor = Auditor(game, counter)
    for _ in play(game, [agents.load(agent, name) for agent in hands.agents], hands, outcomes, [counter, auditor]):
        pass
    assert auditor.checked > 500
    # Each draw adds 1 - p or -p: the luck of a team is its wilds less a sum of chances.
    assert (np.abs(outcomes.luck) < 12).all()
    assert outcomes.luck.any()


@pytest.mark.slow
def test_luck_is_fair_whatever_the_agents_do(tmp_path):
    """Its mean is 0 for an agent that takes every pile and for one that takes none."""
    out = tmp_path / "run"
    line = ["evaluate", "heuristic:pile=never", "heuristic:pile=always", "--boards", "1500", "--recorded", "0"]
    assert main([*line, "--workers", "2", "--out", str(out)]) == 0
    with connect(out) as found:
        rows = found.execute("SELECT luck_stock, luck_burako, team FROM sides").fetchnumpy()
    for team in ("heuristic:pile=never", "heuristic:pile=always"):
        for name in LUCK:
            luck = rows[f"luck_{name}"][rows["team"] == team]
            assert abs(luck.mean()) < 3.5 * luck.std() / np.sqrt(len(luck))


def test_wilds_are_counted():
    cards = np.zeros((2, 53), dtype=np.int8)
    cards[0, [1, 14, 52, 5]] = [2, 1, 3, 1]
    assert count_wilds(cards).tolist() == [6, 0]


def test_rows_of_matches_add_up_their_hands(tmp_path):
    """MATCH-1: a row is a match; its counts are the sums over the hands, the winner is the one the game names."""
    out = tmp_path / "run"
    line = ["evaluate", "heuristic", "heuristic:pile=never", "--play", "matches", "--boards", "2", "--seed", "8"]
    assert main([*line, "--rules", "target=500", "--workers", "1", "--out", str(out)]) == 0
    game = make_match("burako-4", 4, 8, {"target": 500})
    game.reset(np.repeat(np.arange(2), 2), swap_sides=[False, True] * 2)
    players = [agents.load(agent, "burako-4", {"target": 500}) for agent in ("heuristic", "heuristic:pile=never")]
    out_count = np.zeros((4, 2), dtype=int)
    while not game.done.all():
        view, legal, keys = game.view(), game.legal(), game.keys()
        answers = np.stack([player.act(view, legal, keys) for player in players])
        game.step(answers[game.to_act % 2, np.arange(4)])
        for index, match in enumerate(game.finished.tolist()):
            seat = game.finished_hands.position(index).out_seat
            if seat is not None:
                out_count[match, seat % 2] += 1
    with connect(out) as found:
        rows = found.execute("SELECT * FROM hands ORDER BY board, orientation").fetchnumpy()
    assert np.stack([rows["score_a"], rows["score_b"]], axis=1).tolist() == game.totals.tolist()
    assert rows["hands"].tolist() == game.hands_played.tolist()
    assert np.where(rows["win"] > 0, 0, 1).tolist() == game.winner.tolist()
    assert (rows["decisions_a"] + rows["decisions_b"]).tolist() == game.decisions.tolist()
    assert np.stack([rows["out_a"], rows["out_b"]], axis=1).tolist() == out_count.tolist()
    assert set(rows["reason"]) == {"won"}
    summary = summary_of(out)
    points = (rows["points"].reshape(2, 2).sum(axis=1) / rows["hands"].reshape(2, 2).sum(axis=1)).mean()
    assert summary["mean"] == pytest.approx(points, abs=1e-5)
    found_profile = profiles(out)["heuristic"]
    assert found_profile["out"] == pytest.approx(rows["out_a"].sum() / rows["hands"].sum())
    assert main(["check", *(str(out / record["file"]) for record in summary["records"])]) == 0


def test_a_match_that_is_cut_off_has_no_winner(tmp_path):
    out = tmp_path / "run"
    line = ["evaluate", "random", "heuristic:pile=never", "--play", "matches", "--boards", "2", "--recorded", "0"]
    assert main([*line, "--rules", "max_hands=1", "--workers", "1", "--out", str(out)]) == 0
    with connect(out) as found:
        rows = found.execute("SELECT win, truncated, reason, points FROM hands").fetchnumpy()
    assert rows["truncated"].all()
    assert set(rows["reason"]) == {"truncated"}
    assert not rows["win"].any()
    assert rows["points"].any()
    assert summary_of(out)["win_rate"] == 0.5


def test_a_game_in_which_nothing_is_counted(tmp_path, monkeypatch):
    """As of any game of two sides that is not the card game: results, but no profile and no luck."""
    monkeypatch.setattr("experiments.contest.contest.watchers", lambda game, outcomes: [])
    out = tmp_path / "run"
    line = ["tournament", "--agents", "random", "heuristic", "--boards", "41", "--recorded", "0", "--workers", "1"]
    assert main([*line, "--out", str(out)]) == 0
    summary = summary_of(out)
    assert summary["pairs"][0]["without_luck"] is None
    assert summary["agents"][0]["profile"]["out"] is None
    assert summary["agents"][0]["profile"]["won"] > 0.9
    page = (out / "report.html").read_text(encoding="utf-8")
    assert "went out" not in page
    assert "decisions" in page
