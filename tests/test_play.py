"""A person at a table of agents: what reaches the page, what is refused, what can be taken back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from starlette.testclient import TestClient

import agents
import burako_env
from agents import Agent
from burako_env.burako.game import BurakoGame
from burako_env.burako.position import Position
from burako_env.burako.rules import PRESETS
from burako_env.cards import CARD_NAMES, card_name
from burako_env.notation import parse_cards
from burako_env.records import read
from burako_env.replay import verify
from experiments.cli import main
from experiments.play.server import make_app, play_page
from experiments.play.table import PlayTable, Refused
from experiments.play.terminal import play_in_terminal

RULES = {"INFO-2": ["test_nothing_hidden_reaches_the_page"]}

NAMES = set(CARD_NAMES)


def set_table(*, seat: int = 0, seed: int = 5, match: bool = False, rules: dict[str, Any] | None = None) -> PlayTable:
    agent = agents.load("random", "burako-4", rules)
    return PlayTable(
        "burako-4", rules=rules or {}, seed=seed, deal=0, match=match, seat=seat, agents=[agent, agent, agent, agent]
    )


def client_of(table: PlayTable, **options: Any) -> TestClient:
    return TestClient(make_app(table, **options), base_url="http://127.0.0.1")


def post(client: TestClient, path: str, number: int, **body: Any) -> Any:
    return client.post(path, json={"number": number, **body})


def in_position(table: PlayTable, hand: str) -> None:
    """Put the table into the person's laying phase with this hand."""
    position = Position(
        rules=PRESETS["burako-4"],
        turn=0,
        phase="lay",
        hands=[parse_cards(cards) for cards in (hand, "3C 4D", "5S 7C", "6H JC")],
        stock=parse_cards("QC QS 5C 6C 9C 9D"),
        pile=parse_cards("3H"),
        burakos=[[parse_cards("AC AD AH 9D 9H 9S 4D 4H 5H 6D 6S")], []],
        taken_by=[[], [1]],
    )
    table.game = BurakoGame.from_positions([position], name="burako-4")


def cards_of(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value] if value in NAMES else []
    items = value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
    return [card for item in items for card in cards_of(item)]


@pytest.mark.parametrize("seat", [0, 3])
def test_nothing_hidden_reaches_the_page(seat):
    """Of every answer during a hand: the others' seats show what is public of them, and all other cards are public."""
    table = set_table(seat=seat)
    client = client_of(table)
    state = client.get("/state").json()
    for _ in range(40):
        if state["over"]:
            break
        game = table.game
        assert isinstance(game, BurakoGame)
        position = game.position()
        scene = state["scene"]
        assert scene["observer"] == seat
        for other, shown in enumerate(scene["seats"]):
            cards = sorted(cards_of([shown["hand"] or [], shown["known"] if other != seat else []]))
            public = position.hands[seat] if other == seat else position.shown[other] + position.known[other]
            assert cards == sorted(map(card_name, public))
            assert other == seat or (shown["drawn"], shown["bottom"]) == (None, None)
        assert [team["points"] for team in scene["teams"]] == [None, None]
        # Beside the scene there are the own legal actions and the log, which tells of public actions alone.
        assert {action["card"] for action in state["legal"]} <= {*map(card_name, position.hands[seat]), None}
        assert set(state) == {
            *("number", "game", "seat", "agents", "over", "scene", "legal", "undo", "log", "scores"),
        }
        assert client.get("/record").status_code == 409
        state = post(client, "/act", state["number"], action=state["legal"][-1]["text"]).json()
    assert not set(play_page().split()) & NAMES - {"2", "JK"}


def test_a_hand_is_played_to_its_end_and_its_record_holds(tmp_path):
    table = set_table(rules={"max_turns": 24})
    ended: list[int] = []
    client = client_of(table, ended=lambda finished: ended.append(finished.number))
    state = client.get("/state").json()
    while not state["over"]:
        state = post(client, "/act", state["number"], action=state["legal"][0]["text"]).json()
    assert len(ended) == 1
    assert state["legal"] == []
    assert state["scene"]["observer"] is None  # now every hand is open
    assert state["scores"] == [team["points"] for team in state["scene"]["teams"]]
    path = tmp_path / "hand.jsonl"
    path.write_text(client.get("/record").text, encoding="utf-8")
    ((_, record),) = read(path)
    assert verify([record]) == [None]
    assert record.agents == ("person", "random", "random", "random")
    assert record.result.scores == tuple(state["scores"])
    following = post(client, "/next", state["number"]).json()
    assert not following["over"]
    assert table.deal == 1


def test_a_match_goes_on_from_hand_to_hand():
    table = set_table(match=True, rules={"max_turns": 9, "max_hands": 2})
    while not table.over:
        table.act(table.number, table.legal_texts()[0])
    record = table.record()
    assert record.kind == "match"
    assert verify([record]) == [None]
    ends = [line for line in table.situation()["log"] if line["by"] is None]
    assert len(ends) == 2


class TestUndo:
    def test_lays_are_taken_back_one_by_one(self):
        table = set_table()
        in_position(table, "8C 8D 8S KH KD")
        start = table.game.state_dict()
        for text in ("lay 8C set", "lay 8D set"):
            table.act(table.number, text)
        assert table.situation()["scene"]["teams"][0]["groups"] == [
            {"name": "set 8", "cards": ["8C", "8D"], "half": True}
        ]
        number = table.number
        table.undo(number)
        table.undo(table.number)
        assert all(np.array_equal(start[name], array) for name, array in table.game.state_dict().items())
        with pytest.raises(Refused):
            table.undo(table.number)
        # A number never names two pictures.
        assert table.number == number + 2

    def test_not_after_the_discard(self):
        table = set_table()
        in_position(table, "8C 8D 8S KH KD QD")
        for text in ("lay 8C set", "lay 8D set", "lay 8S set", "discard KH"):
            table.act(table.number, text)
        assert not table.situation()["undo"]

    def test_not_after_a_card_was_seen(self):
        table = set_table()
        in_position(table, "8C 8D 8S")
        for text in ("lay 8C set", "lay 8D set", "lay 8S set"):
            table.act(table.number, text)
        if "take burako" in table.legal_texts():
            assert table.game.phase_text(0) in ("lay", "burako")
            table.act(table.number, "take burako")
        # The hand is now the burako: eleven cards nobody had seen.
        assert len(cards_of(table.situation()["scene"]["seats"][0]["hand"])) == 11
        assert not table.situation()["undo"]


class TestMoves:
    def test_a_stale_move_is_refused_with_the_table_as_it_is(self):
        """Two tabs: the second answers a picture on which the first has already moved."""
        table = set_table()
        client = client_of(table)
        state = client.get("/state").json()
        text = state["legal"][0]["text"]
        moved = post(client, "/act", state["number"], action=text).json()
        for path in ("/act", "/undo", "/hint", "/next"):
            late = post(client, path, state["number"], action=text)
            assert late.status_code == 409
            assert set(late.json()["error"]) == {"en", "es"}
            assert late.json()["state"] == moved
        # A reload finds the same.
        assert client.get("/state").json() == moved

    def test_an_illegal_move_changes_nothing(self):
        table = set_table()
        client = client_of(table)
        state = client.get("/state").json()
        for action in ("discard JK", "nonsense", "", "yes"):
            answer = post(client, "/act", state["number"], action=action)
            assert answer.status_code == 409
            assert answer.json()["state"] == state

    def test_only_json_from_this_machine(self):
        client = client_of(set_table())
        assert client.post("/act", content='{"number": 1}', headers={"Content-Type": "text/plain"}).status_code == 400
        for body in ("{", "[]", '{"number": "1"}', "{}"):
            answer = client.post("/act", content=body, headers={"Content-Type": "application/json"})
            assert answer.status_code == 400
        assert client.get("/state", headers={"Host": "evil.example"}).status_code == 400

    def test_a_hint_is_what_the_agent_would_do(self):
        heuristic = agents.load("heuristic", "burako-4")
        table = PlayTable("burako-4", rules={}, seed=1, deal=2, match=False, seat=2, agents=[heuristic] * 4)
        game = burako_env.make("burako-4", 1, 1)
        game.reset([2])
        while game.to_act[0] != 2:
            game.step(heuristic.act(game.view(), game.legal(), game.keys()))
        expected = game.action_text(int(heuristic.act(game.view(), game.legal(), game.keys())[0]))
        state = client_of(table).get("/state").json()
        answer = post(client_of(table), "/hint", state["number"]).json()
        assert answer["hint"]["text"] == expected
        assert table.number == state["number"]  # a hint is no move

    def test_an_agent_that_fails_is_replaced_by_chance(self):
        class Broken(Agent):
            def act(self, view, legal, keys):
                raise RuntimeError("my hand is 3C")

        table = PlayTable("burako-4", rules={}, seed=1, deal=0, match=False, seat=0, agents=[Broken()] * 4)
        table.act(table.number, table.legal_texts()[0])
        while table.game.phase_text(0) != "draw" and not table.over:
            table.act(table.number, table.legal_texts()[-1])
        said = json.dumps(table.situation()["log"])
        assert "broken failed" in said
        assert "my hand" not in said


class TestTerminal:
    def test_a_hand_is_played(self):
        table = set_table(rules={"max_turns": 8})
        answers = iter(["h", "u", "nonsense", "", *["1"] * 500])
        shown: list[str] = []
        assert play_in_terminal(table, "es", lambda prompt: next(answers), shown.append)
        text = "\n".join(shown)
        assert "consejo: " in text
        assert "No hay nada que deshacer." in text
        assert "Eso no se puede ahora." in text
        assert "tomar del mazo" in text
        assert text.count("the hand is over") == 1
        # While it lasts no other hand is shown: their lines name known cards alone.
        first = next(part for part in shown if "player_1" in part)
        assert not any(word in NAMES for word in first.split("player_1")[1].split("player_2")[0].split())

    def test_one_may_stop(self, monkeypatch, capsys, tmp_path: Path):
        monkeypatch.setattr("builtins.input", lambda prompt: "q")
        out = tmp_path / "hands.jsonl"
        assert main(["play", "--terminal", "--partner", "random", "--opponent", "random", "--out", str(out)]) == 0
        assert "player_0" in capsys.readouterr().out
        assert not out.exists()  # nothing was finished


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--game", "burako-5"], "did you mean"),
        (["--seat", "4"], "seats 0 to 3"),
        (["--partner", "randum"], "did you mean random"),
        (["--port", "0"], "port"),
    ],
)
def test_bad_settings(arguments, said, capsys):
    assert main(["play", "--terminal", *arguments]) == 2
    assert said in capsys.readouterr().err
