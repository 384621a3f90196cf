"""Properties of the children's levels: tiles are conserved, nothing hidden shows, play is the same however cut."""

from __future__ import annotations

import numpy as np
import pytest

from burako_env.batch import IllegalAction
from burako_env.errors import UserError
from burako_env.families import make
from burako_env.ruibal import LEVELS, RuibalGame
from burako_env.ruibal.actions import Kind
from burako_env.ruibal.position import BoardPosition, PerceptionPosition, RackPosition, TablePosition, laid_tiles
from burako_env.ruibal.tiles import FORFEITS, JOKER
from tests.tools.core_play import expect_same
from tests.tools.ruibal_play import GAMES, dealt, mixed_actions

RULES = {
    "TILE-1": ["test_tiles_are_conserved"],
    "TILE-2": ["test_the_tables_of_actions"],
    "TILE-3": ["test_sides_and_turned_tables"],
    "L2-1": ["test_the_deal"],
    "L3-1": ["test_the_deal"],
    "L2-9": ["test_thefts_are_uniform"],
    "L1-2": ["test_pointing_is_unseen_before_the_last", "test_the_fastest_is_uniform"],
    "RINFO-1": [
        "test_copies_of_a_stolen_tile_are_alike",
        "test_hidden_tiles_do_not_show",
        "test_a_stolen_tile_is_known_to_thief_and_owner",
    ],
}
ALL = pytest.mark.parametrize(("name", "players"), GAMES)
WITH_RACKS = [game for game in GAMES if game[0] != "ruibal-1"]
JOKERS = {"ruibal-2": 2, "ruibal-3": 3}


def all_tiles(position: RackPosition) -> list[int]:
    """Every tile of a position, sorted."""
    assert isinstance(position, BoardPosition | TablePosition)
    laid = laid_tiles(position.board if isinstance(position, BoardPosition) else position.table)
    return sorted([*(tile for rack in position.racks for tile in rack), *position.pool, *position.used, *laid])


def midway(name: str, players: int, games: int, steps: int) -> RuibalGame:
    """Games some decisions on, none of them over."""
    game = dealt(name, players, games)
    for _ in range(steps):
        game.step(mixed_actions(game))
    return game.select(np.flatnonzero(~game.done))


@pytest.mark.parametrize(("name", "players"), WITH_RACKS)
def test_tiles_are_conserved(name: str, players: int) -> None:
    game = dealt(name, players, 24)
    every = sorted([*range(20), *range(20), *[JOKER] * JOKERS[name], *[21] * 4, *[22] * 4, *[23] * 3])
    while not game.done.all():
        assert np.array_equal(game.legal().any(axis=1), ~game.done)
        assert not game.legal()[:, game.table.used :].any()
        for slot in (int(game.decisions.max()) % 24, int(game.decisions.max()) * 7 % 24):
            position = game.position(slot)
            assert isinstance(position, RackPosition)
            assert all_tiles(position) == every
            assert set(position.used) <= set(FORFEITS)
        game.step(mixed_actions(game))
    assert all(set(game.reasons[slot : slot + 1]) <= {"out", "forfeits", "passes"} for slot in range(24))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_deal(players: int) -> None:
    for name, size, tiles in (("ruibal-2", 5, 53), ("ruibal-3", 6, 54)):
        view = dealt(name, players, 32).view()
        assert np.all(view.rack_sizes == size)
        assert np.all(view.rack.sum(axis=1) == size)
        assert np.all(view.pool_size == tiles - players * size)


def test_the_tables_of_actions() -> None:
    """205 rows in level 2, 75 in level 3, 21 in level 1; every action once."""
    used = {"ruibal-1": (21, 64), "ruibal-2": (205, 256), "ruibal-3": (75, 128)}
    for name, (rows, size) in used.items():
        table = LEVELS[name].table
        assert (table.used, table.size) == (rows, size)
        assert len(set(table.rows[:rows].tolist())) == rows
    kinds = np.bincount(LEVELS["ruibal-2"].table.rows["kind"], minlength=12)
    assert (kinds[Kind.PLACE], kinds[Kind.RELEASE]) == (179, 20)
    kinds = np.bincount(LEVELS["ruibal-3"].table.rows["kind"], minlength=12)
    assert (kinds[Kind.MAKE], kinds[Kind.RELEASE]) == (49, 20)


@ALL
def test_sides_and_turned_tables(name: str, players: int) -> None:
    """Every player is a side, and what seat s has, seat s + t has when the table is turned by t."""
    plain = dealt(name, players, 16)
    assert (plain.seats, plain.sides, plain.side_of.tolist()) == (players, players, list(range(players)))
    for turned in range(players):
        other = dealt(name, players, 16, turned=turned)
        assert np.all(other.swapped == turned)
        for seat in range(players):
            seen, before = other.view(seats=(seat + turned) % players), plain.view(seats=seat)
            if name == "ruibal-1":
                assert np.array_equal(seen.spread, before.spread)
            else:
                assert np.array_equal(seen.buffer, before.buffer)
    with pytest.raises(ValueError, match="turns the table by 0 to"):
        plain.reset([0], [0], swap_sides=players)


@pytest.mark.parametrize(("name", "players"), WITH_RACKS)
def test_turned_tables_play_alike(name: str, players: int) -> None:
    """The same actions at a turned table: the same game, the crowns turned; thefts included."""
    plain, other = dealt(name, players, 32), dealt(name, players, 32, turned=players - 1)
    while not plain.done.all():
        assert np.array_equal(plain.legal_packed(), other.legal_packed())
        actions = mixed_actions(plain)
        plain.step(actions)
        other.step(actions)
    assert np.array_equal(np.roll(plain.scores, players - 1, axis=1), other.scores)


@ALL
def test_hidden_tiles_do_not_show(name: str, players: int) -> None:
    """States redrawn from a View give the same View and the same legal actions, and differ in what is hidden."""
    game = midway(name, players, 40, 25)
    views = game.view()
    again = game.sample_states(views, 3, game.keys())
    assert again.size == 3 * game.size
    assert np.array_equal(again.view().buffer, np.repeat(views.buffer, 3, axis=0))
    assert np.array_equal(again.legal_packed(), np.repeat(game.legal_packed(), 3, axis=0))
    saved = again.state_dict()
    hidden = "calls" if name == "ruibal-1" else "racks"
    first, second = saved[hidden][:, 0::3], saved[hidden][:, 1::3]
    assert (first != second).any(axis=0).mean() > 0.8
    while not again.done.all():
        again.step(mixed_actions(again))


@pytest.mark.parametrize(("name", "players"), WITH_RACKS)
def test_what_others_hold_does_not_show(name: str, players: int) -> None:
    """Exchanging the racks' unknown tiles with the pool changes no View of the others."""
    game = midway(name, players, 60, 12)
    for seat in range(players):
        state = game.state_dict()
        other = (seat + 1) % players
        before = game.view(seats=seat).buffer
        for slot in range(game.size):
            row, end = int(state["pool_next"][0, slot]), int(state["pool_end"][0, slot])
            unknown = int(state["racks"][other, slot]) & ~int(np.bitwise_or.reduce(state["lost"][:, slot]))
            if row < end and unknown:
                tile = (unknown & -unknown).bit_length() - 1
                drawn = int(state["pool"][row, slot])
                state["racks"][other, slot] ^= np.uint64(1 << tile | 1 << drawn)
                state["pool"][row, slot] = tile
        edited = game.clone()
        edited.load_state_dict(state)
        assert np.any(edited.state_dict()["racks"] != game.state_dict()["racks"])
        assert np.array_equal(edited.view(seats=seat).buffer, before)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_pointing_is_unseen_before_the_last(players: int) -> None:
    game = dealt("ruibal-1", players, 1)
    other = game.clone()
    for seat in range(players - 1):
        game.step([seat])
        other.step([19 - seat])
        for observer in range(players):
            assert np.array_equal(game.view(seats=observer).buffer, other.view(seats=observer).buffer)
    right = int(game.view().match[0].argmax())
    wrong = (right + 1) % 20
    seen = []
    for last in (right, wrong):
        ended = game.clone()
        ended.step([last])
        seen.append(ended.view(seats=0).buffer.tobytes())
    assert seen[0] != seen[1]


def test_a_stolen_tile_is_known_to_thief_and_owner() -> None:
    """In the Views of the thief and of its owner, in no other; until it is laid or somebody steals from the thief."""
    found = 0
    game = dealt("ruibal-2", 3, 400)
    for _ in range(12):
        actions = mixed_actions(game)
        steals = (game.table.rows["kind"][actions] == Kind.ROBA) & ~game.done
        thief = game.to_act.astype(np.int64)
        before = game.view(seats=(thief + 2) % 3).rack
        third_before = game.view(seats=(thief + 1) % 3).lost
        game.step(actions)
        owner, third = (thief + 2) % 3, (thief + 1) % 3
        lost = game.view(seats=owner)
        taken = before - lost.rack
        rows = np.flatnonzero(steals & (taken.sum(axis=1) == 1) & ~game.done)
        found += len(rows)
        assert np.all(lost.lost[rows] >= taken[rows])
        assert np.all(game.view(seats=thief).stolen[rows] >= taken[rows])
        # The third seat's View shows the sizes of the racks and nothing of the tile.
        seen = game.view(seats=third)
        assert np.all(seen.lost[rows] <= third_before[rows])
    assert found > 30


def test_thefts_are_uniform() -> None:
    """Over the tiles of the rack: two of one type are stolen twice as often as one."""
    position = {"racks": [[21, 1], [0, 0, 5, 23]], "pool": list(range(6, 16))}
    rules = make("ruibal-2", config={"players": 2}).rules  # type: ignore[attr-defined]
    one = LEVELS["ruibal-2"].from_positions([BoardPosition(rules, 0, "turn", [0, 0], **position)])
    many = one.select(np.zeros(4000, dtype=int))
    state = many.state_dict()
    state["chance_key"][0] = np.arange(4000, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    many.load_state_dict(state)
    action = many.table.id_of(Kind.ROBA, 21)
    many.step(action)
    counts = many.view(seats=1).lost.sum(axis=0)
    assert counts.sum() == 4000
    for kind, share in ((0, 0.5), (5, 0.25), (23, 0.25)):
        assert abs(counts[kind] / 4000 - share) < 0.03


def test_copies_of_a_stolen_tile_are_alike() -> None:
    """Who steals back a tile that he knows cannot tell which copy it was: he no longer knows the other one."""
    rules = make("ruibal-2", config={"players": 2}).rules  # type: ignore[attr-defined]
    position = BoardPosition(
        rules, 0, "turn", [0, 0], racks=[[21, 1], [0, 0, 5]], pool=list(range(6, 16)), lost=[[0], []]
    )
    many = LEVELS["ruibal-2"].from_positions([position]).select(np.zeros(200, dtype=int))
    state = many.state_dict()
    state["chance_key"][0] = np.arange(200, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    many.load_state_dict(state)
    many.step(many.table.id_of(Kind.ROBA, 21))
    view = many.view(seats=0)
    got_it = view.rack[:, 0] == 1
    assert 100 < got_it.sum() < 170
    assert np.array_equal(view.lost[:, 0], ~got_it)


def test_the_fastest_is_uniform() -> None:
    game = dealt("ruibal-1", 4, 3000)
    right = game.view().match.argmax(axis=1)
    for seat in range(4):
        game.step(right if seat != 1 else (right + 1) % 20)
    crowns = game.scores.sum(axis=0)
    assert crowns[1] == 0
    assert crowns.sum() == 3000
    assert np.all(np.abs(crowns[[0, 2, 3]] / 3000 - 1 / 3) < 0.04)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_lottery_is_fair_over_the_turns(players: int) -> None:
    """Level 1 at every turn of the table, all pointing right: every seat is as often fastest."""
    total = np.zeros((50, players), dtype=int)
    for turned in range(players):
        game = dealt("ruibal-1", players, 50, turned=turned)
        while not game.done.all():
            game.step(game.view().match.argmax(axis=1))
        total += game.scores
    assert np.all(total == 20)


@ALL
def test_batches_of_any_size_play_alike(name: str, players: int) -> None:
    def course(game: RuibalGame) -> dict[int, tuple[list[int], str]]:
        while not game.done.all():
            game.step(mixed_actions(game))
        return {
            deal: (game.scores[slot].tolist(), game.reasons[slot]) for slot, deal in enumerate(game.deal_ids.tolist())
        }

    many = course(dealt(name, players, 60))
    for start, size in ((0, 7), (30, 1), (59, 1)):
        assert course(dealt(name, players, size, first=start)) == {
            deal: many[deal] for deal in range(start, start + size)
        }
    assert course(dealt(name, players, 60, root_seed=1)) != many


@ALL
def test_saved_states_and_parts(name: str, players: int) -> None:
    game = midway(name, players, 40, 15)
    loaded = make(name, 1, 0, {"players": players})
    loaded.load_state_dict(game.state_dict())
    some = np.array([5, 0, 9])
    before = game.state_dict()
    assert np.array_equal(game.legal(some), game.legal()[some])
    assert np.array_equal(game.view(some).buffer, game.view().buffer[some])
    expect_same(before, game.state_dict())
    part = game.select(some)
    for _ in range(10):
        actions = mixed_actions(game)
        assert np.array_equal(game.legal_packed(), loaded.legal_packed())
        part.step(actions[some])
        game.step(actions)
        loaded.step(actions)
        assert np.array_equal(part.view().buffer, game.view(some).buffer)
        assert np.array_equal(game.view().buffer, loaded.view().buffer)


@ALL
def test_illegal_actions_are_named_and_change_nothing(name: str, players: int) -> None:
    game = midway(name, players, 8, 9)
    before = game.state_dict()
    illegal = int(np.flatnonzero(~game.legal()[1])[-1])
    actions = game.legal().argmax(axis=1)
    actions[1] = illegal
    with pytest.raises(IllegalAction, match=rf"game 1, seat {game.to_act[1]}, phase {game.phase_text(1)}: action"):
        game.step(actions)
    expect_same(before, game.state_dict())


@ALL
def test_positions_round_trip(name: str, players: int) -> None:
    game = midway(name, players, 12, 20)
    positions = [game.position(slot) for slot in range(game.size)]
    again = type(game).from_positions(positions)
    assert [again.position(slot) for slot in range(game.size)] == positions
    assert np.array_equal(again.view().buffer, game.view().buffer)
    assert np.array_equal(again.legal_packed(), game.legal_packed())


def test_an_ended_game_stays_as_it_is() -> None:
    for name, players in GAMES:
        game = dealt(name, players, 4)
        while not game.done.all():
            game.step(mixed_actions(game))
        before, last = game.state_dict(), game.view().buffer
        assert not game.legal().any()
        game.step(np.full(4, -3))
        expect_same(before, game.state_dict())
        assert np.array_equal(game.view().buffer, last)
        position = game.position(0)
        assert isinstance(position, RackPosition | PerceptionPosition)
        assert position.winners


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ({"players": 5}, "players = 5: there are games for 2, 3 and 4 players"),
        ({"players": "two"}, "players = 'two'"),
        ({"player": 2}, "unknown rule key 'player': did you mean players"),
        ({"rack_size": 7}, "unknown rule key 'rack_size'"),
    ],
)
def test_bad_rules(config: dict, message: str) -> None:
    with pytest.raises(UserError, match=message):
        make("ruibal-3", config=config)
