"""`burako play` without a browser: the addresses of the page, the command line, the terminal."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import replace
from string import Formatter
from typing import Any

import pytest

from burako_env import families
from burako_env.cards import card_name
from experiments.cli import main
from experiments.play.burako.texts import EVENTS, PAGE, REASONS, SHEET
from experiments.play.command import PlaySettings
from experiments.play.page import languages
from experiments.play.server import HOST, listen
from experiments.play.session import Session
from experiments.play.terminal import Terminal
from tests.tools.play_site import Site


@pytest.fixture
def site() -> Iterator[Site]:
    session = Session(PlaySettings(agents=("random",), seed=4).setup())
    session.play_agents()
    found = Site(session)
    yield found
    found.close()


def test_the_page_needs_nothing_from_elsewhere(site: Site) -> None:
    for language, word in (("en", "Open a group"), ("es", "Abrir un grupo")):
        status, text, headers = site.ask(f"/?lang={language}")
        assert status == 200
        assert f'<html lang="{language}">' in text
        assert "http://" not in text.replace("http://www.w3.org", "")
        assert "https://" not in text
        assert "/*TEXTS*/" not in text
        assert "default-src 'none'" in headers["content-security-policy"]
        assert f"burako-language={language}" in headers["set-cookie"]
        assert word in text


def test_the_language_is_the_browsers(site: Site) -> None:
    assert '<html lang="es">' in site.ask("/", **{"Accept-Language": "es-CO,es;q=0.9,en;q=0.8"})[1]
    assert '<html lang="en">' in site.ask("/", **{"Accept-Language": "fr,de"})[1]
    assert '<html lang="es">' in site.ask("/", Cookie="burako-language=es")[1]


def test_only_this_machines_pages_are_answered(site: Site) -> None:
    body = {"version": site.session.version, "kind": "DRAW_STOCK"}
    before = site.session.version
    for headers in ({"Host": "evil.example"}, {"Host": f"evil.example:{site.port}"}, {"Origin": "http://evil.example"}):
        assert site.ask("/api/table", **headers)[0] == 403
        assert site.ask("/api/act", body, **headers)[0] == 403
    assert site.ask("/api/act", body, **{"Content-Type": "text/plain"})[0] == 400
    assert site.session.version == before
    assert site.ask("/api/act", body, Origin=f"http://{HOST}:{site.port}")[0] == 200


def test_other_machines_cannot_connect() -> None:
    """The socket belongs to the loopback address alone."""
    with listen(0) as listener:
        assert listener.getsockname()[0] == "127.0.0.1"


@pytest.mark.parametrize(
    ("path", "body", "said"),
    [
        ("act", {}, "version"),
        ("act", {"version": 0}, "action"),
        ("act", {"version": 0, "action": 10**9}, "action"),
        ("act", {"version": True, "action": 1}, "version"),
        ("lay", {"version": 0, "place": "moon", "cards": []}, "place"),
        ("lay", {"version": 0, "place": "new", "cards": ["9X"]}, "not a card"),
        ("lay", {"version": 0, "place": "new", "cards": "9S"}, "cards"),
        ("pace", {"pace": "hasty"}, "pace"),
        ("act", [1], "JSON object"),
    ],
)
def test_malformed_answers_are_refused(site: Site, path: str, body: Any, said: str) -> None:
    status, answer, _ = site.ask(f"/api/{path}", body)
    assert status == 400
    assert said in answer["error"]


def test_a_turn_by_the_addresses(site: Site) -> None:
    """Draw, be refused with a reason, discard; an old tab is told kindly, and both see the same."""
    _, table, _ = site.ask("/api/table")
    assert table["yours"]
    assert table["actions"][0]["kind"] == "DRAW_STOCK"
    card = table["html"]["hand"].split('data-card="')[1].split('"')[0]
    status, answer, _ = site.ask("/api/lay?lang=es", {"version": table["version"], "cards": [card], "place": "discard"})
    assert status == 409
    assert answer["refused"] == "Primero roba una carta o toma el pozo. (TURN-1)"
    assert site.ask("/api/act", {"version": table["version"], "kind": "DRAW_STOCK"})[0] == 200
    status, answer, _ = site.ask("/api/act", {"version": table["version"], "kind": "DRAW_STOCK"})
    assert status == 409
    assert "moved on" in answer["refused"]
    _, table, _ = site.ask("/api/table")
    if table["phase"] == "look":
        site.ask("/api/act", {"version": table["version"], "kind": "KEEP"})
        _, table, _ = site.ask("/api/table")
    first = table["discardable"][0]
    _, answer, _ = site.ask("/api/places", {"version": table["version"], "cards": [first]})
    assert "discard" in answer["places"]
    _, answer, _ = site.ask("/api/hint", {"version": table["version"], "agent": "heuristic"})
    assert answer["text"].startswith("heuristic: ")
    assert site.ask("/api/lay", {"version": table["version"], "cards": [first], "place": "discard"})[0] == 200
    pile = site.session.table().pile
    assert card_name(pile[-1]) == first
    assert not site.ask("/api/table")[1]["yours"]


def test_waiting_for_news(site: Site) -> None:
    """A question for news is answered as soon as there is some, and at once to a page of another game."""
    _, table, _ = site.ask("/api/table")
    threading.Timer(0.3, lambda: site.session.act(site.session.version, site.session.legal()[0])).start()
    start = time.monotonic()
    _, later, _ = site.ask(f"/api/table?after={table['version']}&game={table['game']}")
    assert 0.2 < time.monotonic() - start < 10
    assert later["version"] == table["version"] + 1
    start = time.monotonic()
    site.ask(f"/api/table?after={later['version']}&game=1")
    assert time.monotonic() - start < 5


def test_the_command_says_where_the_first_table_is() -> None:
    """The address comes first; the seed, which tells every hand, once the game has been ended."""
    command = [sys.executable, "-m", "experiments.cli", "play", "--port", "0", "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            first = process.stdout.readline()
            address = first.split()[2]
            with urllib.request.urlopen(f"{address}api/table", timeout=10) as answer:
                table = json.load(answer)
            process.send_signal(signal.SIGINT)
            rest = process.stdout.read()
            assert process.wait(timeout=20) == 0
        finally:
            process.kill()
    assert "data-card" in table["html"]["hand"]
    seed = re.fullmatch(r"the same cards again: --seed (\d+)\n", rest)
    assert seed is not None
    assert int(seed[1]) > 2**64, "one of 2**64 games has a smaller one"
    again = Session(PlaySettings(seed=int(seed[1])).setup())
    again.play_agents()
    hand = re.findall(r'data-card="(\w+)"', table["html"]["hand"])
    assert sorted(hand) == sorted(card_name(card) for card in again.table().seats[0].hand)


def test_every_text_has_both_languages() -> None:
    """Both have the same values; Spanish says tú, tomar and el pozo throughout."""
    other = re.compile(r"(?i)\b(usted|cog\w+|coj\w+|pilas?|robe|tome|escoja|elija|baje|descarte|responda)\b")
    for table in (REASONS, EVENTS, PAGE, SHEET):
        for key, texts in table.items():
            assert len(texts) == 2, key
            assert all(texts), key
            english, spanish = ({name for _, name, _, _ in Formatter().parse(text) if name} for text in texts)
            assert english == spanish, key
            assert not other.search(texts[1]), key
    english, spanish = languages("burako-4")["en"], languages("burako-4")["es"]
    assert english("do.DRAW_PILE") == "Take the pile"
    assert spanish("why.second.wild") == "Un grupo solo puede tener una carta libre."


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("--agents heuristik", "did you mean heuristic"),
        ("--agents random random", "2 agents"),
        ("--seat 4", "seat 4: burako-4 has seats 0 to 3"),
        ("--game burako-5", "did you mean burako-"),
        ("--rules consul=true", "did you mean consult"),
        ("--hints nobody", "unknown agent 'nobody'"),
        ("--language fr", "language"),
        ("--record .", "is a folder"),
    ],
)
def test_mistakes_get_a_sentence(line: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "--no-browser", "--port", "0", *line.split()]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1


def test_a_family_without_a_table_gets_a_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(families, "_FAMILIES", dict(families._FAMILIES))
    cards = families.family_of("burako-4")
    toy = {"toy-4": cards.presets["burako-4"]}
    families.register(replace(cards, name="toy", presets=toy, rules=lambda name, config: toy[name]))
    assert main(["play", "--game", "toy-4", "--no-browser", "--port", "0"]) == 2
    error = capsys.readouterr().err
    assert "toy-4 has no table to play at in the browser or in the terminal" in error
    assert "burako-4, burako-6, burako-8, ruibal-1" in error
    assert error.count("\n") == 1


def test_rules_say_how_many_sit_at_the_table() -> None:
    settings = PlaySettings(agents=("random",), rules=("players=6", "decks=3", "burakos_per_team=2"), seed=1)
    session = Session(settings.setup())
    assert len(session.setup.players) == session.game.seats == 6
    session.play_agents()
    assert session.yours


def test_a_used_port_gets_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    taken = listen(0)
    port = taken.getsockname()[1]
    assert main(["play", "--no-browser", "--port", str(port)]) == 2
    assert f"port {port} cannot be used" in capsys.readouterr().err
    taken.close()


@pytest.mark.parametrize(("language", "draw"), [("en", "draw a card"), ("es", "roba una carta")])
def test_a_hand_in_the_terminal(language: str, draw: str) -> None:
    """A whole hand is played by numbers and texts; mistakes are explained and change nothing."""
    session = Session(PlaySettings(agents=("random",), seed=4, play="hand", rules=("max_turns=24",)).setup())
    said: list[str] = []
    mistakes = iter(["discard JK", "lay 9S run S9", "fly", "99", "²", "9" * 5000, "hint", "help", "undo", "new 3C", ""])
    asked: list[str] = []

    def read(text: str) -> str:
        asked.append(text)
        if session.ending is not None:
            return "quit"
        mistake = next(mistakes, None)
        if mistake is not None:
            return mistake
        return session.hand.action_text(session.legal()[-1]) if len(asked) % 2 else str(len(session.legal()))

    Terminal(session, language, read=read, write=said.append).play()
    assert session.ending is not None
    text = "\n".join(said)
    assert draw in "\n".join(asked)
    assert "(TURN-1)" in text
    assert "player_0" in text
    assert "heuristic: " in text
    assert session.ending.reason in ("truncated", "out", "exhausted")
    assert {"en": "Score sheet", "es": "Planilla"}[language] in text
    assert {"en": "cards left in hand", "es": "cartas en la mano"}[language] in text
    assert text.count("SCORE-") >= 2
