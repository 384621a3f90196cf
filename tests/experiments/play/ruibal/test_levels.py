"""The children's levels in `burako play`: the session, undo, what reaches the page, the terminal."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from burako_env.chance.rng import mix
from burako_env.records.format import read
from burako_env.records.replay import verify
from burako_env.ruibal.actions import Kind
from burako_env.ruibal.position import RackPosition
from burako_env.ruibal.tiles import TYPE_NAMES, tile_type
from experiments.cli import main
from experiments.play.command import PlaySettings
from experiments.play.happenings import Reason, Refused
from experiments.play.page import languages, play_page, state
from experiments.play.ruibal.family import LevelFamily
from experiments.play.ruibal.reasons import why_no_option
from experiments.play.ruibal.texts import LEVEL_EVENTS, LEVEL_PAGE, LEVEL_REASONS, level_reason_text
from experiments.play.session import Session
from experiments.play.terminal import Terminal
from tests.burako_env.render.test_level_drawings import drawn_tiles, names
from tests.tools.play_site import Site
from tests.tools.ruibal_play import dealt, eager_actions

RULES = {
    "RINFO-1": ["test_nothing_hidden_reaches_the_page", "test_who_is_told_what_was_stolen"],
    "L1-2": ["test_nobody_sees_a_call_before_its_end"],
}
FAMILY = LevelFamily()


def session(level: int = 2, **changes) -> Session:
    return Session(PlaySettings(**{"game": f"ruibal-{level}", "seed": 4, "agents": ("greedy",), **changes}).setup())


def finish(one: Session) -> None:
    """Play on as the adviser says."""
    while one.ending is None:
        one.play_agents()
        if one.ending is None:
            one.act(one.version, one.hint(one.version, "greedy"))


# The session.


@pytest.mark.parametrize("level", [1, 2, 3])
@pytest.mark.parametrize("count", [2, 3, 4])
def test_a_whole_game(level: int, count: int, tmp_path: Path) -> None:
    """With one to three agents, from any seat, recorded and played again."""
    path = tmp_path / "games.jsonl"
    one = session(level, rules=(f"players={count}",), seat=count - 1, record=path)
    words = languages(one.setup.game)["es"]
    finish(one)
    told = state(one, words)
    assert one.ending is not None
    assert sorted(row["points"] for row in told["ending"]["rows"]) == sorted(one.game.scores[0].tolist())
    assert "sheet" not in told["ending"]
    ((_, record),) = read(path)
    assert verify([record]) == [None]
    assert record.agents.count("person") == 1
    assert record.agents[count - 1] == "person"
    one.go_on(one.version)
    assert one.ending is None
    assert int(one.game.deal_ids[0]) == 1


def test_agents_say_how_many_play() -> None:
    assert session(2, agents=("greedy", "random")).game.seats == 3
    assert session(2, agents=("random",)).game.seats == 4
    assert session(2, agents=(), rules=("players=2",)).setup.players == (None, "greedy")
    assert session(3).setup.hints == ("greedy",)
    assert not session(3).setup.match


def test_undo_goes_back_within_the_turn_only() -> None:
    """Moves that leave the turn open are taken back; whatever ended a turn, or brought a tile, is not."""
    undone, kept = Counter[str](), Counter[str]()
    for level, seed in ((2, 1), (3, 2), (3, 4), (1, 1)):
        one = session(level, seed=seed, rules=("players=2",))
        while one.ending is None:
            one.play_agents()
            if one.ending is not None:
                break
            action = one.hint(one.version, "greedy")
            kind = Kind(int(one.hand.table.rows["kind"][action])).name
            before, pool = one.game.state_dict(), getattr(one.table(), "pool", 0)
            one.act(one.version, action)
            if one.may_undo:
                assert one.table().pool == pool
                one.undo(one.version)
                assert all(np.array_equal(before[key], value) for key, value in one.game.state_dict().items())
                undone[kind] += 1
                one.act(one.version, action)
            elif one.ending is None:
                with pytest.raises(Refused):
                    one.undo(one.version)
                kept[kind] += 1
    assert set(undone) <= {"MAKE", "RELEASE"}
    assert undone["MAKE"] > 5
    assert {"PLACE", "DRAW", "POINT", "END"} <= set(kept)


@pytest.mark.parametrize("level", [2, 3])
def test_nothing_hidden_reaches_the_page(level: int) -> None:
    """Along a game the page is told the same whatever the hidden tiles are, and is sent no other rack."""
    one, words = session(level, rules=("players=3",)), languages("ruibal-2")["en"]
    checked = 0
    for step in range(200):
        if step % 40 == 0:
            game = dealt(f"ruibal-{level}", 3, 1, first=step)
        if game.done[0]:
            continue
        # The person sits at seat 0, as the observer of redrawn games does.
        if step % 2 == 0 and int(game.to_act[0]) == 0:
            one.game = game.clone()
            told = state(one, words)
            position = game.position(0)
            assert isinstance(position, RackPosition)
            assert drawn_tiles(told["html"]["hand"]) == names(position.racks[0])
            assert drawn_tiles(told["html"]["seats"]) == sum(
                (names(list(seat.known)) for seat in one.table().seats[1:]), Counter()
            )
            one.game = game.sample_states(game.view(), 1, mix(game.keys()))
            assert state(one, words) == told
            checked += 1
        game.step(eager_actions(game))
    assert checked > 5


def test_nobody_sees_a_call_before_its_end() -> None:
    """Agents that point before the person leave no trace, and nothing tells which place is right."""
    one = session(1, seat=2)
    fresh = len(one.events)
    before = state(one, languages("ruibal-1")["en"])
    one.play_agents()
    told = state(one, languages("ruibal-1")["en"])
    assert one.yours
    assert len(one.events) == fresh
    assert told["html"]["middle"] == before["html"]["middle"]
    place = int(one.hand.view().match[0].argmax())
    assert len(told["lit"]) == 20
    one.lay(one.version, [], f"place:{place}")
    one.play_agents()
    keys = [event.key for event in one.events[fresh:]]
    assert keys == ["right"] * 4
    assert sum(event.crowns for event in one.events[fresh:]) == 1


def test_a_wrong_call_is_told_and_sat_out() -> None:
    one = session(1, rules=("players=2",), agents=("greedy",))
    one.play_agents()
    view = one.hand.view()
    wrong = int(np.flatnonzero((view.spread[0] > 0) & (view.match[0] == 0))[0])
    one.act(one.version, wrong)
    one.play_agents()
    assert [event.key for event in one.events[1:]] == ["wrong", "right"]
    told = state(one, languages("ruibal-1")["en"])
    assert "sit this one out" in told["prompt"]
    assert [button["kind"] for button in told["actions"]] == ["SIT"]
    with pytest.raises(Refused) as refused:
        one.lay(one.version, [], "place:0")
    assert refused.value.reason == Reason("L1-2", "sitting")


def test_who_is_told_what_was_stolen() -> None:
    """Thief and owner learn the tile from the log; a third player does not. Drawn tiles are the person's alone."""
    seen = Counter[str]()
    for deal in range(6):
        game = dealt("ruibal-2", 3, 1, first=deal)
        while not game.done[0]:
            action = int(eager_actions(game)[0])
            after = game.clone()
            after.step([action])
            if game.table.rows["kind"][action] == Kind.ROBA:
                thief = int(game.to_act[0])
                owner, third = (thief - 1) % 3, (thief + 1) % 3
                told = {seat: FAMILY.happened(game, action, after, seat)[0] for seat in range(3)}
                lost = Counter(game.position(0).racks[owner]) - Counter(after.position(0).racks[owner])
                assert Counter(told[owner].cards) == Counter(told[thief].cards) == lost
                assert told[third].cards == ()
                assert told[owner].got == told[third].got == ()
                seen["stolen"] += 1
            elif game.table.rows["kind"][action] == Kind.DRAW:
                drawer = int(game.to_act[0])
                new = Counter(after.position(0).racks[drawer]) - Counter(game.position(0).racks[drawer])
                for seat in range(3):
                    got = FAMILY.happened(game, action, after, seat)[0].got
                    assert Counter(got) == (new if seat == drawer else Counter())
                seen["drawn"] += 1
            game = after
    assert min(seen["stolen"], seen["drawn"]) > 5


# Addresses, command line, terminal.


def test_a_turn_by_the_addresses() -> None:
    one = session(2, rules=("players=2",))
    one.play_agents()
    site = Site(one)
    try:
        status, page, _ = site.ask("/?lang=es")
        assert status == 200
        assert "http://" not in page.replace("http://www.w3.org", "")
        assert "playTable(" in page
        assert "/*TEXTS*/" not in page
        assert "Colocar" in page
        _, table, _ = site.ask("/api/table?lang=es")
        assert table["yours"]
        assert table["lit"] == ["pool"]
        rack = Counter(TYPE_NAMES[tile] for tile in one.table().seats[0].rack)
        assert set(table["layable"]) <= set(rack)
        lonely = next(name for name in rack if name not in table["layable"])
        body = {"version": table["version"], "cards": [lonely], "place": "lay"}
        status, answer, _ = site.ask("/api/lay?lang=es", body)
        assert status == 409
        assert answer["refused"].endswith("(L2-4)")
        for wrong, said in (
            ({"place": "cell:7:1"}, "place"),
            ({"cards": ["C9"]}, "not a tile"),
            ({"cards": 1}, "cards"),
        ):
            status, answer, _ = site.ask("/api/lay", {**body, **wrong})
            assert status == 400
            assert said in answer["error"]
        assert site.ask("/api/lay", {**body, "cards": [], "place": "group:3"})[0] == 409
        _, answer, _ = site.ask("/api/hint", {"version": table["version"], "agent": "greedy"})
        assert answer["text"].startswith("greedy: ")
        assert site.ask("/api/lay", {**body, "cards": [], "place": "pool"})[0] == 200
        status, answer, _ = site.ask("/api/act", {"version": table["version"], "kind": "DRAW"})
        assert status == 409
        assert "moved on" in answer["refused"]
        assert len(one.table().seats[0].rack) == 6
    finally:
        site.close()


def test_every_text_has_both_languages() -> None:
    for table in (LEVEL_REASONS, LEVEL_EVENTS, LEVEL_PAGE):
        for key, texts in table.items():
            assert len(texts) == 2, key
            assert all(texts), key
    spanish = languages("ruibal-3")["es"]
    assert spanish("do.DRAW") == "Tomar una ficha"
    assert level_reason_text(Reason("L2-6", "not.held", {"tile": tile_type("C2")}), spanish) == (
        "No tiene 2 Cocodrilo. (L2-6)"
    )
    page = play_page(session(2).setup, languages("ruibal-2")["en"])
    assert "What happened" in page


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("--game ruibal-4", "did you mean ruibal-"),
        ("--game ruibal-2 --play match", "ruibal-2 is not played in matches"),
        ("--game ruibal-2 --seat 4", "seat 4: ruibal-2 has seats 0 to 3"),
        ("--game ruibal-2 --seat 2 --rules players=2", "seat 2: ruibal-2 has seats 0 to 1"),
        ("--game ruibal-2 --rules players=5", "there are games for 2, 3 and 4 players"),
        ("--game ruibal-2 --rules player=2", "did you mean players"),
        ("--game ruibal-2 --rules players=2 --agents greedy random", "2 agents"),
        ("--game ruibal-2 --agents a b c d", "there are games for 2, 3 and 4 players"),
        ("--game ruibal-2 --agents heuristic", "agent heuristic: unknown game 'ruibal-2'"),
        ("--game ruibal-3 --hints nobody", "unknown agent 'nobody'"),
    ],
)
def test_mistakes_get_a_sentence(line: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "--no-browser", "--port", "0", *line.split()]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1


@pytest.mark.parametrize(("language", "says"), [("en", "Your turn"), ("es", "Su turno")])
@pytest.mark.parametrize("level", [2, 3])
def test_a_game_in_the_terminal(language: str, says: str, level: int) -> None:
    """A whole game is played by numbers and texts; mistakes are explained and change nothing."""
    one = session(level, rules=("players=2",))
    said, asked = list[str](), list[str]()
    mistakes = iter(["pass", "end", "fly", "99", "hint", "help", "undo", "release L1", ""])

    def read(text: str) -> str:
        asked.append(text)
        if one.ending is not None:
            return "quit"
        mistake = next(mistakes, None)
        if mistake is not None:
            return mistake
        action = one.hint(one.version, "greedy")
        return one.hand.action_text(action) if len(asked) % 2 else str(one.legal().index(action) + 1)

    Terminal(one, language, read=read, write=said.append).play()
    text = "\n".join(said)
    assert says in "\n".join(asked)
    assert "(L2-10)" in text
    assert "(L2-7)" in text or "(L3-3)" in text
    assert "greedy: " in text
    assert "player_1   0 crowns" in text
    assert one.ending is not None
    assert ("crowns" if language == "en" else "coronas") in said[-2]


def test_the_terminal_hides_the_other_racks() -> None:
    one = session(2, rules=("players=3",))
    position = one.hand.position(0)
    assert isinstance(position, RackPosition)
    text = FAMILY.text(one.hand, 0, languages("ruibal-2")["en"])
    lines = text.splitlines()
    assert [TYPE_NAMES[tile] for tile in position.racks[0]] == lines[-3].split("crowns")[1].split()
    assert all(line.endswith("5 tiles") for line in lines[-2:])
    assert json.dumps(state(one, languages("ruibal-2")["en"]))


def test_a_reason_never_needs_more_than_the_seat_knows() -> None:
    """Chosen tiles in redrawn games are refused alike."""
    game = dealt("ruibal-3", 3, 1, first=5)
    for step in range(24):
        if game.done[0]:
            break
        if step % 3:
            game.step(eager_actions(game))
            continue
        position = game.position(0)
        assert isinstance(position, RackPosition)
        rack, other = position.racks[position.turn], game.sample_states(game.view(), 1, mix(game.keys()))
        for chosen in (rack[:1], rack[:2], rack[1:3], rack[-2:]):
            for spot in ("lay", "pool", "group:0"):
                assert why_no_option(game, chosen, spot) == why_no_option(other, chosen, spot)
        game.step(eager_actions(game))
