"""`burako play` and `burako watch` in a real browser: clicks, keys, a reload, a lost connection, a phone, Spanish."""

from __future__ import annotations

import shutil
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from burako_env.burako.turn.actions import Kind
from burako_env.cards import card_name
from burako_env.records.format import append
from experiments.cli import main
from experiments.play.command import PlaySettings
from experiments.play.session import Session
from tests.tools.play_site import Site

pytestmark = pytest.mark.slow
PHONE = (390, 844)
DESKTOP = (1280, 800)


class Browser:
    """A page in chromium."""

    def __init__(self, chromium: str, driver: str) -> None:
        options = webdriver.ChromeOptions()
        options.binary_location = chromium
        for flag in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--lang=en"):
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))

    def open(self, address: str, size: tuple[int, int] = DESKTOP) -> None:
        metrics = {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": size == PHONE}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        self.driver.get(address)
        self.errors()

    def all(self, selector: str) -> list[Any]:
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def text(self, selector: str) -> str:
        return str(self.run(f"return document.querySelector({selector!r}).textContent"))

    def run(self, script: str, *arguments: Any) -> Any:
        return self.driver.execute_script(script, *arguments)

    def click(self, selector: str, place: int = 0) -> None:
        """Click on the middle of what can be seen of an element: cards lie over one another."""
        self.until(lambda: len(self.all(selector)) > place, f"there is {selector}")
        element = self.all(selector)[place]
        self.run("arguments[0].scrollIntoView({block: 'center'})", element)
        card = "card" in (element.get_attribute("class") or "").split()
        offset = -element.size["width"] // 2 + 8 if card else 0
        ActionChains(self.driver).move_to_element_with_offset(element, offset, 0).click().perform()

    def key(self, *keys: str) -> None:
        ActionChains(self.driver).send_keys(*keys).perform()

    def until(self, condition: Callable[[], Any], what: str, seconds: float = 15) -> None:
        end = time.monotonic() + seconds
        while not condition():
            assert time.monotonic() < end, f"not in {seconds} seconds: {what}; {self.text('body')[-400:]}"
            time.sleep(0.02)

    def errors(self) -> list[str]:
        """What the page complained of; refused answers (409) are part of the game."""
        return [entry["message"] for entry in self.driver.get_log("browser") if "409" not in entry["message"]]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    chromium, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if chromium is None or driver is None:
        # Only root on Debian can bring one (`make browser`); everybody else is told how.
        pytest.skip("no browser: on Debian, apt-get install -y chromium chromium-driver")
    found = Browser(chromium, driver)
    yield found
    found.driver.quit()


class Table(Site):
    """A served table whose agents play, seen in a browser."""

    def __init__(self, page: Browser, size: tuple[int, int] = DESKTOP, language: str = "en", **settings: Any) -> None:
        self.page = page
        super().__init__(Session(PlaySettings(**{"seed": 11, **settings}).setup()))
        self.agents = threading.Thread(target=self.session.run, daemon=True)
        self.agents.start()
        page.open(f"{self.address}/?lang={language}", size)
        self.settle()

    def settle(self) -> None:
        """Wait until the person is to act, or the hand is over, and the page shows it."""
        self.page.until(lambda: self.session.yours or self.session.ending, "the person's turn")
        # The version is asked anew each time: it may rise once more just after the turn has come.
        self.page.until(
            lambda: self.page.run("return document.body.dataset.version") == str(self.session.version),
            "the page follows",
        )

    @property
    def shown_hand(self) -> Counter[str]:
        return Counter(self.page.run("return [...document.querySelectorAll('#hand .card')].map(c => c.dataset.card)"))

    @property
    def own_hand(self) -> Counter[str]:
        return Counter(card_name(card) for card in self.session.table().seats[0].hand or ())

    def choose(self, cards: list[str]) -> None:
        for name in cards:
            self.page.click(f'#hand .card[data-card="{name}"]:not(.on)')
        assert self.page.run("return document.querySelectorAll('#hand .card.on').length") == len(cards)

    def go(self, action: Callable[[], None]) -> None:
        """Do something that changes the table, and wait for what follows."""
        version = self.session.version
        action()
        self.page.until(lambda: self.session.version > version, f"the click counts: {self.page.text('#refusal')}")
        self.settle()

    def decide(self) -> None:
        """One decision by clicks, as the heuristic would take it; a new group is chosen as a whole."""
        session, page = self.session, self.page
        action = session.hint(session.version, "heuristic")
        kind, card, group = (int(value) for value in session.hand.table.rows[action])
        if kind == Kind.DRAW_STOCK:
            self.go(lambda: page.click('[data-zone="stock"].lit'))
        elif kind == Kind.DRAW_PILE:
            self.go(lambda: page.click('[data-zone="pile"].lit'))
        elif kind == Kind.DISCARD:
            self.choose([card_name(card)])
            page.until(lambda: page.all("#discard.lit"), "the card may be discarded")
            self.go(lambda: page.click("#discard"))
        elif kind == Kind.LAY and page.all(f'#ours [data-group="{group}"]'):
            self.choose([card_name(card)])
            self.go(lambda: page.click(f'#ours [data-group="{group}"].lit'))
        elif kind == Kind.LAY:
            self.choose([card_name(one) for one in self._opening(action)])
            page.until(lambda: page.all("#new.lit"), "the cards open a group")
            self.go(lambda: page.click("#new"))
        else:
            self.go(lambda: page.click(f'#actions [data-kind="{Kind(kind).name}"]'))

    def _opening(self, action: int) -> list[int]:
        """The three cards of the group that the heuristic begins."""
        game, agent = self.session.game.clone(), self.session._advisors["heuristic"].agent
        cards = []
        for _ in range(3):
            cards.append(int(self.session.hand.table.rows["card"][action]))
            game.step([action])
            action = int(agent.act(game.view(), game.legal(), game.keys())[0])
        return cards

    def close(self) -> None:
        super().close()
        self.agents.join(timeout=10)

    def share_and_come_back(self) -> None:
        """A second tab plays and the first follows; the server is lost and found again. The table is closed then."""
        first = self.page.driver.current_window_handle
        try:
            self.page.driver.switch_to.new_window("tab")
            self.page.open(self.address)
            self.settle()
            self.decide()
            seen = self.page.run("return document.body.dataset.version")
            self.page.driver.switch_to.window(first)
            self.page.until(
                lambda: self.page.run("return document.body.dataset.version") == seen, "the other tab follows"
            )
            self.stop()
            self.page.until(lambda: self.page.all("body.offline"), "the page says that the table does not answer", 30)
            again = Site(self.session, self.port)
            self.page.until(lambda: not self.page.all("body.offline"), "the page is there again", 30)
            assert self.shown_hand == self.own_hand
            self.decide()
            again.close()
        finally:
            for handle in self.page.driver.window_handles:
                if handle != first:
                    self.page.driver.switch_to.window(handle)
                    self.page.driver.close()
            self.page.driver.switch_to.window(first)
            self.close()
            self.page.errors()


def test_a_whole_hand_by_clicks(browser: Browser) -> None:
    """From the deal to the end of the hand and into the next one, with a reload in the middle."""
    table = Table(browser)
    try:
        decisions, reloads = 0, 0
        while table.session.ending is None:
            table.decide()
            decisions += 1
            if table.session.ending is None:
                assert table.shown_hand == table.own_hand
            if decisions in (3, 12):
                before = table.session.version
                browser.driver.refresh()
                table.settle()
                assert table.session.version == before
                assert table.shown_hand == table.own_hand
                reloads += 1
        assert decisions > 15
        assert reloads == 2
        scores = table.session.ending.scores
        assert all(f"{points:+}" in browser.text("#ending") for points in scores if points)
        assert "went out" in browser.text("#ending") or "used up" in browser.text("#ending")
        table.go(lambda: browser.click("#next"))
        assert table.session.ending is None
        assert not browser.errors()
    finally:
        table.close()


def to_laying(table: Table) -> None:
    while table.session.table().phase != "lay":
        table.decide()


def test_undo_hint_and_reasons(browser: Browser) -> None:
    table = Table(browser, seed=3)
    try:
        card = next(iter(table.shown_hand))
        table.choose([card])
        browser.click("#theirs h2")
        browser.click('[data-zone="pile"]')
        browser.until(lambda: "TURN-1" in browser.text("#refusal"), "the reason is shown")
        browser.key(Keys.ESCAPE)
        while not any(Kind(int(k)) == Kind.LAY for k in table.session.hand.table.rows["kind"][table.session.legal()]):
            table.decide()
        browser.click("#hint")
        browser.until(lambda: "heuristic: " in browser.text("#refusal"), "the hint is shown")
        before = table.own_hand
        table.decide()
        assert table.session.may_undo
        assert table.own_hand != before
        table.go(lambda: browser.click("#undo"))
        assert table.shown_hand == before
        assert not browser.errors()
    finally:
        table.close()


def test_the_keyboard_alone(browser: Browser) -> None:
    """A turn without the mouse: draw, choose by arrows and space, discard."""
    table = Table(browser, seed=5)
    try:
        table.go(lambda: browser.key("d"))
        if table.session.table().phase == "look":
            table.decide()
        session = table.session
        rows = session.hand.table.rows
        discards = {card_name(int(rows["card"][a])) for a in session.legal() if rows["kind"][a] == Kind.DISCARD}
        browser.key(Keys.HOME)
        for _ in range(sum(table.shown_hand.values())):
            if browser.run("return document.activeElement.dataset.card") in discards:
                break
            browser.key(Keys.ARROW_RIGHT)
        card = browser.run("return document.activeElement.dataset.card")
        browser.key(" ")
        browser.until(lambda: browser.all("#discard.lit"), "the chosen card may be discarded")
        browser.key("x")
        browser.until(lambda: any(e.key == "DISCARD" and e.seat == 0 for e in session.events), "the card is discarded")
        assert [card_name(e.cards[0]) for e in session.events if e.key == "DISCARD" and e.seat == 0] == [card]
    finally:
        table.close()


def test_options_are_kept(browser: Browser) -> None:
    """The hand sorted by rank and the four colours, also after a reload."""
    table = Table(browser, seed=8)
    ranks = (
        "return [...document.querySelectorAll('#hand .card')].map(card => card.dataset.card)"
        ".filter(name => name !== 'JK').map(name => name.slice(0, -1))"
    )
    try:
        browser.click(".options summary")
        browser.run("const s = document.getElementById('sort'); s.value = 'rank'; s.dispatchEvent(new Event('change'))")
        browser.click("#colours")
        clubs, spades = (
            browser.run("return getComputedStyle(document.documentElement).getPropertyValue(arguments[0])", f"--{suit}")
            for suit in "CS"
        )
        assert clubs != spades
        order = browser.run(ranks)
        browser.driver.refresh()
        table.settle()
        assert browser.run(ranks) == order
        places = [*"3456789", "10", *"JQKA"]
        naturals = [places.index(rank) for rank in order if rank in places]
        assert naturals == sorted(naturals)
        assert browser.run("return document.documentElement.classList.contains('four')")
        assert table.shown_hand == table.own_hand
    finally:
        browser.run("localStorage.clear()")
        table.close()


def test_two_tabs_and_a_lost_connection(browser: Browser) -> None:
    Table(browser, seed=6).share_and_come_back()


def test_reloads_leave_nothing_behind(browser: Browser) -> None:
    """More reloads than a pool has threads: the questions of the pages before have gone with them, a click counts."""
    table = Table(browser, seed=6)
    try:
        for _ in range(45):
            browser.driver.refresh()
        table.settle()
        browser.until(lambda: len(table.session.listeners) == 1, "one question for news")
        table.decide()
        assert not browser.errors()
    finally:
        table.close()


@pytest.mark.parametrize(("game", "language"), [("burako-4", "es"), ("burako-8", "en")])
def test_on_a_phone(browser: Browser, game: str, language: str) -> None:
    """Nothing is wider than the screen, everything to press is large enough and within reach, a round is played."""
    table = Table(browser, PHONE, language, game=game)
    try:
        assert browser.run("return document.documentElement.lang") == language
        word = {"es": "Nosotros", "en": "Us"}[language]
        assert word in browser.text("#ours")
        for _ in range(10):
            table.decide()
            assert browser.run("return document.documentElement.scrollWidth") <= PHONE[0]
            for box in browser.run(
                "return [...document.querySelectorAll('#bar button, #hand .card')].map(e => {"
                "const b = e.getBoundingClientRect(); return [b.left, b.right, b.bottom, b.height]})"
            ):
                assert -1 <= box[0] <= box[1] <= PHONE[0] + 1
                assert box[2] <= PHONE[1] + 1
                assert box[3] >= 30
        assert not browser.errors()
    finally:
        table.close()


def test_everything_has_a_name(browser: Browser) -> None:
    """Whatever can be pressed says to a screen reader what it is, in the language of the page."""
    table = Table(browser, language="es")
    try:
        to_laying(table)
        names = browser.run(
            "return [...document.querySelectorAll('button, [role=button], select, input')].map(e => "
            "e.getAttribute('aria-label') || e.textContent.trim() || (e.labels && e.labels[0].textContent.trim()))"
        )
        assert len(names) > 15
        assert all(names)
        assert any(" de picas" in name or " de corazones" in name for name in names)
        assert not any(" of " in name for name in names)
        assert browser.text("#prompt").startswith(("Elige", "Completa"))
    finally:
        table.close()


def test_a_replay_from_disk(browser: Browser, tmp_path: Path) -> None:
    """A tournament's hand, opened as a file: steps, turns, views, playing by itself."""
    run = tmp_path / "run"
    assert main(["evaluate", "heuristic", "random", "--boards", "2", "--out", str(run)]) == 0
    assert main(["watch", str(run), "--ask", "heuristic-v0"]) == 0
    page = sorted((run / "records").glob("*.html"))[0]
    browser.open(page.as_uri())
    last = int(browser.run("return document.getElementById('place').max"))
    assert last > 30
    assert browser.all("#seats .cards.open")
    browser.click("#forth")
    assert browser.run("return location.hash") == "#1"
    browser.key(Keys.ARROW_DOWN, Keys.ARROW_DOWN)
    assert browser.run("return document.getElementById('turn').selectedIndex") == 2
    browser.key(Keys.END)
    assert browser.run("return location.hash") == f"#{last}"
    browser.run("const v = document.getElementById('view'); v.value = 2; v.dispatchEvent(new Event('change'))")
    assert not browser.all("#seats .cards.open")
    assert "Us" in browser.text("#lower")
    browser.key(Keys.HOME)
    browser.click("#run")
    browser.until(lambda: int(browser.run("return location.hash.slice(1)")) >= 2, "the replay runs")
    browser.click("#run")
    assert not browser.errors()


def test_a_recorded_game_can_be_watched(browser: Browser, tmp_path: Path) -> None:
    session = Session(PlaySettings(agents=("random",), play="hand", rules=("max_turns=12",)).setup())
    while session.ending is None:
        session.play_agents()
        if session.ending is None:
            session.act(session.version, session.legal()[0])
    path = tmp_path / "game.jsonl"
    append(path, [session.record()])
    assert main(["watch", str(path), "--language", "es"]) == 0
    browser.open(path.with_suffix(".html").as_uri(), PHONE)
    assert browser.run("return document.documentElement.scrollWidth") <= PHONE[0]
    assert "Jugador 0" in browser.text("#seats")
    assert not browser.errors()
