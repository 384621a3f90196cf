"""The children's levels of `burako play` and `burako watch` in a real browser: whole games by clicks, a phone, keys."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver.common.keys import Keys

from burako_env.records.format import append
from burako_env.ruibal.actions import Kind
from burako_env.ruibal.tiles import TYPE_NAMES
from experiments.cli import main
from experiments.play.ruibal.options import option_of
from tests.experiments.play.test_browser import DESKTOP, PHONE, Browser, Table, browser

pytestmark = pytest.mark.slow
__all__ = ["browser"]


class LevelTable(Table):
    """A served level whose agents play, seen in a browser."""

    def __init__(self, page: Browser, level: int, size: tuple[int, int] = DESKTOP, language: str = "en", **more: Any):
        super().__init__(page, size, language, **{"game": f"ruibal-{level}", "agents": ("greedy",), **more})

    @property
    def own_hand(self) -> Counter[str]:
        return Counter(TYPE_NAMES[tile] for tile in self.session.table().seats[0].rack)

    def decide(self) -> None:
        """One decision by clicks, as the adviser would take it."""
        session, page = self.session, self.page
        action = session.hint(session.version, "greedy")
        one = option_of(session.hand, action)
        if one.kind in (Kind.POINT, Kind.DRAW):
            self.go(lambda: page.click(f'[data-spot="{one.spots[0]}"].lit'))
        elif not one.pieces:
            self.go(lambda: page.click(f'#actions [data-kind="{one.kind.name}"]'))
        else:
            self.choose([TYPE_NAMES[piece] for piece in one.pieces])
            page.until(lambda: page.all("#options .lit"), "the chosen tiles may do something")
            told = session.family.places(session.hand, one.pieces, session.family.words("en"))["options"]
            if one.kind in (Kind.PLACE, Kind.RELEASE) and len(told) == 1 and one.spots:
                self.go(lambda: page.click(f'[data-spot="{one.spots[0]}"].lit'))
            else:
                place = [option["id"] for option in told].index(action)
                self.go(lambda: page.click("#options button", place))


def expect_fit(page: Browser) -> None:
    """Nothing is wider than the phone, everything to press is large enough and within reach."""
    assert page.run("return document.documentElement.scrollWidth") <= PHONE[0]
    for left, right, bottom, height in page.run(
        "return [...document.querySelectorAll('#bar button, #hand .card')].map(e => {"
        "const b = e.getBoundingClientRect(); return [b.left, b.right, b.bottom, b.height]})"
    ):
        assert -1 <= left <= right <= PHONE[0] + 1
        assert bottom <= PHONE[1] + 1
        assert height >= 30


def test_a_whole_game_on_a_phone_in_spanish(browser: Browser) -> None:
    """Level 2 from the deal to the crowns and into the next game, with a reload in the middle."""
    table = LevelTable(browser, 2, PHONE, "es", rules=("players=3",), seed=21)
    try:
        decisions, kinds = 0, Counter[str]()
        while table.session.ending is None:
            kinds[option_of(table.session.hand, table.session.hint(table.session.version, "greedy")).kind.name] += 1
            table.decide()
            decisions += 1
            if table.session.ending is None:
                assert table.shown_hand == table.own_hand
                expect_fit(browser)
            if decisions == 4:
                version = table.session.version
                browser.driver.refresh()
                table.settle()
                assert table.session.version == version
                assert table.shown_hand == table.own_hand
        assert kinds["PLACE"] > 1
        assert kinds["DRAW"] > 0
        assert browser.run("return document.documentElement.lang") == "es"
        for crowns in table.session.ending.scores:
            assert f"{crowns} corona" in browser.text("#ending")
        assert not browser.all("#ending .sheet")
        table.go(lambda: browser.click("#next"))
        assert table.session.ending is None
        assert not browser.errors()
    finally:
        table.close()


@pytest.mark.parametrize("level", [1, 3])
def test_a_whole_game_by_clicks(browser: Browser, level: int) -> None:
    table = LevelTable(browser, level, rules=("players=2",), seed=9)
    try:
        undone = False
        while table.session.ending is None:
            table.decide()
            if table.session.may_undo and not undone:
                held = table.own_hand
                table.go(lambda: browser.click("#undo"))
                assert table.own_hand != held
                assert table.shown_hand == table.own_hand
                undone = True
        assert undone == (level == 3)
        assert f"{table.session.ending.scores[0]} crown" in browser.text("#ending")
        assert not browser.errors()
    finally:
        table.close()


def test_reasons_hints_and_several_ways(browser: Browser) -> None:
    table = LevelTable(browser, 2, rules=("players=2",), seed=4)
    try:
        lonely = next(name for name in table.shown_hand if name[0] in "LCTO" and len(name) == 2)
        browser.click('[data-spot="cell:0:0"]')
        browser.until(lambda: "choose tiles" in browser.text("#refusal"), "tiles have to be chosen")
        table.choose([lonely])
        browser.until(lambda: browser.all("#options button"), "the page says what the tile may do")
        if not browser.all("#options .lit"):
            browser.click("#options button")
            browser.until(lambda: "(L2-" in browser.text("#refusal"), "the reason is shown")
        browser.key(Keys.ESCAPE)
        browser.click("#hint")
        browser.until(lambda: "greedy: " in browser.text("#refusal"), "the hint is shown")
        assert browser.all(".hinted")
        assert not browser.errors()
    finally:
        table.close()


def test_the_keyboard_alone(browser: Browser) -> None:
    """Level 1 by arrows and space; level 2 by choosing, L and D."""
    table = LevelTable(browser, 1, rules=("players=2",), seed=5)
    try:
        place = int(table.session.hand.view(seats=[0]).match[0].argmax())
        browser.key(Keys.HOME)
        for _ in range(place):
            browser.key(Keys.ARROW_RIGHT)
        assert browser.run("return document.activeElement.dataset.spot") == f"place:{place}"
        table.go(lambda: browser.key(" "))
        assert any(event.key == "right" and event.seat == 0 for event in table.session.events)
    finally:
        table.close()
    table = LevelTable(browser, 2, rules=("players=2",), seed=5)
    try:
        before = sum(table.own_hand.values())
        table.go(lambda: browser.key("d"))
        assert sum(table.own_hand.values()) == before + 1
        assert table.shown_hand == table.own_hand
        browser.key(Keys.HOME)
        browser.key(" ")
        browser.until(lambda: browser.all("#hand .card.on"), "a tile is chosen")
        assert not browser.errors()
    finally:
        table.close()


def test_two_tabs_and_a_lost_connection(browser: Browser) -> None:
    LevelTable(browser, 3, seed=6, rules=("players=2",)).share_and_come_back()


def test_everything_has_a_name(browser: Browser) -> None:
    table = LevelTable(browser, 2, language="es", seed=3)
    try:
        names = browser.run(
            "return [...document.querySelectorAll('button, [role=button], select, input')].map(e => "
            "e.getAttribute('aria-label') || e.textContent.trim() || (e.labels && e.labels[0].textContent.trim()))"
        )
        assert len(names) > 40
        assert all(names)
        assert "2 Cocodrilo: libre" in names
        assert browser.text("#prompt").startswith("Su turno")
    finally:
        table.close()


def test_a_score_sheet_on_the_page(browser: Browser) -> None:
    """The card game: the items of both teams, their sums, and the totals of the match; on a phone it fits."""
    table = Table(browser, PHONE, "es", seed=2, rules=("max_turns=12", "target=100"), agents=("random",))
    try:
        while table.session.ending is None:
            table.decide()
        ending = table.session.ending
        shown = browser.run(
            "return [...document.querySelectorAll('#ending .sheet tbody tr')]"
            ".map(row => [...row.cells].map(cell => cell.textContent))"
        )
        items = [row for row in shown if row[3]]
        for column, side in ((1, 0), (2, 1)):
            figures = [row[column].rpartition(" ")[2] for row in items if row[column]]
            assert sum(map(int, figures)) == ending.scores[side]
        assert shown[-1][0] == "Total (meta 100)"
        assert [int(figure) for figure in shown[-1][1:3]] == list(ending.totals)
        assert any("SCORE-" in row[3] for row in items)
        assert browser.run("return document.documentElement.scrollWidth") <= PHONE[0]
        assert browser.all("#next")
    finally:
        table.close()


@pytest.mark.parametrize("level", [1, 2, 3])
def test_a_replay_from_disk(browser: Browser, level: int, tmp_path: Path) -> None:
    """A recorded game opened as a file on a phone: steps, turns, one seat's view, no other rack in it."""
    from tests.experiments.play.ruibal.test_levels import finish, session

    one = session(level, rules=("players=3",))
    finish(one)
    path = tmp_path / "game.jsonl"
    append(path, [one.record()])
    assert main(["watch", str(path), "--language", "es"]) == 0
    browser.open(path.with_suffix(".html").as_uri(), PHONE)
    last = int(browser.run("return document.getElementById('place').max"))
    assert last > 10
    assert browser.run("return document.documentElement.scrollWidth") <= PHONE[0]
    browser.click("#forth")
    assert browser.run("return location.hash") == "#1"
    if level > 1:
        assert browser.all("#seats .cards.open")
        browser.run("const v = document.getElementById('view'); v.value = 2; v.dispatchEvent(new Event('change'))")
        assert not browser.all("#seats .cards.open")
        assert browser.all("#hand .card")
    browser.key(Keys.END)
    assert browser.run("return location.hash") == f"#{last}"
    browser.until(lambda: "Ganó" in browser.text("#deed") or "Empatan" in browser.text("#deed"), "the end is told")
    assert not browser.errors()
