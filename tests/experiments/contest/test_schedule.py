"""Who meets whom, and how the work is cut."""

from __future__ import annotations

import pytest

from agents.spec import members
from burako_env.errors import UserError
from experiments.contest.pairings import Pair, make_pairs, mixed_pairs, round_robin
from experiments.contest.schedule import chunks_of, hands_of, jobs_of


def met(pairs):
    return [(pair.a, pair.b) for pair in pairs]


def test_round_robin_and_chunks():
    pairs = round_robin(["a", "b", "c"])
    assert met(pairs) == [("a", "b"), ("a", "c"), ("b", "c")]
    chunks = chunks_of(pairs, 150)
    assert [(chunk.start, chunk.boards) for chunk in chunks[:3]] == [(0, 64), (64, 64), (128, 22)]
    assert [chunk.start for chunk in chunks_of(pairs[:1], 150, first=64)] == [64, 128]
    for workers, batch in ((1, 1024), (2, 64), (3, 16)):
        jobs = jobs_of(chunks, workers, batch)
        assert sorted((chunk for job in jobs for chunk in job), key=chunks.index) == chunks
        assert len(jobs) >= min(workers, len(chunks))
    assert jobs_of([], 2, 64) == []


def test_schedules():
    agents = ["a", "b", "c"]
    assert make_pairs("round-robin", agents) == round_robin(agents)
    assert met(make_pairs("gauntlet", agents)) == [("a", "b"), ("a", "c")]
    assert met(make_pairs("pairs", (), (("c", "a"), ("b", "c")))) == [("c", "a"), ("b", "c")]
    crossed = make_pairs("cross-play", agents)
    assert met(crossed)[:3] == [("a", "b"), ("a+b", "a"), ("a+b", "b")]
    assert len(crossed) == 9
    assert [pair.index for pair in crossed] == list(range(9))
    assert [(met([first, second])) for first, second in mixed_pairs(crossed)][1] == [("a+c", "a"), ("a+c", "c")]


@pytest.mark.parametrize(
    ("schedule", "agents", "listed", "expected"),
    [
        ("round-robin", ["a"], (), "at least two"),
        ("gauntlet", ["a", "b", "a"], (), "named twice"),
        ("pairs", [], (), "needs --pairs"),
        ("pairs", [], (("a", "b"), ("b", "a")), "listed twice"),
        ("pairs", [], (("a", "a"),), "paired with itself"),
        ("gauntlet", ["a", "b"], (("a", "b"),), "use --schedule pairs"),
        ("cross-play", ["a+b", "c"], (), "mixed team already"),
    ],
)
def test_schedules_that_make_no_sense_are_refused(schedule, agents, listed, expected):
    with pytest.raises(UserError, match=expected):
        make_pairs(schedule, agents, listed)


def test_teams_are_written_with_a_plus():
    assert members("heuristic:discard=safe,pile=never+random") == ("heuristic:discard=safe,pile=never", "random")
    assert members("mine:Bot:tau=1e+3+random") == ("mine:Bot:tau=1e+3", "random")
    with pytest.raises(UserError, match="agent\\+agent"):
        members("heuristic+")


def test_hands_of_a_chunk_are_each_board_twice():
    hands = hands_of(chunks_of([Pair(0, "a", "b"), Pair(1, "b", "a")], 3))
    assert hands.agents == ("a", "b")
    assert hands.boards.tolist() == [0, 0, 1, 1, 2, 2] * 2
    assert hands.swapped.tolist() == [False, True] * 6
    assert hands.players[0].tolist() == [0, 1]
    assert hands.players[-1].tolist() == [1, 0]
    assert hands.chunk.tolist() == [0] * 6 + [1] * 6


def test_partners_change_seats_from_board_to_board():
    hands = hands_of(chunks_of([Pair(0, "a+b", "c")], 2), side_of=[0, 1, 0, 1, 0, 1])
    assert hands.agents == ("a", "b", "c")
    seats = ["".join(hands.agents[player] for player in row) for row in hands.players]
    assert seats == ["acbcac", "acbcac", "bcacbc", "bcacbc"]
