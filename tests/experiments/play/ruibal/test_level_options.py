"""What chosen tiles may do in `burako play` at the children's levels, and why other things may not be done."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from burako_env.cases import Case, read_cases
from burako_env.cases.ruibal.play import RuibalPlay
from burako_env.chance.rng import mix
from burako_env.ruibal import RuibalGame
from burako_env.ruibal.actions import Kind
from burako_env.ruibal.notation import ActionText
from burako_env.ruibal.position import RackPosition
from burako_env.ruibal.tiles import parse_tiles, tile_type
from experiments.play.happenings import Refused
from experiments.play.ruibal.family import LevelFamily
from experiments.play.ruibal.options import options
from experiments.play.ruibal.reasons import why_not, why_text
from experiments.play.ruibal.texts import level_reason_text, play_level_words
from tests.tools.places import CASES
from tests.tools.ruibal_play import GAMES, dealt, eager_actions

RULES = {"L2-6": ["test_chosen_tiles_and_what_they_may_do"], "L3-4": ["test_chosen_tiles_and_what_they_may_do"]}
FAMILY = LevelFamily()
CASES = [
    case
    for path in sorted(CASES.glob("ruibal*.yaml"))
    for case in read_cases(path)
    if isinstance(case.play, RuibalPlay)
]
# Rules that forbid an action in passing, in cases that are about others.
PASSING = {
    Kind.PLACE: {"L2-3", "L2-4", "L2-6", "L2-7"},
    Kind.MAKE: {"L3-4", "L3-2", "L3-3"},
    Kind.RELEASE: {"L2-7", "L3-6", "L3-3"},
    Kind.DRAW: {"L2-10", "L2-2", "L2-7", "L3-3"},
    Kind.PASS: {"L2-10", "L2-7", "L3-3"},
    Kind.END: {"L2-7", "L3-3"},
    Kind.ROBA: {"L2-9", "L2-7", "L3-3"},
    Kind.TOMA: {"L2-9", "L2-7", "L3-3"},
    Kind.OTRO: {"L2-9", "L2-7", "L3-3"},
    Kind.POINT: {"L1-2"},
    Kind.SIT: {"L1-2"},
}


def position(tmp_path: Path, level: int, text: str) -> RuibalGame:
    path = tmp_path / "case.yaml"
    path.write_text(
        f"- name: p\n  game: ruibal-{level}\n  position: {{turn: 0, {text}}}\n  steps: [{{expect: {{turn: 0}}}}]\n",
        encoding="utf-8",
    )
    play = read_cases(path)[0].play
    assert isinstance(play, RuibalPlay)
    return play.game


# Options and reasons.


@pytest.mark.parametrize(
    ("level", "text", "chosen", "spot", "action"),
    [
        (2, "racks: ['C1 C2 C3 L5 O5', '*5']", "C3 C1 C2", "lay", "place C1 C2 C3"),
        (2, "racks: ['C1 C3 JK L5 O5', '*5']", "JK C1 C3", "lay", "place C1 JK=C2 C3"),
        (2, "racks: ['C1 C2 JK L5 O4', '*5'], board: C3 C4 C5", "C2", "cell:0:6", "place C2"),
        (2, "racks: ['C2 C4 L5 O5', '*5'], board: C1 JK=C2 C3", "C2", "cell:0:6", "release C2"),
        (2, "racks: ['C1 ROBA OTRO L5 O5', '*5']", "ROBA", "lay", "play ROBA"),
        (2, "racks: ['C1 ROBA OTRO L5 O5', '*5']", "", "pool", "draw"),
        (2, "racks: ['C1 ROBA OTRO L5 O5', '*5']", "C1", "pool", "draw"),
        (3, "racks: ['C3 C5 L1 T1 O2 L3', '*6'], table: [L4 C4 T4 O4]", "C5 C3", "lay", "make C3 C4 C5"),
        (3, "racks: ['L2 C5 O5 T1 O2 C1', '*6'], table: [L3 L4 L5]", "L2", "group:0", "make L2 L3 L4 L5"),
        (3, "racks: ['JK L1 C5 T1 O2 C1', '*6'], table: [JK=L4 C4 T4]", "L1 C1 T1", "lay", "make L1 C1 T1"),
    ],
)
def test_chosen_tiles_and_what_they_may_do(
    tmp_path: Path, level: int, text: str, chosen: str, spot: str, action: str
) -> None:
    game = position(tmp_path, level, text)
    (found,) = FAMILY.plan(game, parse_tiles(chosen), spot)
    assert game.action_text(found) == action


def test_several_ways_are_asked_about(tmp_path: Path) -> None:
    """A joker beside two tiles has two places; the page is offered both, with their crowns, and each is clickable."""
    game = position(tmp_path, 2, "racks: ['C2 C3 JK L5 O5', '*5']")
    with pytest.raises(Refused) as refused:
        FAMILY.plan(game, parse_tiles("C2 C3 JK"), "lay")
    assert refused.value.key == "which"
    told = FAMILY.places(game, parse_tiles("C2 C3 JK"), play_level_words("en"))["options"]
    assert [one["text"] for one in told] == [
        "Place joker for crocodile 1, crocodile 2, crocodile 3 (+1)",
        "Place crocodile 2, crocodile 3, joker for crocodile 4 (+1)",
    ]
    (found,) = FAMILY.plan(game, parse_tiles("C2 C3 JK"), f"cell:0:{tile_type('C4')}")
    assert game.action_text(found) == "place C2 C3 JK=C4"
    # The leaflet's example a, 3 tiger beside the run of all five, leaves 3 4 5: the other ways are there, too.
    game = position(tmp_path, 3, "racks: ['T3 L1 C1 O5 O2 L4', '*6'], table: [T1 T2 T3 T4 T5]")
    told = FAMILY.places(game, parse_tiles("T3"), play_level_words("es"))["options"]
    assert [(one["text"], one["spots"]) for one in told] == [
        ("Formar 1 Tigre, 2 Tigre, 3 Tigre, con 1 Tigre, 2 Tigre de la mesa (+1)", ["group:0"]),
        ("Formar 3 Tigre, 4 Tigre, 5 Tigre, con 4 Tigre, 5 Tigre de la mesa (+1)", ["group:0"]),
    ]


@pytest.mark.parametrize(
    ("level", "text", "chosen", "spot", "rule", "key"),
    [
        (2, "racks: ['L2 T2 O2 L5 C4', '*5']", "L2 T2 O2", "lay", "L2-3", "no.line"),
        (2, "racks: ['L2 T3 O2 L5 C4', '*5']", "L2 T3", "lay", "L2-4", "one.line"),
        (2, "racks: ['L2 L2 O2 L5 C4', '*5']", "L2 L2", "lay", "L2-4", "twice"),
        (2, "racks: ['C1 C2 C3 JK O5', '*5']", "C1 JK C3", "lay", "L2-6", "joker.held"),
        (2, "racks: ['C1 ROBA OTRO L5 O5', '*5']", "C1 ROBA", "lay", "L2-2", "forfeit.alone"),
        (2, "racks: ['C4 C5 L5 O5 O1', '*5'], board: C1 JK=C2 C3", "L5", "cell:0:6", "L2-7", "wrong.tile"),
        (2, "racks: ['C1 C2 C3 L5 O5', '*5']", "C1 C2 C3", "cell:0:0", "L2-4", "not.there"),
        (2, "racks: ['C1 C2 C3 L5 O5', '*5'], pool: ''", "", "pool", "L2-10", "pool.empty"),
        (2, "racks: ['C1 TOMA C3 L5 O5', '*5'], pool: ''", "TOMA", "lay", "L2-9", "pool.two"),
        (3, "racks: ['T1 T2 L1 O5 O2 L3', '*6']", "T1 T2", "lay", "L3-4", "no.source"),
        (3, "racks: ['T1 C2 L1 O5 O2 L3', '*6']", "T1 C2", "lay", "L3-2", "no.collection"),
        (3, "racks: ['T1 T1 L1 O5 O2 L3', '*6']", "T1 T1", "lay", "L3-2", "twice"),
        (3, "racks: ['T1 T2 T3 O5 O2 L3', '*6']", "T1 T2", "lay", "L3-4", "rack.first"),
        (3, "racks: ['T1 T2 JK O5 O2 L4', '*6']", "T1 T2", "lay", "L3-4", "joker.too"),
        (3, "racks: ['T1 T2 T3 ROBA O2 L4', '*6']", "T1 ROBA", "lay", "L3-3", "forfeit.alone"),
    ],
)
def test_why_chosen_tiles_do_nothing(
    tmp_path: Path, level: int, text: str, chosen: str, spot: str, rule: str, key: str
) -> None:
    game = position(tmp_path, level, text)
    with pytest.raises(Refused) as refused:
        FAMILY.plan(game, parse_tiles(chosen), spot)
    assert refused.value.reason is not None
    assert (refused.value.reason.rule, refused.value.reason.key) == (rule, key)


def illegal_words(case: Case):
    """Every illegal action of a case with the position it stands in."""
    play = case.play.fresh()
    assert isinstance(play, RuibalPlay)
    for step in case.steps:
        for _, words in step.actions:
            assert isinstance(words, ActionText)
            if step.kind == "play":
                play.game.step([play.action_id(words)])
            elif step.kind == "illegal":
                yield play.game, words


def test_the_case_files_agree() -> None:
    """The reason's rule is one that the case is about, or one of the few that forbid in passing."""
    seen, odd = Counter[str](), []
    for case in CASES:
        for game, words in illegal_words(case):
            reason = why_text(game, words)
            kind = Kind(int(game.table.rows["kind"][words.action]))
            seen[reason.key] += 1
            if reason.rule not in {*case.rules, *PASSING[kind]}:
                odd.append(f"{case.name}: {game.action_text(words.action)} -> {reason}, the case names {case.rules}")
    assert sum(seen.values()) > 35
    assert len(seen) > 12
    assert not odd, "\n".join(odd)


@pytest.mark.parametrize(("name", "players"), GAMES)
def test_every_refusal_has_a_sentence(name: str, players: int) -> None:
    """Along games, every illegal action has a reason in both languages, whatever lies hidden."""
    words, keys = [play_level_words("en"), play_level_words("es")], set[str]()
    game = dealt(name, players, 1, first=3)
    for step in range(400):
        if game.done[0]:
            break
        if step % 6 == 0:
            illegal = np.flatnonzero(~game.legal()[0][: game.table.used])
            other = game.sample_states(game.view(), 1, mix(game.keys()))
            for action in illegal[step % 5 :: 5].tolist():
                reason = why_not(game, action)
                keys.add(reason.key)
                for one in words:
                    text = level_reason_text(reason, one)
                    assert "{" not in text
                    assert text.endswith(f"({reason.rule})")
                assert why_not(other, action) == reason
        game.step(eager_actions(game))
    assert why_not(game, 0).key == "game.over"
    assert len(keys) >= (2 if name == "ruibal-1" else 4)


def test_options_are_the_legal_actions() -> None:
    """Along games: the tiles of an option lie in the rack, what it lays is its text, its crowns are what it gains."""
    seen = Counter[Kind]()
    for name, players in (("ruibal-2", 3), ("ruibal-3", 2)):
        for deal in range(2):
            game = dealt(name, players, 1, first=deal)
            while not game.done[0]:
                before, found = game.position(0), options(game)
                assert isinstance(before, RackPosition)
                assert [one.action for one in found] == np.flatnonzero(game.legal()[0]).tolist()
                rack = Counter(before.racks[before.turn])
                for one in found:
                    assert not Counter(one.pieces) - rack
                    seen[one.kind] += 1
                action = int(eager_actions(game)[0])
                chosen = next(one for one in found if one.action == action)
                game.step([action])
                gained = game.position(0).crowns[before.turn] - before.crowns[before.turn]
                assert gained == chosen.crowns + (game.reasons[0] == "out")
    assert all(seen[kind] for kind in (Kind.PLACE, Kind.MAKE, Kind.RELEASE, Kind.ROBA, Kind.DRAW, Kind.END))
