"""Agents and tournaments of single players: turned tables, statistics in crowns, records that can be checked."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import agents
from burako_env.errors import UserError
from burako_env.families import make
from burako_env.records.format import read
from experiments.cli import main
from experiments.commands.check import check
from experiments.contest.contest import Contest
from experiments.contest.outcomes import Outcomes
from experiments.contest.pairings import Pair, round_robin, with_others
from experiments.contest.play import play
from experiments.contest.rows import read_pair
from experiments.contest.schedule import chunks_of, hands_of
from tests.tools.places import GOLDEN

LEVELS = ("ruibal-1", "ruibal-2", "ruibal-3")


def duel(game: str, boards: int) -> float:
    """Share of two-player games that greedy wins against random, a draw being half a win."""
    contest = Contest(game, ("players=2",), 3, (Pair(0, "greedy", "random"),), boards)
    hands = hands_of(chunks_of(contest.pairs, boards, turns=2))
    outcomes = Outcomes(len(hands), 1000)
    for _ in play(contest.make(len(hands)), [contest.load(name) for name in hands.agents], hands, outcomes):
        pass
    assert not outcomes.errors
    return (float(outcomes.wins.mean()) + 1) / 2


@pytest.mark.parametrize(("game", "share"), [("ruibal-1", 0.99), ("ruibal-2", 0.9), ("ruibal-3", 0.8)])
def test_greedy_beats_random(game: str, share: float) -> None:
    assert duel(game, 300) > share


@pytest.mark.parametrize("game", LEVELS)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_greedy_knows_its_level(game: str, players: int) -> None:
    """Bound or not it answers alike, row by row, and legally."""
    batch = make(game, 30, 0, {"players": players})
    batch.reset(np.arange(30))
    bound, unbound = agents.load("greedy", game, {"players": players}), agents.load("greedy")
    for _ in range(30):
        view, legal, keys = batch.view(), batch.legal(), batch.keys()
        live = np.flatnonzero(~batch.done)
        actions = bound.act(view, legal, keys)
        assert np.array_equal(actions, unbound.act(view, legal, keys))
        assert legal[live, actions[live]].all()
        one = view.take(live[:1])
        assert bound.act(one, legal[live[:1]], keys[live[:1]])[0] == actions[live[0]]
        batch.step(actions)


def test_greedy_plays_levels_only() -> None:
    with pytest.raises(UserError, match="unknown game of greedy 'burako-4'"):
        agents.load("greedy", "burako-4")


def test_greedy_points_right() -> None:
    game = make("ruibal-1", 20)
    game.reset(np.arange(20))
    actions = agents.load("greedy", "ruibal-1").act(game.view(), game.legal(), game.keys())
    assert np.array_equal(game.view().match.argmax(axis=1), actions)


def test_boards_of_single_players() -> None:
    """A deal is played once for each seat; the other agents take turns on the sides beyond the pair's."""
    pairs = with_others(round_robin(["a", "b", "c", "d"]))
    assert pairs[0] == Pair(0, "a", "b", ("c", "d"))
    hands = hands_of(chunks_of(pairs[:1], 2, turns=3), side_of=[0, 1, 2])
    assert hands.boards.tolist() == [0, 0, 0, 1, 1, 1]
    assert hands.swapped.tolist() == [0, 1, 2, 0, 1, 2]
    names = [[hands.agents[player] for player in row] for row in hands.players]
    assert names == [["a", "b", "c"]] * 3 + [["a", "b", "d"]] * 3
    alone = hands_of(chunks_of(with_others(round_robin(["a", "b"])), 1, turns=4), side_of=[0, 1, 2, 3])
    assert [alone.agents[player] for player in alone.players[0]] == ["a", "b", "a", "b"]


def test_equal_players_draw_every_board_of_the_lottery(tmp_path: Path) -> None:
    """Level 1, everybody right: over the turned table each player is fastest equally often."""
    out = tmp_path / "run"
    line = ["tournament", "--game", "ruibal-1", "--agents", "greedy", "tests.tools.ruibal_bots:Right", "--boards", "6"]
    assert main([*line, "--workers", "1", "--recorded", "0", "--out", str(out)]) == 0
    (pair,) = json.loads((out / "summary.json").read_text())["pairs"]
    assert pair["mean"] == 0
    # TILE-3: one of four each, however the top crowns are shared.
    assert (pair["win_shares"]["a"], pair["win_shares"]["b"]) == pytest.approx((0.25, 0.25))


def test_a_tournament_over_all_levels(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "run"
    line = ["tournament", "--config", "ruibal", "--boards", "20", "--workers", "1", "--out", str(out)]
    assert main(line) == 0
    shown = capsys.readouterr().out
    assert all(f"{name}:" in shown for name in LEVELS)
    summary = json.loads((out / "summary.json").read_text())
    assert {agent["name"] for agent in summary["agents"][:2]} == {"greedy", "ppo"}
    assert summary["agents"][2]["name"] == "random"
    assert [pair["game"] for pair in summary["pairs"]] == [name for name in LEVELS for _ in range(3)]
    for name in LEVELS:
        own = json.loads((out / summary["games"][name]).read_text())
        assert [agent["name"] for agent in own["agents"]][2] == "random"
        assert own["agents"][0]["hands"] == 2 * 4 * 20
        assert own["agents"][0]["errors"] == 0
        record, *_ = sorted((out / name / "records").glob("*.jsonl"))
        assert check([record]) == 0
        ((_, found),) = read(record)
        assert (found.game, found.turned) == (name, own["records"][0]["orientation"])
        assert set(found.agents) == {"greedy", "ppo", "random"}
        assert (out / name / "report.html").exists()
    assert main([*line, "--resume"]) == 0


@pytest.mark.parametrize("players", [2, 3, 4])
def test_rows_of_a_table(players: int, tmp_path: Path) -> None:
    """Points are crowns of the first player minus those of the second; one worker or two, the rows are the same."""
    rows = []
    for workers in ("1", "2"):
        out = tmp_path / workers
        line = [
            "tournament",
            "--game",
            "ruibal-3",
            "--rules",
            f"players={players}",
            "--boards",
            "70",
            "--out",
            str(out),
        ]
        assert main([*line, "--agents", "greedy", "random", "--recorded", "0", "--workers", workers]) == 0
        rows.append(read_pair(out, chunks_of([Pair(0, "greedy", "random")], 70, turns=players)))
    assert rows[0].points.shape == (70, players)
    assert np.array_equal(rows[0].points, rows[1].points)
    assert rows[0].points.mean() > 1
    assert (rows[0].shares is None) == (players == 2)
    if rows[0].shares is not None:
        greedy, random = rows[0].shares[..., 0], rows[0].shares[..., 1]
        assert (greedy + random <= 1).all()
        assert set(np.unique(rows[0].shares)) <= {0, 1 / 4, 1 / 3, 1 / 2, 1}
        # Who has more crowns has no less of the win.
        assert (greedy[rows[0].points > 0] >= random[rows[0].points > 0]).all()
        assert greedy.mean() > 1 / players > random.mean()


def test_a_failing_player_forfeits(tmp_path: Path) -> None:
    """A player's failure voids the board, also where he is the third; it is counted, and counts in no mean."""
    out = tmp_path / "run"
    line = ["tournament", "--game", "ruibal-2", "--rules", "players=3", "--boards", "3", "--workers", "1"]
    line += ["--agents", "greedy", "random", "tests.tools.ruibal_bots:Failing", "--recorded", "1", "--out", str(out)]
    assert main(line) == 0
    summary = json.loads((out / "summary.json").read_text())
    assert [pair["mean"] for pair in summary["pairs"]] == [None] * 3
    assert [pair["forfeited"] for pair in summary["pairs"]] == [3] * 3
    errors = {agent["name"]: agent["errors"] for agent in summary["agents"]}
    # Three boards of three pairs, each played twice with the two of the pair in turn.
    assert errors == {"greedy": 0, "random": 0, "tests.tools.ruibal_bots:Failing": 18}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("tournament --game ruibal-2 --rules players=5 --agents greedy random", "games for 2, 3 and 4 players"),
        ("tournament --games ruibal-2 ruibal-9 --agents greedy random", "unknown game 'ruibal-9': did you mean"),
        ("tournament --games ruibal-2 ruibal-2 --agents greedy random", "names a game twice"),
        ("tournament --game ruibal-2 --agents greedy greedy+random", "has 2 agents for the 1 seats"),
        ("tournament --game ruibal-2 --play matches --agents greedy random", "is not played in matches"),
        ("evaluate greedy random --game ruibal-1 --rules player=2", "unknown rule key 'player': did you mean players"),
    ],
)
def test_bad_lines(line: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*line.split(), "--out", str(tmp_path / "run")]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("old", "new", "phrase"),
    [
        ('"turned":0', '"turned":4', "cannot be turned so"),
        ('"point 4"', '"point 21"', "the places are 1 to 20"),
        ('"point 4"', '"draw"', "unknown action 'draw'"),
    ],
)
def test_damaged_records(old: str, new: str, phrase: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = (GOLDEN / "ruibal-1.jsonl").read_text()
    path = tmp_path / "record.jsonl"
    path.write_text(text.replace(old, new, 1))
    assert check([path]) == 2
    assert phrase in capsys.readouterr().err
