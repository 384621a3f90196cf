"""Every byte that a browser gets is the same whatever the person cannot know.

A live game is played through the server's addresses. Before every action a twin of the table is made, in which all that
is hidden from the person's seat is dealt anew. The agents at both tables do as they are told. As long as the person's
View of both is the same, so is every answer: page, tables with their logs, places, refusals, reasons, hints, headers.
How long an answer takes is not looked at.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import agents
from agents import Agent
from burako_env.burako.game import BurakoGame
from burako_env.cards import TYPE_COUNT, card_name
from burako_env.match import MatchGame
from burako_env.ruibal.position import PerceptionPosition
from burako_env.ruibal.tiles import TYPE_NAMES
from experiments.play.happenings import Setup
from experiments.play.server import HOST, TableServer
from experiments.play.session import Session
from tests.burako_env.burako import test_sanctions
from tests.experiments.play.test_session import position
from tests.tools import core_play, ruibal_play
from tests.tools.core_play import state_of
from tests.tools.physical import NOTHING, cards_in, redeal_hidden, type_of

RULES = {"INFO-2": ["test_a_game_in_the_browser"], "RINFO-1": ["test_a_game_in_the_browser"]}


class Told(Agent):
    """Does as it is told, so that what it plays depends on nothing hidden."""

    action = 0

    def act(self, view, legal, keys):
        return np.full(len(view), self.action)


class Addresses:
    """The addresses of a table, asked without a network."""

    def __init__(self, session: Session, loop: asyncio.AbstractEventLoop) -> None:
        self.session, self.loop = session, loop
        server = TableServer(session)
        server.token = "0"
        self.app = server.app

    def ask(self, path: str, body: Any = None, language: str = "en") -> tuple[Any, ...]:
        """All that is sent: status, headers, bytes."""
        raw = b"" if body is None else json.dumps({"version": self.session.version, **body}).encode()
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": "GET" if body is None else "POST",
            "scheme": "http",
            "path": path,
            "raw_path": path.encode(),
            "root_path": "",
            "query_string": f"lang={language}".encode(),
            "headers": [(b"host", HOST.encode()), (b"content-type", b"application/json")],
        }
        sent: list[Any] = []
        asked = False

        async def receive() -> Any:
            nonlocal asked
            if asked:
                await asyncio.Event().wait()
            asked = True
            return {"type": "http.request", "body": raw, "more_body": False}

        async def send(message: Any) -> None:
            sent.append(message)

        self.loop.run_until_complete(self.app(scope, receive, send))
        return sent[0]["status"], sorted(sent[0]["headers"]), b"".join(part.get("body", b"") for part in sent[1:])


@pytest.fixture(autouse=True)
def agents_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """The players are told what to do through their class, so they play in this process."""
    monkeypatch.setattr("experiments.play.session.load_agent", agents.load)


@pytest.fixture
def loop() -> Iterator[asyncio.AbstractEventLoop]:
    found = asyncio.new_event_loop()
    yield found
    found.run_until_complete(found.shutdown_asyncgens())
    found.close()


def redealt(game: Any, person: int, generator: np.random.Generator) -> Any:
    """The game with all that is hidden from the person dealt anew."""
    other = game.clone()
    hand = other.hand if isinstance(other, MatchGame) else other
    if isinstance(hand, BurakoGame):
        state = state_of(hand)
        redeal_hidden(state, 0, person, generator)
        turn = int(state.turn[0])
        if turn != person and state.drawn[0] != NOTHING:
            # What an agent has drawn is a card of its hand.
            rows = slice(turn * hand.rules.decks, (turn + 1) * hand.rules.decks)
            unknown = cards_in(state.hands[rows, 0] & ~state.known[rows, 0])
            state.drawn[0] = type_of(int(generator.choice(unknown)))
        hand.load_state_dict(state.save())
        return other
    found = hand.position(0)
    if isinstance(found, PerceptionPosition):
        # The calls to come, and where others have pointed in this one.
        found.calls[1:] = generator.permutation(found.calls[1:]).tolist()
        places = [place for place, tile in enumerate(found.spread) if tile is not None]
        for seat in found.pointed:
            if seat != person and seat not in found.sitting:
                found.pointed[seat] = int(generator.choice(places))
        return type(hand).from_positions([found], name=hand.name)
    saved = hand.state_dict()
    stolen = int(np.bitwise_or.reduce(saved["lost"][:, 0]))
    rows = range(int(saved["pool_next"][0, 0]), int(saved["pool_end"][0, 0]))
    others = [seat for seat in range(hand.seats) if seat != person]
    unknown = [[bit for bit in range(64) if int(saved["racks"][seat, 0]) & ~stolen & 1 << bit] for seat in others]
    tiles = [tile for rack in unknown for tile in rack] + saved["pool"][rows, 0].tolist()
    mixed = iter(generator.permutation(tiles).tolist())
    for seat, rack in zip(others, unknown, strict=True):
        kept = int(saved["racks"][seat, 0]) & ~sum(1 << bit for bit in rack)
        saved["racks"][seat, 0] = np.uint64(kept | sum(1 << next(mixed) for _ in rack))
    saved["pool"][rows, 0] = list(mixed)
    hand.load_state_dict(saved)
    return other


def twin(session: Session, game: Any) -> Session:
    """Another table where the same has happened, with this game."""
    other = Session(session.setup)
    for name in ("version", "events", "ending", "_ended", "_history"):
        setattr(other, name, getattr(session, name))
    other._actions, other._undo = list(session._actions), list(session._undo)
    other.game = game
    return other


def seen(session: Session) -> bytes:
    """The person's View."""
    return bytes(session.game.view(seats=session.seat).buffer.tobytes())


def probe(pair: list[Addresses], generator: np.random.Generator) -> int:
    """Ask both tables the same, and compare all that is answered; the number of questions. None changes anything."""
    session = pair[0].session
    legal, names = set(session.legal()), [card_name(card) for card in range(TYPE_COUNT)]
    hand = session.table().seats[0]
    if not isinstance(session.hand, BurakoGame):
        names, own = list(TYPE_NAMES), [TYPE_NAMES[tile] for tile in getattr(hand, "rack", ()) or ()]
    else:
        own = [card_name(card) for card in hand.hand]
    questions: list[tuple[str, Any]] = [
        ("/api/table", None),
        ("/api/undo", {}) if not session.may_undo else ("/", None),
    ]
    places = ["new", "discard", "lay", "pool", *range(30), *(f"group:{n}" for n in range(4))]
    for _ in range(4):
        some = [str(name) for name in generator.permutation(own)[: generator.integers(1, 5)]] if own else []
        foreign = [*some, str(generator.choice(names))]
        questions += [("/api/places", {"cards": some}), ("/api/places", {"cards": foreign})]
        # A card too many lays nothing, wherever it is brought; the reason says why.
        many = [*foreign, *foreign, *foreign]
        place = places[int(generator.integers(len(places)))]
        questions += [("/api/lay", {"cards": many, "place": place}), ("/api/lay", {"cards": [], "place": place})]
        questions += [("/api/lay", {"cards": foreign[-1:], "place": place, "theirs": True})]
    actions = [a for a in generator.permutation(session.hand.num_actions).tolist() if a not in legal][:12]
    questions += [("/api/act", {"action": action}) for action in actions]
    questions += [("/api/hint", {"agent": session.setup.hints[0]})] if session.yours else []
    questions += [("/api/next", {}), ("/api/pace", {"pace": "fast"}), ("/api/table", None), ("/nowhere", None)]
    before = session.version
    for number, (path, body) in enumerate(questions):
        language = ("en", "es")[number % 2]
        one, other = (table.ask(path, body, language) for table in pair)
        if session.version != before and path == "/api/lay":
            return number
        assert one == other, (path, body)
    return len(questions)


STRICT: dict[str, Any] = {"max_turns": 60}
SANCTIONS = {"enforcement": "sanctions", "max_turns": 60}


LONG = pytest.mark.slow


@pytest.mark.parametrize(
    ("game", "rules", "match", "person", "steps"),
    [
        ("burako-4", STRICT, True, 0, 60),
        ("burako-4", SANCTIONS, True, 2, 40),
        ("ruibal-1", {"players": 3}, False, 1, 40),
        ("ruibal-2", {"players": 3}, False, 0, 50),
        ("ruibal-3", {"players": 3}, False, 2, 40),
        pytest.param("burako-4", STRICT, True, 0, 300, marks=LONG),
        pytest.param("burako-4", STRICT, False, 1, 300, marks=LONG),
        pytest.param("burako-4", SANCTIONS, True, 3, 300, marks=LONG),
        pytest.param("burako-6", STRICT, False, 3, 300, marks=LONG),
        pytest.param("burako-8", SANCTIONS, False, 5, 200, marks=LONG),
        pytest.param("ruibal-1", {"players": 4}, False, 3, 200, marks=LONG),
        pytest.param("ruibal-2", {"players": 4}, False, 1, 200, marks=LONG),
        pytest.param("ruibal-3", {"players": 2}, False, 0, 200, marks=LONG),
    ],
)
def test_a_game_in_the_browser(
    game: str, rules: dict[str, Any], match: bool, person: int, steps: int, loop: asyncio.AbstractEventLoop
) -> None:
    count = int(game[-1]) if game.startswith("burako") else rules["players"]
    players = tuple(None if seat == person else f"{__name__}:Told" for seat in range(count))
    adviser = "heuristic" if game.startswith("burako") else "greedy"
    session = Session(Setup(game, players, rules, match=match, root_seed=7, hints=(adviser,)))
    choose: Any = ruibal_play.eager_actions if game.startswith("ruibal") else core_play.eager_actions
    if "enforcement" in rules:
        choose = test_sanctions.breaking_actions
    generator = np.random.default_rng(1)
    table = Addresses(session, loop)
    asked = compared = moved = 0
    for step in range(steps):
        if session.ending is not None:
            break
        other = twin(session, redealt(session.game, person, generator))
        assert seen(session) == seen(other)
        before, after = session.hand.state_dict(), other.hand.state_dict()
        moved += any(not np.array_equal(value, after[key]) for key, value in before.items())
        pair = [table, Addresses(other, loop)]
        assert table.ask("/api/table") == pair[1].ask("/api/table")
        if step % 16 == 0 or (session.yours and step % 4 == 0):
            # On copies of both: what is asked may turn out to be allowed.
            asked += probe([Addresses(twin(one, one.game.clone()), loop) for one in (session, other)], generator)
        action, turns = int(choose(session.hand)[0]), session.hand.turns[0]
        if session.yours:
            assert table.ask("/api/act", {"action": action}) == pair[1].ask("/api/act", {"action": action})
        else:
            Told.action, legal = action, bool(other.hand.legal()[0, action])
            session.step_agent()
            if not legal:
                continue
            other.step_agent()
        # The end of a call at level 1 shows everybody where the others have pointed (L1-2), and the log tells it.
        pointed = game == "ruibal-1" and session.hand.turns[0] != turns
        if session.ending is None and not pointed and seen(session) == seen(other):
            compared += 1
            for language in ("en", "es"):
                assert table.ask("/api/table", None, language) == pair[1].ask("/api/table", None, language)
    assert asked > 100
    assert compared > 9
    assert moved > 9


def test_cards_that_are_not_held_tell_nothing_of_the_burako(tmp_path: Any, loop: asyncio.AbstractEventLoop) -> None:
    """Laying the last card brings a burako: asked with any further card, the table does not say whether it is there."""
    session = Session(Setup("burako-4", (None, *(f"{__name__}:Told",) * 3), root_seed=7))
    generator = np.random.default_rng(2)
    session.game = position(tmp_path, "9S 9H 9D")
    others = [twin(session, redealt(session.game, 0, generator)) for _ in range(3)]
    tables = [Addresses(one, loop) for one in (session, *others)]
    for card in range(TYPE_COUNT):
        chosen = ["9S", "9H", "9D", card_name(card)]
        for path, body in (
            ("/api/places", {"cards": chosen}),
            ("/api/lay", {"cards": chosen, "place": "new"}),
            ("/api/lay", {"cards": chosen, "place": 8}),
        ):
            answers = [table.ask(path, body) for table in tables]
            assert answers.count(answers[0]) == len(answers), (path, body, answers)
            assert session.version == 0
