"""`burako watch`: replays of records that need nothing else, as every seat saw them."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from agents import Agent
from burako_env.cards import CARD_NAMES
from burako_env.families import make
from burako_env.records.format import HandRecord, MatchRecord, Result, append, read
from burako_env.ruibal import RuibalGame
from burako_env.ruibal.notation import read_action
from burako_env.ruibal.position import RackPosition
from burako_env.ruibal.tiles import TYPE_NAMES
from experiments.cli import main
from experiments.play.happenings import Setup
from experiments.play.session import Session
from experiments.watch.command import make_page
from tests.tools.places import GOLDEN


class Opinionated(Agent):
    """Likes the last legal action most, and expects as many points as it has cards."""

    def act(self, view, legal, keys):
        return legal.shape[1] - 1 - legal[:, ::-1].argmax(axis=1)

    def preferences(self, view, legal, keys):
        return np.where(legal, np.arange(legal.shape[1], dtype=np.float32), -np.inf)

    def values(self, view):
        return view.hand_sizes[:, 0].astype(np.float32)


def played(match: bool = False, agents: str = "random") -> HandRecord | MatchRecord:
    """A game of random agents, the person's seat played by its first legal action."""
    rules = {"max_turns": 20, "max_hands": 2}
    one = Session(Setup("burako-4", (None, agents, agents, agents), rules=rules, match=match, root_seed=8))
    while True:
        one.play_agents()
        if one.ending is None:
            one.act(one.version, one.legal()[0])
        elif match and not one.ending.match_over:
            one.go_on(one.version)
        else:
            return one.record()


def data_of(page: str) -> dict:
    """What the script of a page was given."""
    found = re.search(r"const data = (\{.*\});\n", page)
    assert found is not None
    return json.loads(found[1])


def cards_of(text: str) -> Counter[str]:
    return Counter(name for name in re.findall(r"~(\w+)~", text) if name != "back")


def test_every_position_from_every_side() -> None:
    """With all hands open every card of the deal is there; a seat's view shows its own hand and no other's."""
    record = played()
    data = data_of(make_page(record))
    assert len(data["frames"]) == len(record.actions) + 1
    one = Session(Setup("burako-4", (None, *("random",) * 3), rules=record.rules, root_seed=8))
    game = one.hand
    for number in range(0, len(record.actions), 7):
        frame = data["frames"][number]
        game.reset([record.deal_id])
        for text in record.actions[:number]:
            game.step([next(a for a in np.flatnonzero(game.legal()[0]) if game.action_text(a) == text)])
        position = game.position(0)
        hands = [Counter(CARD_NAMES[card] for card in hand) for hand in position.hands]
        _, _, middle, _, own, *seats = frame["v"][0]
        assert own == -1
        assert [cards_of(data["parts"][seat]) for seat in seats] == hands
        assert cards_of(data["parts"][middle]) == Counter(CARD_NAMES[card] for card in position.pile)
        for seat in range(4):
            _, _, _, _, own, *others = frame["v"][1 + seat]
            assert Counter(re.findall(r'data-card="(\w+)"', data["parts"][own])) == hands[seat]
            for place, other in enumerate(others, start=1):
                known = Counter(CARD_NAMES[card] for card in position.known[(seat + place) % 4])
                known |= Counter(CARD_NAMES[card] for card in position.shown[(seat + place) % 4])
                assert cards_of(data["parts"][other]) == known


@pytest.mark.parametrize("language", ["en", "es"])
def test_a_page_opens_from_disk(language: str) -> None:
    page = make_page(played(match=True), language=language)
    assert page.startswith("<!doctype html>")
    assert f'<html lang="{language}">' in page
    assert not re.search(r'(src|href)="(?!#)', page)
    assert "fetch(" not in page
    assert "http://" not in page
    data = data_of(page)
    assert sum(text.startswith(("hand 2", "mano 2")) for _, text in data["turns"]) >= 20
    assert [number for number, _ in data["turns"]] == sorted({number for number, _ in data["turns"]})
    used = {number for frame in data["frames"] for view in frame["v"] for number in view if number >= 0}
    assert used == set(range(len(data["parts"])))


def test_opinions() -> None:
    """The agent's best actions in order, what it expects, and whether it would have done the same."""
    record = played()
    data = data_of(make_page(record, (f"{__name__}:Opinionated",)))
    asked = [frame for frame in data["frames"] if "o" in frame]
    assert len(asked) > 30
    for frame in asked:
        (opinion,) = frame["o"]
        values = [float(value) for _, value, _, _ in opinion["top"]]
        assert values == sorted(values, reverse=True)
        assert 2 <= len(values) <= 5
        assert opinion["top"][0][2] == 100
        assert opinion["same"] == opinion["top"][0][3]
        assert re.search(r"expects \+\d+ more points", opinion["t"])


def test_a_record_loads_no_code_of_its_own() -> None:
    record = played().model_copy(update={"agents": ("person", "os:path", "random", f"{__name__}:Opinionated")})
    page = make_page(record)
    assert "os:path" in page
    assert "is not asked" in page
    assert not any("o" in frame for frame in data_of(page)["frames"])


def test_names_are_text(tmp_path: Path) -> None:
    record = played().model_copy(update={"agents": ("</script><script>alert(1)</script>", "a", "b", "c")})
    page = make_page(record, ("nobody",))
    assert "<script>alert" not in page
    assert page.count("</script>") == 2


def test_a_tournaments_records(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A hand of a run folder: its page lies beside its record."""
    run = tmp_path / "run"
    assert main(["evaluate", "heuristic", "random", "--boards", "2", "--out", str(run)]) == 0
    capsys.readouterr()
    assert main(["watch", str(run)]) == 0
    records = sorted((run / "records").glob("*.jsonl"))
    assert records
    for path in records:
        page = path.with_suffix(".html")
        assert f"replay: {page}" in capsys.readouterr().out or page.exists()
        ((_, record),) = read(path)
        assert len(data_of(page.read_text(encoding="utf-8"))["frames"]) == len(record.actions) + 1
    target = tmp_path / "pages" / "one.html"
    assert main(["watch", str(records[0]), "--out", str(target), "--ask", "heuristic", "--language", "es"]) == 0
    assert "heuristic: " in target.read_text(encoding="utf-8")


def test_mistakes_get_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record, path = played(), tmp_path / "r.jsonl"
    append(path, [record, record])
    wrong = record.model_copy(update={"actions": ("discard 9S", *record.actions)})
    append(tmp_path / "wrong.jsonl", [wrong])
    (tmp_path / "empty").mkdir()
    for line, said in (
        ([str(tmp_path / "none.jsonl")], "cannot be opened"),
        ([str(tmp_path / "empty")], "holds no records"),
        ([str(path), "--number", "3"], "holds 2 records, not 3"),
        ([str(tmp_path), "--out", str(tmp_path / "x.html")], "--out names the page of one"),
        ([str(tmp_path / "wrong.jsonl")], "'discard 9S' is not legal"),
        ([str(path), "--ask", "heuristik"], "did you mean heuristic"),
        ([str(path), "--out", str(tmp_path / "empty")], "cannot write"),
    ):
        assert main(["watch", *line]) == 2
        error = capsys.readouterr().err
        assert said in error
        assert error.count("\n") == 1


def test_an_unfinished_record() -> None:
    record = played()
    hand = Session(Setup("burako-4", (None, *("random",) * 3), rules=record.rules, root_seed=8)).hand
    for text in record.actions[:9]:
        hand.step([next(a for a in np.flatnonzero(hand.legal()[0]) if hand.action_text(a) == text)])
    first, second = (int(points) for points in hand.scores[0])
    ended = Result(scores=(first, second), reason="unfinished", turns=int(hand.turns[0]))
    broken = record.model_copy(update={"actions": record.actions[:9], "result": ended})
    data = data_of(make_page(broken))
    assert len(data["frames"]) == 10
    assert data["frames"][-1]["a"] == "The game was broken off here."


@pytest.mark.parametrize("level", [1, 2, 3])
def test_every_position_of_a_level(level: int) -> None:
    """A game of a level, from a turned table: each frame shows every tile once, a seat's view its own rack alone."""
    ((_, record),) = read(GOLDEN / f"ruibal-{level}.jsonl")
    page = make_page(record, ("nobody",), "es")
    data = data_of(page)
    assert len(data["frames"]) == len(record.actions) + 1
    assert "http://" not in page.replace("http://www.w3.org", "")
    game = make(record.game, 1, record.root_seed, record.rules)
    assert isinstance(game, RuibalGame)
    game.reset([record.deal_id], swap_sides=record.orientation)
    for number, text in enumerate(record.actions):
        frame = data["frames"][number]
        if number % 5 == 0 and level > 1:
            position = game.position(0)
            assert isinstance(position, RackPosition)
            for seat in range(game.seats):
                opened, seen = (
                    [data["parts"][part] for part in view if part >= 0]
                    for view in (frame["v"][0], frame["v"][1 + seat])
                )
                racks = sum((Counter(TYPE_NAMES[tile] for tile in rack) for rack in position.racks), Counter())
                middle = cards_of(data["parts"][frame["v"][0][2]])
                assert cards_of("".join(opened)) == racks + middle
                own = Counter(TYPE_NAMES[tile] for tile in position.racks[seat])
                lost = Counter(TYPE_NAMES[tile] for tile in position.lost[seat])
                assert cards_of("".join(seen)) == own + middle + lost
        action = game.action_id(read_action(game.table, text))
        assert action is not None
        game.step([action])
    assert "Ganó" in data["frames"][-1]["a"] or "Empatan" in data["frames"][-1]["a"]
    assert len(data["turns"]) == game.turns[0] + 1


def test_the_sheet_stands_at_a_hands_end() -> None:
    """The items of each team add up to its points in the record."""
    record = played(match=True)
    ends = [frame for frame in data_of(make_page(record))["frames"] if "sheet" in frame]
    assert len(ends) == len(record.parts)
    for frame, part in zip(ends, record.parts, strict=True):
        for column, points in enumerate(part.result.scores, start=2):
            figures = [row[column].rpartition(" ")[2] for row in frame["sheet"]["rows"] if row[column]]
            assert sum(map(int, figures)) == points
        assert frame["sheet"]["head"] == ["Team 0", "Team 1"]
