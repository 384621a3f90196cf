"""Scenes, replays and images: the right cards, and in a seat's view none that it may not know."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import burako_env
from burako_env import burako_v0
from burako_env.burako.game import BurakoGame
from burako_env.burako.position import Position
from burako_env.burako.rules import PRESETS
from burako_env.cards import CARD_NAMES, card_name
from burako_env.choice import random_legal
from burako_env.match import make_match
from burako_env.notation import parse_cards
from burako_env.playback import moments
from burako_env.recorder import Recorder
from burako_env.records import Record, append
from burako_env.render.html import game_page, replay_page
from burako_env.render.image import WIDTH, image_height, scene_image
from burako_env.render.scene import game_scene, seat_scene
from burako_env.rng import mix
from experiments.cli import main

RULES = {"INFO-2": ["test_a_seats_scene_has_its_own_hand_alone", "test_a_seats_replay_holds_no_other_hand"]}

NAMES = set(CARD_NAMES)
HANDS = ["4C 9C JH 2S", "3D 3D 5D", "AS AS JK", "6H 7H 8H"]


def set_up() -> BurakoGame:
    """A hand in the middle of a turn, every zone of it known."""
    rules = PRESETS["burako-4"]
    position = Position(
        rules=rules,
        turn=0,
        phase="lay",
        hands=[parse_cards(hand) for hand in HANDS],
        tables=[[parse_cards("8C 8D 8S JK"), parse_cards("4S 5S 2D 7S")], [parse_cards("10D JD QD")]],
        closed=[[parse_cards("KC KC KD KD KH KS KS")], []],
        pile=parse_cards("3C 10H"),
        stock=parse_cards("QC QS 5C 6C"),
        burakos=[[parse_cards("AC AD AH 9D 9H 9S 4D 4H 5H 6D 6S")], []],
        taken_by=[[], [1]],
    )
    return BurakoGame.from_positions([position], name="burako-4")


def cards_of(value: Any) -> list[str]:
    """Every card named anywhere in plain data."""
    if isinstance(value, str):
        return [value] if value in NAMES else []
    if isinstance(value, dict):
        return [card for item in value.values() for card in cards_of(item)]
    return [card for item in value for card in cards_of(item)] if isinstance(value, list | tuple) else []


def played(*, match: bool = False) -> Record:
    """A record of random play, cut short."""
    make = make_match if match else burako_env.make
    config = {"max_turns": 13, "max_hands": 2} if match else {"max_turns": 40}
    game = make("burako-4", 1, 6, config)
    recorder = Recorder(game, config)
    game.reset([3])
    recorder.begin(["a", "b</script>", "a", "b</script>"])
    while not game.done[0]:
        actions = random_legal(game.legal_packed(), mix(game.keys()))
        recorder.note(actions)
        game.step(actions)
        found = recorder.collect()
    return found[0][1]


def data_of(page: str) -> dict[str, Any]:
    """The data in a page."""
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    data: dict[str, Any] = json.loads(found[1])
    return data


def test_the_scene_of_a_position_has_its_cards():
    scene = game_scene(set_up())
    assert scene["actor"] == scene["turn_of"] == 0
    assert scene["phase"] == "lay"
    assert scene["stock"] == 4
    assert scene["below"] + scene["top"] == ["3C", "10H"]
    ours, theirs = scene["teams"]
    assert [(group["name"], group["cards"]) for group in ours["groups"]] == [
        ("set 8", ["8C", "8D", "8S", "JK"]),
        ("run S1", ["4S", "5S", "2D", "7S"]),  # the two of diamonds stands for the six
    ]
    assert [(group["name"], group["cards"]) for group in theirs["groups"]] == [("run D1", ["10D", "JD", "QD"])]
    assert ours["kinds"] == {"clean set": 1}
    assert (ours["closed_ranks"], ours["closed"]) == (["K"], ["KC", "KC", "KD", "KD", "KH", "KS", "KS"])
    assert (ours["burakos"], theirs["burakos"]) == (1, 0)
    for seat, hand in zip(scene["seats"], HANDS, strict=True):
        assert seat["hand"] is not None
        assert sorted(cards_of(seat["hand"])) == sorted(hand.split())
    assert scene["seats"][0]["hand"] == [["4C", "9C"], ["JH"], ["2S"]]  # suit by suit, the wilds last
    assert json.loads(json.dumps(scene)) == scene


@pytest.mark.parametrize("seat", range(4))
def test_a_seats_scene_has_its_own_hand_alone(seat):
    game = set_up()
    scene = seat_scene(game, seat)
    assert scene["observer"] == seat
    everything = game_scene(game)
    for other, (seen, full) in enumerate(zip(scene["seats"], everything["seats"], strict=True)):
        assert seen["size"] == full["size"] == len(HANDS[other].split())
        assert seen["hand"] == (full["hand"] if other == seat else None)
    hidden = {card for other, hand in enumerate(HANDS) if other != seat for card in hand.split()}
    hidden |= {"QC", "QS", "5C", "6C", "AC", "9H"}  # of the stock and of a burako
    hidden -= {*HANDS[seat].split(), "JK"}  # a joker lies on the table
    assert not hidden & set(cards_of(scene))
    # What the hand is worth would tell of the hands.
    assert [team["points"] for team in scene["teams"]] == [None, None]
    assert scene["teams"][0]["groups"] == everything["teams"][0]["groups"]


@pytest.mark.parametrize("seat", [0, 3])
def test_a_seats_replay_holds_no_other_hand(seat):
    record = played()
    page = data_of(replay_page(record, seat=seat))
    frames = page["data"]["frames"]
    assert len(frames) == len(record.parts[0].actions) + 1
    for frame, moment in zip(frames, moments(record), strict=True):
        assert isinstance(moment.game, BurakoGame)
        position = moment.game.position()
        for other, part in enumerate(page["pool"][number] for number in frame["seats"]):
            if other == seat:
                assert sorted(cards_of(part["hand"])) == sorted(map(card_name, position.hands[other]))
            else:
                public = position.shown[other] + position.known[other]
                assert sorted(cards_of(part)) == sorted(map(card_name, public))
    # Nothing lies in the page that no frame shows.
    used = {number for frame in frames for name in ("seats", "teams") for number in frame[name]}
    assert used == set(range(len(page["pool"])))


def test_a_replay_needs_no_other_file_and_ends_nothing_early():
    page = replay_page(played())
    assert not re.search(r"""(src|href)\s*=|url\(|@import|https?:""", page)
    assert page.count("</script>") == 2  # no text of the data ends an element
    data = data_of(page)["data"]
    assert data["agents"][1] == "b</script>"
    assert data["words"]["draw stock"] == {"en": "draw from the stock", "es": "tomar del mazo"}


def test_a_match_or_one_hand_of_it():
    record = played(match=True)
    data = data_of(replay_page(record))["data"]
    assert [hand["number"] for hand in data["hands"]] == [1, 2]
    sizes = [len(part.actions) + 1 for part in record.parts]
    assert [hand["start"] for hand in data["hands"]] == [0, sizes[0]]
    assert len(data["frames"]) == sum(sizes)
    assert data["frames"][sizes[0] - 1]["phase"] == data["frames"][-1]["phase"] == "over"
    second = data_of(replay_page(record, hands=[1]))["data"]
    assert [hand["number"] for hand in second["hands"]] == [2]
    assert len(second["frames"]) == sizes[1]


def test_images_show_the_scene():
    game = set_up()
    image = scene_image(game_scene(game))
    assert image.shape == (image_height(4), WIDTH, 3)
    assert image.dtype == np.uint8
    # Hidden hands are drawn as backs, so a View's image is another one.
    assert (image != scene_image(seat_scene(game, 0))).any()
    env = burako_v0.raw_env(render_mode="rgb_array")
    env.reset(seed=1)
    assert np.array_equal(env.render(), scene_image(game_scene(env.game)))
    page = burako_v0.raw_env(render_mode="html")
    page.reset(seed=1)
    assert page.render() == game_page(page.game)


class TestCommand:
    @pytest.fixture
    def file(self, tmp_path: Path) -> Path:
        path = tmp_path / "hands.jsonl"
        append(path, [played(), played(match=True)])
        return path

    def test_it_writes_the_page(self, file, tmp_path, capsys):
        out = tmp_path / "page.html"
        assert main(["watch", str(file), "--number", "2", "--hand", "2", "--seat", "1", "--out", str(out)]) == 0
        assert str(out) in capsys.readouterr().out
        data = data_of(out.read_text(encoding="utf-8"))["data"]
        assert data["frames"][0]["observer"] == 1
        assert [hand["number"] for hand in data["hands"]] == [2]

    @pytest.mark.parametrize(
        ("arguments", "said"),
        [
            (["{file}", "--number", "3"], "holds 2 records"),
            (["{file}", "--hand", "2"], "the hand has 1 hand"),
            (["{file}", "--seat", "4"], "seats 0 to 3"),
            (["{folder}"], "is a folder"),
            (["{folder}/none.jsonl"], "cannot be opened"),
            (["{folder}/bad.jsonl"], "not JSON"),
            (["{folder}/wrong.jsonl"], "does not hold: action 1 'discard JK' is not legal"),
            (["{folder}/empty.jsonl"], "holds no records"),
            (["{file}", "--out", "{folder}/no/page.html"], "cannot write"),
        ],
    )
    def test_what_is_wrong_is_one_sentence(self, file, tmp_path, capsys, arguments, said):
        (tmp_path / "bad.jsonl").write_text("{")
        (tmp_path / "empty.jsonl").write_text("\n")
        text = file.read_text(encoding="utf-8").splitlines()[0]
        (tmp_path / "wrong.jsonl").write_text(text.replace('"actions":["draw stock"', '"actions":["discard JK"'))
        line = [argument.format(file=file, folder=tmp_path) for argument in arguments]
        assert main(["watch", *line]) == 2
        shown = capsys.readouterr().err
        assert said in shown
        assert shown.count("\n") == 1
        assert "Traceback" not in shown
