"""The table as HTML and as an image: everything that is there is drawn, and nothing that a seat may not know."""

from __future__ import annotations

import re
from collections import Counter
from html.parser import HTMLParser

import numpy as np
import pytest

from burako_env import burako_v0
from burako_env.burako.game import BurakoGame
from burako_env.cards import CARD_NAMES, card_type
from burako_env.errors import UserError
from burako_env.render import shapes
from burako_env.render.burako import faces
from burako_env.render.burako.html import Drawing, table_page
from burako_env.render.burako.picture import table_picture
from burako_env.render.burako.scene import open_scene, seat_scene
from burako_env.render.page import Player, style_sheet
from burako_env.render.sheet import HEIGHT, WIDTH
from burako_env.render.texts import LANGUAGES, TABLE_TEXTS, Texts
from tests.burako_env.burako.test_no_leak import redealt
from tests.tools.core_play import GAMES, played, stage_states

RULES = {"INFO-2": ["test_a_seat_is_drawn_from_what_it_knows"]}


def drawn_cards(html: str) -> Counter[str]:
    """Cards drawn in a piece of HTML, backs left out."""
    return Counter(name for name in re.findall(r'<use href="#c-(\w+)"', html) if name != "back")


def names(cards: list[int]) -> Counter[str]:
    return Counter(CARD_NAMES[card] for card in cards)


def drawing(game: BurakoGame, language: str = "en") -> Drawing:
    words = Texts(language)
    return Drawing(words, [Player(words("player", seat=seat), "bot & co") for seat in range(game.seats)])


@pytest.mark.parametrize("name", GAMES)
def test_every_card_of_a_position_is_drawn(name: str) -> None:
    game = played(name, 12, 150)
    for index in range(game.size):
        position, table, pen = game.position(index), open_scene(game, index), drawing(game)
        for seat, hand in zip(table.seats, position.hands, strict=True):
            assert drawn_cards(pen.seat(seat)) == names(hand)
        for team, groups, points in zip(table.teams, position.tables, game.scores[index].tolist(), strict=True):
            assert Counter(tuple(sorted(group.cards)) for group in team.groups) == Counter(
                tuple(sorted(group)) for group in groups
            )
            assert team.score == points
            assert sorted(team.closed) == sorted(card for baza in position.closed[team.number] for card in baza)
            assert team.burakos_left == len(position.burakos[team.number])
        assert drawn_cards(pen.middle(table)) == names(position.pile)
        assert [*table.below, *table.pile][len(table.below) :] == position.pile[len(table.below) :]
        assert table.stock == len(position.stock)


def test_laid_points_are_those_of_the_rules() -> None:
    """SCORE-1, SCORE-2 by hand: the bazas and the open groups, nothing of hands and burakos."""
    game = played("burako-4", 40, 170)
    values = {
        "A": 20,
        "2": 20,
        "JK": 20,
        **dict.fromkeys("34567", 5),
        **dict.fromkeys(("8", "9", "10", "J", "Q", "K"), 10),
    }
    kinds = {
        "clean set": 200,
        "dirty set": 100,
        "clean run": 200,
        "dirty run": 100,
        "clean aces": 400,
        "dirty aces": 200,
    }
    seen = 0
    for index in range(game.size):
        for team, groups in zip(open_scene(game, index).teams, game.position(index).tables, strict=True):
            cards = [CARD_NAMES[card] for group in groups for card in group]
            points = sum(values[card if card == "JK" else card[:-1]] for card in cards)
            assert team.laid == points + sum(count * kinds.get(kind, 700) for kind, count in team.bazas)
            seen += len(team.bazas)
    assert seen > 5


@pytest.mark.parametrize("name", GAMES)
def test_a_seat_is_drawn_from_what_it_knows(name: str) -> None:
    """Everything hidden from a seat dealt anew: its drawing stays the same, and shows no other hand."""
    game = stage_states(name, 3)
    observers = np.arange(game.size) % game.seats
    other, views = redealt(game, observers, 0), game.view(seats=observers)
    seen = other.view(seats=observers)
    for index, seat in enumerate(observers.tolist()):
        pen = drawing(game)
        html = pen.table(seat_scene(views, game.rules, index, seat=seat))
        assert html == pen.table(seat_scene(seen, game.rules, index, seat=seat))
        position = game.position(index)
        for shown in seat_scene(views, game.rules, index, seat=seat).seats:
            cards = position.hands[seat] if shown.number == seat else shown.known
            assert drawn_cards(pen.seat(shown)) == names(list(cards))


class Checker(HTMLParser):
    """Collects tags that do not match, and every address."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in ("meta", "br", "use", "path", "rect"):
            self.open.append(tag)
        self.links += [value or "" for key, value in attrs if key in ("href", "src")]

    def handle_endtag(self, tag: str) -> None:
        if tag not in ("use", "path", "rect"):
            assert self.open.pop() == tag


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_needs_nothing_else(language: str) -> None:
    for name in GAMES:
        page = table_page(played(name, 1, 150), language=language)
        checker = Checker()
        checker.feed(page)
        assert not checker.open
        assert all(link.startswith("#") for link in checker.links)
        assert "url(" not in page
        assert "@import" not in page
        missing = set(checker.links) - {f"#{name}" for name in re.findall(r' id="([^"]+)"', page)}
        assert not missing
    assert Texts(language)("pile") in page


def test_names_are_escaped() -> None:
    html = drawing(played("burako-4", 1, 20)).seat(open_scene(played("burako-4", 1, 20)).seats[0])
    assert "bot &amp; co" in html
    assert "bot & co" not in html


def test_every_text_has_both_languages() -> None:
    for key, texts in TABLE_TEXTS.items():
        assert len(texts) == len(LANGUAGES), key
        assert all(texts), key
        english, spanish = (set(re.findall(r"{(\w+)}", text)) for text in texts)
        assert english == spanish, key
    assert Texts("es").card(card_type("AS")) == "as de picas"
    assert Texts("en").card(card_type("JK")) == "joker"
    with pytest.raises(UserError, match="did you mean es"):
        Texts("ess")


def test_faces_stay_on_their_paper() -> None:
    """Every shape lies on the card, and no two cards look alike."""
    assert len({faces.face(card) for card in range(54)}) == 54
    for card in range(54):
        for shape in faces.face(card):
            if isinstance(shape, shapes.Path):
                for polygon in shapes.flatten(shape):
                    assert all(0 <= x <= shapes.WIDTH and 0 <= y <= shapes.HEIGHT for x, y in polygon), card
                    assert len(polygon) > 2
    colours = set(re.findall(r"var\(--([\w-]+)\)", faces.sprite()))
    assert colours <= set(faces.INKS)
    assert all(f"--{colour}:" in style_sheet("burako") for colour in colours)


@pytest.mark.parametrize("name", GAMES)
def test_pictures(name: str) -> None:
    """One size, changed by what happens; every card shows: a hidden table has fewer pixels of card paper."""
    before, after = (table_picture(played(name, 1, steps)) for steps in (0, 150))
    assert before.shape == after.shape == (HEIGHT, WIDTH, 3)
    assert before.dtype == np.uint8
    assert (before != after).any(axis=2).mean() > 0.02
    paper = (after > 235).all(axis=2)
    assert paper.mean() > 0.05
    # Nothing runs over the edge: the frame is bare felt.
    for image in (before, after):
        border = np.concatenate([image[:4].reshape(-1, 3), image[-4:].reshape(-1, 3), image[:, -8:].reshape(-1, 3)])
        assert len(np.unique(border, axis=0)) == 1


def test_the_environment_draws() -> None:
    for mode in ("html", "rgb_array"):
        env = burako_v0.env(render_mode=mode)
        env.reset(seed=1)
        game = env.unwrapped.game
        drawn = env.render()
        assert drawn == table_page(game) if mode == "html" else np.array_equal(drawn, table_picture(game))
    assert {"html", "rgb_array"} <= set(burako_v0.raw_env.metadata["render_modes"])
