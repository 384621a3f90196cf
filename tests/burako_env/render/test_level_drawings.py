"""The children's levels as HTML and as images: all that is there is drawn, and nothing that a seat may not know."""

from __future__ import annotations

import importlib
import re
from collections import Counter

import numpy as np
import pytest

from burako_env.chance.rng import mix
from burako_env.errors import UserError
from burako_env.render.page import Player, style_sheet
from burako_env.render.ruibal import faces
from burako_env.render.ruibal.html import LevelDrawing, level_page
from burako_env.render.ruibal.picture import HEIGHT, WIDTH, level_picture
from burako_env.render.ruibal.scene import game_level, open_level, seat_level
from burako_env.render.ruibal.texts import LEVEL_TEXTS, level_words, tile_text
from burako_env.render.shapes import HEIGHT as TALL
from burako_env.render.shapes import WIDTH as WIDE
from burako_env.render.shapes import Path, flatten
from burako_env.render.texts import LANGUAGES
from burako_env.ruibal import RuibalGame
from burako_env.ruibal.position import BoardPosition, PerceptionPosition, RackPosition, TablePosition
from burako_env.ruibal.tiles import TYPE_NAMES, tile_type
from tests.burako_env.render.test_drawings import Checker
from tests.tools.ruibal_play import GAMES, dealt, eager_actions

RULES = {
    "TILE-2": ["test_the_board_is_printed_in_its_order"],
    "RINFO-1": ["test_a_seat_is_drawn_from_what_it_knows", "test_stolen_tiles_are_marked"],
    "L1-2": ["test_pointing_is_drawn_only_when_all_is_open"],
}


def drawn_tiles(html: str) -> Counter[str]:
    """Tiles drawn in a piece of HTML, backs left out; a joker in a cell is `JKC2`."""
    return Counter(name for name in re.findall(r'<use href="#c-(\w+)"', html) if name != "back")


def names(tiles: list[int]) -> Counter[str]:
    return Counter(TYPE_NAMES[tile] for tile in tiles)


def laid_names(cells: dict[int, bool]) -> Counter[str]:
    return Counter(("JK" if joker else "") + TYPE_NAMES[cell] for cell, joker in cells.items())


def played(name: str, players: int, steps: int, deal: int = 0) -> RuibalGame:
    """A game after some decisions of an eager player, before its end."""
    game = dealt(name, players, 1, first=deal)
    for _ in range(steps):
        ahead = game.clone()
        ahead.step(eager_actions(ahead))
        if ahead.done[0]:
            break
        game = ahead
    return game


def drawing(game: RuibalGame, language: str = "en") -> LevelDrawing:
    words = level_words(language)
    return LevelDrawing(words, [Player(words("player", seat=seat), "bot & co") for seat in range(game.seats)])


@pytest.mark.parametrize(("name", "players"), GAMES)
@pytest.mark.parametrize("steps", [0, 9, 30, 55])
def test_every_tile_of_a_position_is_drawn(name: str, players: int, steps: int) -> None:
    for deal in range(3):
        game = played(name, players, steps, deal)
        position, table, pen = game.position(), open_level(game), drawing(game)
        assert [seat.crowns for seat in table.seats] == position.crowns
        middle = pen.middle(table)
        if isinstance(position, PerceptionPosition):
            there = [tile for tile in position.spread if tile is not None]
            assert drawn_tiles(middle) == names([*there, position.calls[0]])
            assert table.calls_left == len(position.calls)
            continue
        assert isinstance(position, RackPosition)
        for seat, rack in zip(table.seats, position.racks, strict=True):
            assert drawn_tiles(pen.seat(seat)) == names(rack)
            assert seat.size == len(rack)
        assert table.pool == len(position.pool)
        assert sorted(table.used) == sorted(position.used)
        laid = position.board if isinstance(position, BoardPosition) else []
        laid = position.table if isinstance(position, TablePosition) else laid
        expected = sum((laid_names(cells) for cells in laid), names(position.used))
        assert drawn_tiles(middle) == expected


def test_the_board_is_printed_in_its_order() -> None:
    """Five rows, one a number, each lion, crocodile, tiger, bear."""
    html = drawing(dealt("ruibal-2", 2, 1)).middle(open_level(dealt("ruibal-2", 2, 1)))
    cells = re.findall(r'data-spot="cell:(\d):(\d+)".*?href="#f-(\w)".*?<i>(\d)</i>', html)
    assert [(animal + number) for layer, _, animal, number in cells if layer == "0"] == [
        f"{animal}{number}" for number in range(1, 6) for animal in "LCTO"
    ]
    assert [TYPE_NAMES[int(cell)] for _, cell, _, _ in cells] == [animal + number for _, _, animal, number in cells]
    assert len(cells) == 40


@pytest.mark.parametrize(("name", "players"), [game for game in GAMES if game[0] != "ruibal-1"])
def test_a_seat_is_drawn_from_what_it_knows(name: str, players: int) -> None:
    """Everything hidden from a seat dealt anew: its drawing stays the same, and shows no other rack."""
    for steps in (0, 12, 33):
        game = played(name, players, steps, steps)
        seat, pen = int(game.to_act[0]), drawing(game)
        html = pen.table(game_level(game, seat=seat))
        others = game.sample_states(game.view(), 4, mix(game.keys()))
        racks = []
        # In them the observer sits at seat 0.
        views = others.view(seats=np.zeros(others.size, dtype=int))
        for index in range(others.size):
            assert pen.table(seat_level(game, views, index, seat=seat)) == html
            racks.append(others.position(index).racks[1])
        assert any(rack != game.position().racks[(seat + 1) % players] for rack in racks)
        for shown in game_level(game, seat=seat).seats:
            own = shown.number == seat
            rack = game.position().racks[shown.number]
            assert drawn_tiles(pen.seat(shown)) == (names(rack) if own else names(list(shown.known)))
            assert shown.size == len(rack)


def test_pointing_is_drawn_only_when_all_is_open() -> None:
    game = dealt("ruibal-1", 4, 1)
    place = int(game.view().match[0].argmax())
    game.step([place])
    pen = drawing(game)
    assert f"points at {place + 1}" in pen.table(open_level(game))
    for seat in range(4):
        assert "points at" not in pen.table(game_level(game, seat=seat))
        # Nothing says which place is the right one: all that hold a tile look alike.
        spots = re.findall(r'<div class="([^"]+)" data-spot="place', pen.middle(game_level(game, seat=seat)))
        assert set(spots) == {"spot"}


def test_stolen_tiles_are_marked() -> None:
    """Owner and thief are shown the tile, a third player is not."""
    seen = 0
    for deal in range(40):
        game = played("ruibal-2", 3, 25, deal)
        position = game.position()
        assert isinstance(position, RackPosition)
        for owner, lost in enumerate(position.lost):
            if not lost:
                continue
            seen += 1
            thief, third = (owner + 1) % 3, (owner + 2) % 3
            table = game_level(game, seat=owner)
            assert names(list(table.seats[1].known)) == names(lost)
            assert table.seats[1].number == thief
            assert not any(seat.known for seat in table.seats if seat.number != thief)
            own = game_level(game, seat=thief)
            assert names(list(own.stolen)) == names(lost)
            html = drawing(game).hand(own, own.seats[0])
            assert html.count("card stolen") == len(lost)
            assert not any(seat.known for seat in game_level(game, seat=third).seats if seat.number == thief)
    assert seen > 5


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("level", [1, 2, 3])
def test_a_page_needs_nothing_else(language: str, level: int) -> None:
    page = level_page(played(f"ruibal-{level}", 4, 20), language=language)
    checker = Checker()
    checker.feed(page)
    assert not checker.open
    assert all(link.startswith("#") for link in checker.links)
    assert "url(" not in page
    assert not set(checker.links) - {f"#{name}" for name in re.findall(r' id="([^"]+)"', page)}
    assert {"en": "1 crown", "es": "corona"}[language] in page


def test_names_and_languages() -> None:
    """The leaflet's own names of the tiles."""
    english, spanish = level_words("en"), level_words("es")
    assert tile_text(tile_type("C2"), english) == "crocodile 2"
    assert [tile_text(tile_type(name), spanish) for name in ("C2", "O5", "L1", "T3", "JK", "ROBA")] == [
        "2 Cocodrilo",
        "5 Oso",
        "1 León",
        "3 Tigre",
        "comodín",
        "ROBA UNA",
    ]
    for key, texts in LEVEL_TEXTS.items():
        assert len(texts) == len(LANGUAGES), key
        assert all(texts), key
        first, second = (set(re.findall(r"{(\w+)}", text)) for text in texts)
        assert first == second, key
    html = drawing(played("ruibal-2", 3, 5)).seat(open_level(played("ruibal-2", 3, 5)).seats[0])
    assert "bot &amp; co" in html
    assert "bot & co" not in html
    with pytest.raises(UserError, match="did you mean es"):
        level_words("ess")


def test_faces_stay_on_their_paper() -> None:
    """Every shape lies on the tile, no two tiles look alike, every colour is there."""
    assert len({faces.face(tile) for tile in range(faces.NUMBER)}) == faces.NUMBER == 45
    for tile in range(faces.NUMBER):
        for shape in faces.face(tile):
            assert shape.ink in faces.INKS
            if isinstance(shape, Path):
                for polygon in flatten(shape):
                    assert all(0 <= x <= WIDE and 0 <= y <= TALL for x, y in polygon), faces.name_of(tile)
    colours = set(re.findall(r"var\(--([\w-]+)\)", faces.sprite()))
    assert colours <= set(faces.INKS)
    assert all(f"--{colour}:" in style_sheet("ruibal") for colour in colours)


@pytest.mark.parametrize(("name", "players"), GAMES)
def test_pictures(name: str, players: int) -> None:
    """One size, changed by what happens, nothing runs over the edge."""
    before, after = (level_picture(played(name, players, steps)) for steps in (0, 45))
    assert before.shape == after.shape == (HEIGHT, WIDTH, 3)
    assert before.dtype == np.uint8
    assert (before != after).any(axis=2).mean() > 0.01
    for image in (before, after):
        border = np.concatenate([image[:4].reshape(-1, 3), image[-4:].reshape(-1, 3), image[:, -8:].reshape(-1, 3)])
        assert len(np.unique(border, axis=0)) == 1


def test_a_picture_shows_its_tiles() -> None:
    """The colours of the animals that somebody holds are in it."""
    game = played("ruibal-2", 4, 0)
    table, image = open_level(game), level_picture(game)
    held = {TYPE_NAMES[tile][0] for seat in table.seats for tile in seat.rack or () if tile < 20}
    for animal in held:
        ink = faces.INKS["tile-O" if animal == "O" else f"fur-{animal}"]
        colour = [int(ink[place : place + 2], 16) for place in (1, 3, 5)]
        assert (np.abs(image.astype(int) - colour).max(axis=2) < 12).sum() > 100, animal
    assert held


@pytest.mark.parametrize("level", [1, 2, 3])
def test_the_environments_draw(level: int) -> None:
    module = importlib.import_module(f"burako_env.ruibal_level{level}_v0")
    for mode in ("html", "rgb_array"):
        env = module.env(players=3, render_mode=mode)
        env.reset(seed=1)
        game, drawn = env.unwrapped.game, env.render()
        assert drawn == level_page(game) if mode == "html" else np.array_equal(drawn, level_picture(game))
    assert module.raw_env.metadata["render_modes"] == ["human", "ansi", "html", "rgb_array"]


def test_a_game_that_is_over_names_its_winners() -> None:
    for deal in range(12):
        game = dealt("ruibal-2", 3, 1, first=deal)
        while not game.done[0]:
            game.step(eager_actions(game))
        table = seat_level(game, game.view(seats=[1]), seat=1)
        assert list(table.winners) == game.position().winners
        status = drawing(game).status(table)
        assert all(f"Player {seat}" in status for seat in table.winners)
        assert status.count("Player") == len(table.winners)
