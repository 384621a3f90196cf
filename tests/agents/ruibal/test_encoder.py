"""Features of the children's levels against the core: what they say must be what legal sets and positions say."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from agents.learned.encoders import encoder_for
from agents.ruibal.network.encoder import RuibalEncoder
from burako_env.ruibal import RuibalGame
from burako_env.ruibal.actions import Kind
from burako_env.ruibal.position import BoardPosition, RackPosition, TablePosition, laid_tiles
from burako_env.ruibal.tiles import CELL_COUNT, JOKER
from tests.tools.ruibal_play import GAMES, dealt, mixed_actions

PLAYERS = (2, 4)


@dataclass
class Midway:
    """Games in the middle of play, and their features."""

    game: RuibalGame
    encoder: RuibalEncoder
    features: np.ndarray

    def block(self, name: str) -> np.ndarray:
        """A feature of the characters by cell, `[n, 20]` (or `[n, 4 * width]`)."""
        encoder = self.encoder
        blocks = self.features[:, : 4 * encoder.block].reshape(len(self.features), 4, encoder.block)
        return blocks[:, :, encoder.block_at[name]].reshape(len(self.features), -1)

    def rest(self, name: str) -> np.ndarray:
        """Another feature, `[n, width]`."""
        return self.features[:, 4 * self.encoder.block :][:, self.encoder.rest_at[name]]


def midway(name: str, players: int, steps: int = 45) -> Midway:
    game = dealt(name, players, 96)
    for _ in range(steps):
        game.step(mixed_actions(game))
    game = game.select(np.flatnonzero(~game.done))
    encoder = encoder_for(name, {"players": players}, game.layout)
    assert isinstance(encoder, RuibalEncoder)
    return Midway(game, encoder, encoder.encode(game.view().buffer))


def after(game: RuibalGame, index: int, action: int) -> RackPosition:
    """The position after an action."""
    copy = game.select([index])
    copy.step([action])
    position = copy.position()
    assert isinstance(position, RackPosition)
    return position


@pytest.mark.parametrize(("name", "players"), GAMES)
def test_shape_and_batch(name: str, players: int) -> None:
    """The columns do not depend on the number of players, nor a row on the batch."""
    at = midway(name, players, 20)
    assert at.features.shape == (at.game.size, at.encoder.width)
    assert at.encoder.digest() == encoder_for(name, {"players": 5 - players // 2}, at.game.layout).digest()
    buffer = at.game.view().buffer
    assert np.array_equal(at.encoder.encode(buffer[3:9]), at.features[3:9])
    assert at.encoder.encode(buffer[:0]).shape == (0, at.encoder.width)


@pytest.mark.parametrize("players", PLAYERS)
def test_level1_shows_the_match(players: int) -> None:
    at = midway("ruibal-1", players, 20)
    called = at.block("drawn").reshape(-1, CELL_COUNT)
    for index in range(at.game.size):
        spread = at.game.view().spread[index]
        (cell,) = np.flatnonzero(called[index])
        assert np.flatnonzero(at.rest("match")[index]).tolist() == np.flatnonzero(spread == cell + 1).tolist()


@pytest.mark.parametrize("name", ["ruibal-2", "ruibal-3"])
@pytest.mark.parametrize("players", PLAYERS)
def test_copies_nobody_has_shown(name: str, players: int) -> None:
    """Unseen are those in other racks that are not known from a theft, and in the pool."""
    at = midway(name, players)
    unseen = at.block("unseen")
    known = 0
    for index in range(at.game.size):
        position = at.game.position(index)
        assert isinstance(position, BoardPosition | TablePosition)
        others = [tile for seat, rack in enumerate(position.racks) if seat != position.turn for tile in rack]
        hidden = np.bincount([*others, *position.pool], minlength=24)
        lost = np.bincount(position.lost[position.turn], minlength=24)
        known += int(lost[:CELL_COUNT].sum())
        assert np.array_equal(unseen[index], (hidden - lost)[:CELL_COUNT]), index
        laid = position.board if isinstance(position, BoardPosition) else position.table
        naturals = np.bincount(laid_tiles(laid), minlength=24)
        own = np.bincount(position.racks[position.turn], minlength=24)
        assert np.array_equal((hidden + naturals + own)[:CELL_COUNT], np.full(CELL_COUNT, 2))
        assert np.array_equal(at.block("hand")[index], own[:CELL_COUNT] > 0)
        assert np.array_equal(at.block("twice")[index], own[:CELL_COUNT] > 1)
        assert at.rest("jokers")[index].sum() == own[JOKER]
    assert known


@pytest.mark.parametrize("players", PLAYERS)
def test_level2_tiles_that_go_by_themselves(players: int) -> None:
    at = midway("ruibal-2", players)
    rows = at.game.table.rows
    single = np.flatnonzero((rows["kind"] == Kind.PLACE) & (np.bitwise_count(rows["cells"]) == 1))
    cell_of = {int(action): int(rows["cells"][action]).bit_length() - 1 for action in single}
    legal, view = at.game.legal(), at.game.view()
    gained_two = 0
    for index in np.flatnonzero(view.phase[:, 0]).tolist():
        held = view.rack[index, :CELL_COUNT] > 0
        fits = np.zeros(CELL_COUNT, dtype=bool)
        for action in single[legal[index, single]].tolist():
            cell = cell_of[action]
            fits[cell] = True
            before, then = at.game.position(index), after(at.game, index, action)
            gain = then.crowns[before.turn] - before.crowns[before.turn] - (then.reason == "out")
            assert gain >= 1
            assert at.block("takes two")[index, cell] == (gain > 1)
            gained_two += gain > 1
        assert np.array_equal(at.block("lays")[index] > 0, fits & held)
        if view.rack[index, JOKER]:
            assert np.array_equal(at.block("own takes")[index] > 0, fits)
    assert gained_two


@pytest.mark.parametrize("players", PLAYERS)
def test_level2_board(players: int) -> None:
    at = midway("ruibal-2", players)
    flags = at.block("board").reshape(at.game.size, 4, 2, 2, 5).transpose(0, 2, 3, 1, 4).reshape(at.game.size, 2, 2, 20)
    for index in range(at.game.size):
        position = at.game.position(index)
        assert isinstance(position, BoardPosition)
        for layer, cells in enumerate(position.board):
            assert set(np.flatnonzero(flags[index, layer, 0]).tolist()) == set(cells)
            assert set(np.flatnonzero(flags[index, layer, 1]).tolist()) == {cell for cell in cells if cells[cell]}


@pytest.mark.parametrize("players", PLAYERS)
def test_level3_makes(players: int) -> None:
    """Of racks without a joker: tiles that lengthen a collection, and kinds of three that can be laid."""
    at = midway("ruibal-3", players)
    rows = at.game.table.rows
    makes = np.flatnonzero(rows["kind"] == Kind.MAKE)
    long = makes[np.bitwise_count(rows["cells"][makes]) > 3]
    three = makes[np.bitwise_count(rows["cells"][makes]) == 3]
    kinds = set(rows["cells"][long].tolist())
    legal, view = at.game.legal(), at.game.view()
    plain = np.flatnonzero(view.rack[:, JOKER] == 0)
    assert legal[plain][:, long].any()
    for index in plain.tolist():
        turn = at.game.position(index).turn
        lays = set()
        for action in long[legal[index, long]].tolist():
            before = at.game.position(index)
            assert isinstance(before, RackPosition)
            gone = np.bincount(before.racks[turn], minlength=24) - np.bincount(
                after(at.game, index, action).racks[turn], minlength=24
            )
            lays |= set(np.flatnonzero(gone).tolist())
        # Where two collections grow into the same kind, the make takes the first (L3-4); the tile that the other lacks
        # lengthens it all the same.
        position = at.game.position(index)
        assert isinstance(position, TablePosition)
        held = set(position.racks[turn])
        grown = {
            (sum(1 << cell for cell in {*group, tile}), tile) for group in position.table for tile in held - {*group}
        }
        lengthens = {tile for cells, tile in grown if cells in kinds}
        assert set(np.flatnonzero(at.block("lays")[index]).tolist()) == lengthens
        assert lays <= lengthens
        shown = at.rest("makes")[index] > 0
        assert (shown | ~legal[index, three]).all()
        if not at.block("gives")[index].any():
            assert np.array_equal(shown, legal[index, three])
