"""The table under load: waiting browsers, absent ones, slow agents; whoever plays is answered all the same.

The bounds of time tell an answer from a wait: it used to be 20 seconds and more.
"""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from agents import Agent
from experiments.play.connections import CONNECTIONS
from experiments.play.happenings import Setup
from experiments.play.page import languages, state
from experiments.play.seated import Seated
from experiments.play.server import HOST
from experiments.play.session import Session
from tests.tools.play_site import Site

SOON = 8.0
# Of the deals in which the person begins.
SEED = 3


class Slow(Agent):
    """Answers once it is let go."""

    go = threading.Event()

    def act(self, view, legal, keys):
        self.go.wait(60)
        return legal.argmax(axis=1)


class Leaver(Agent):
    """Ends whatever runs it."""

    def act(self, view, legal, keys):
        raise KeyboardInterrupt


class Speechless(Exception):
    def __str__(self) -> str:
        raise RuntimeError


class Mute(Agent):
    """Raises something that cannot be told."""

    def act(self, view, legal, keys):
        raise Speechless


def playing(*agents: str, **changes) -> Session:
    """A table where the person is to act."""
    hints = ("heuristic", f"{__name__}:Slow")
    one = Session(Setup("burako-4", (None, *(agents or ("random",) * 3)), root_seed=SEED, hints=hints, **changes))
    one.play_agents()
    return one


@pytest.fixture
def site() -> Iterator[Site]:
    Slow.go.clear()
    found = Site(playing())
    yield found
    Slow.go.set()
    found.close()


def until(condition: Callable[[], bool], seconds: float = SOON) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, f"not in {seconds} seconds"
        time.sleep(0.02)


def ask_for_news(site: Site, count: int) -> list[socket.socket]:
    """Connections that wait for the next version."""
    _, table, _ = site.ask("/api/table")
    path = f"/api/table?after={table['version']}&game={table['game']}"
    found = []
    for _ in range(count):
        one = socket.create_connection((HOST, site.port), timeout=20)
        one.sendall(f"GET {path} HTTP/1.1\r\nHost: {HOST}:{site.port}\r\n\r\n".encode())
        found.append(one)
    return found


def plays_soon(site: Site) -> None:
    """A move is answered, and its table told, at once."""
    start, session = time.monotonic(), site.session
    body = {"version": session.version, "action": session.legal()[0]}
    assert site.ask("/api/act", body)[0] == 200
    assert site.ask("/api/table")[1]["version"] == session.version
    assert time.monotonic() - start < SOON


def test_browsers_that_wait_all_hear_the_news(site: Site) -> None:
    """More than the threads of a pool: the move is answered at once, and then everybody who waits."""
    waiting = ask_for_news(site, 60)
    until(lambda: len(site.session.listeners) == 60)
    plays_soon(site)
    for one in waiting:
        with one:
            assert one.recv(100).startswith(b"HTTP/1.1 200")
    until(lambda: not site.session.listeners)


def test_browsers_that_have_gone_are_forgotten(site: Site) -> None:
    """Reloads: a question ends with the browser that asked it, long before its patience."""
    for _ in range(3):
        waiting = ask_for_news(site, 45)
        until(lambda: len(site.session.listeners) == 45)
        for one in waiting:
            one.close()
        until(lambda: not site.session.listeners)
    plays_soon(site)


def test_a_thousand_connections_keep_nobody_out(site: Site) -> None:
    """Waiting, silent, or in the middle of a request: the ones that have been silent longest go."""
    crowd = []
    try:
        for number in range(300):
            crowd += ask_for_news(site, 1)
            crowd.append(socket.create_connection((HOST, site.port), timeout=20))
            crowd.append(socket.create_connection((HOST, site.port), timeout=20))
            crowd[-1].sendall(b"POST /api/act HTTP/1.1\r\nContent-Length: 9000\r\n")
            if number % 100 == 99:
                plays_soon(site) if site.session.yours else site.session.play_agents()
        assert len(crowd) == 900
        until(lambda: len(site.server.server_state.connections) <= CONNECTIONS)
        assert len(site.session.listeners) <= CONNECTIONS
        site.session.play_agents()
        plays_soon(site)
    finally:
        for one in crowd:
            one.close()
    until(lambda: not site.session.listeners)


def test_a_hint_that_takes_long_stops_nothing_else(site: Site) -> None:
    """Fifty pages ask an agent that thinks for ever: moves, tables and the page are answered."""
    Slow.go.clear()
    # Here and not in a process of its own, so that the test can let it go.
    site.session._advisors[f"{__name__}:Slow"] = Seated(Slow(), seconds=60)
    body = json.dumps({"version": site.session.version, "agent": f"{__name__}:Slow"})
    head = f"POST /api/hint HTTP/1.1\r\nHost: {HOST}:{site.port}\r\nContent-Type: application/json\r\n"
    asking = []
    for _ in range(50):
        one = socket.create_connection((HOST, site.port), timeout=20)
        one.sendall(f"{head}Content-Length: {len(body)}\r\n\r\n{body}".encode())
        asking.append(one)
    assert site.ask("/")[0] == 200
    plays_soon(site)
    for one in asking[1:]:
        one.close()
    Slow.go.set()
    # The answer comes too late for the table, and says so.
    assert asking[0].recv(100).startswith(b"HTTP/1.1 409")
    asking[0].close()
    site.session.play_agents()
    assert site.ask("/api/hint", {"version": site.session.version, "agent": "heuristic"})[0] == 200


def test_the_same_hint_is_thought_of_once() -> None:
    class Counting(Agent):
        asked = 0

        def act(self, view, legal, keys):
            self.asked += 1
            return legal.argmax(axis=1)

    one, counting = playing(), Counting()
    one.hint(one.version, "heuristic")
    one._advisors["heuristic"].agent = counting
    one.act(one.version, one.legal()[0])
    one.play_agents()
    first = one.hint(one.version, "heuristic")
    assert [one.hint(one.version, "heuristic") for _ in range(5)] == [first] * 5
    assert counting.asked == 1


def test_an_agent_that_never_answers_is_left_behind(capsys: pytest.CaptureFixture[str]) -> None:
    """The game goes on by random actions; the table says so, and why stays with who runs the game."""
    Slow.go.clear()
    one = Session(Setup("burako-4", (None, f"{__name__}:Slow", "random", "random"), seconds=0.2))
    try:
        start = time.monotonic()
        for _ in range(400):
            one.play_agents()
            if one.ending is not None or sum(event.key == "failed" for event in one.events) > 5:
                break
            one.act(one.version, one.legal()[-1])
        assert sum(event.key == "failed" and event.seat == 1 for event in one.events) > 5
        assert time.monotonic() - start < 60
        assert f"seat 1, {__name__}:Slow: no answer in 0.2 seconds" in capsys.readouterr().err
        assert "0.2 seconds" not in json.dumps(state(one, languages("burako-4")["en"]))
    finally:
        Slow.go.set()


@pytest.mark.parametrize("agent", ["Leaver", "Mute"])
def test_an_agent_may_raise_anything(agent: str, capsys: pytest.CaptureFixture[str]) -> None:
    one = Session(Setup("burako-4", (None, *(f"{__name__}:{agent}",) * 3)))
    thread = threading.Thread(target=one.run, daemon=True)
    thread.start()
    try:
        for _ in range(3):
            until(lambda: one.yours or one.ending is not None)
            one.act(one.version, one.legal()[-1])
        assert thread.is_alive()
    finally:
        one.close()
        thread.join(timeout=10)
    assert not thread.is_alive()
    assert f"{agent}: " in capsys.readouterr().err


def test_a_slow_agent_leaves_the_table_open() -> None:
    """While an agent thinks, the page is answered."""
    Slow.go.clear()
    one = Session(Setup("burako-4", (None, *(f"{__name__}:Slow",) * 3)))
    site, thread = Site(one), threading.Thread(target=one.run, daemon=True)
    while one.yours:
        one.act(one.version, one.legal()[-1])
    thread.start()
    try:
        start = time.monotonic()
        for _ in range(20):
            status, table, _ = site.ask("/api/table")
            assert status == 200
            assert not table["yours"]
            assert site.ask("/api/act", {"version": 0, "action": int(np.argmax(one.hand.legal()))})[0] == 409
        assert time.monotonic() - start < SOON
    finally:
        Slow.go.set()
        site.close()
        thread.join(timeout=10)
