"""A game between a person and agents: plans, undo, versions, endings, and what reaches the page."""

from __future__ import annotations

import json
import threading
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from agents import Agent
from burako_env.burako.game import BurakoGame
from burako_env.burako.notation import parse_cards
from burako_env.burako.turn.actions import FIRST_RUN, Kind
from burako_env.cards import card_name, card_type
from burako_env.cases import read_cases
from burako_env.cases.burako.play import BurakoPlay
from burako_env.records.format import read
from burako_env.records.replay import verify
from burako_env.render.texts import Texts
from experiments.play.burako.plans import places, plan, why_no_plan
from experiments.play.burako.texts import EVENTS, PAGE, REASONS
from experiments.play.happenings import Refused, Setup
from experiments.play.page import languages, state
from experiments.play.session import Session
from tests.burako_env.burako.test_no_leak import redealt
from tests.burako_env.render.test_drawings import drawn_cards
from tests.tools.core_play import stage_states

RULES = {"INFO-2": ["test_nothing_hidden_reaches_the_page"], "GROUP-12": ["test_chosen_cards_are_laid_in_order"]}


def position(tmp_path: Path, hand: str, *, table: str = "", more: str = "") -> BurakoGame:
    """A laying phase of seat 0 with this hand and these groups of its team."""
    path = tmp_path / "case.yaml"
    path.write_text(
        f"- name: p\n  game: burako-4\n  position: {{turn: 0, hands: ['{hand}', '*11', '*11', '*11'], phase: lay, "
        f"tables: [[{table}], []]{more}}}\n  steps: [{{expect: {{turn: 0}}}}]\n",
        encoding="utf-8",
    )
    play = read_cases(path)[0].play
    assert isinstance(play, BurakoPlay)
    return play.game


class Thinker(Agent):
    """Always answers with action 0, which is hardly ever legal."""

    def act(self, view, legal, keys):
        return np.zeros(len(view), dtype=np.int64)


def session(**changes) -> Session:
    players = (None, "random", "random", "random")
    return Session(Setup("burako-4", **{"players": players, "hints": ("heuristic",), **changes}))


def until_laying(one: Session) -> None:
    """Go on to a laying phase of the person."""
    for _ in range(3000):
        one.play_agents()
        if one.ending is not None:
            one.go_on(one.version)
            continue
        if one.table().phase == "lay":
            return
        one.act(one.version, one.legal()[0])
    raise AssertionError("never")


@pytest.mark.parametrize(
    ("hand", "chosen"),
    [
        ("7S 8S 9S KD 3C", "9S 7S 8S"),
        ("7S 9S JK KD 3C", "JK 9S 7S"),
        ("AH KH QH 3C 4D", "AH QH KH"),
        ("AH 2H 3H 3C 4D", "3H 2H AH"),
        ("9S 9H 2C KD 3C", "2C 9S 9H"),
        ("2S 2H JK 3C 4D", "JK 2S 2H"),
        ("3S 4S 2S 2D 9C", "2S 4S 3S"),
        ("4D 5D 6D 7D 8D 9D 10D 3C", "10D 9D 8D 7D 6D 5D 4D"),
    ],
)
def test_chosen_cards_are_laid_in_order(tmp_path: Path, hand: str, chosen: str) -> None:
    """Chosen in any order, they become one group; the plan is legal step by step and lays just these cards."""
    game = position(tmp_path, hand)
    cards = parse_cards(chosen)
    found = plan(game, cards, "new")
    assert found is not None
    for action in found:
        game.step([action])
    after = game.position()
    laid = after.tables[0] + after.closed[0]
    assert [Counter(group) for group in laid] == [Counter(cards)]
    assert after.opening is None


def test_places_of_chosen_cards(tmp_path: Path) -> None:
    game = position(tmp_path, "9H 8S 7S KD KD", table="'9C 9D 9S', '4S 5S 6S'")
    run = game.table.run_group(3, 0)
    assert set(places(game, parse_cards("9H"))) == {8, "discard"}
    assert set(places(game, parse_cards("8S 7S"))) == {run}
    assert set(places(game, parse_cards("8S"))) == {"discard"}
    assert places(game, parse_cards("KD KD")) == {}
    assert run >= FIRST_RUN


@pytest.mark.parametrize(
    ("hand", "table", "chosen", "place", "rule"),
    [
        ("9H 8S 7S KD", "", "9H 8S", "new", "GROUP-1"),
        ("9H 8S 7S KD", "", "9H 8S 7S", "new", "GROUP-2"),
        ("9H 9S 9D KD", "'9C 9D 9S'", "9H 9S 9D", "new", "GROUP-7"),
        ("9H 2S 2D KD", "", "9H 2S 2D", "new", "GROUP-4"),
        ("9S JS QS KD", "", "9S JS QS", "new", "GROUP-3"),
        ("9H 9S 2D KD", "'2S 2H JK'", "9H 9S 2D", "new", "GROUP-10"),
        ("9H 8S 7S KD", "'9C 9D 9S'", "9H 8S", 8, "GROUP-2"),
        ("8S 9S 7S KD", "'3S 4S 5S 6S JK'", "7S 8S 9S", 25, "GROUP-1"),
        ("JK 2D 7C KD", "'4S 5S 6S'", "JK 2D", 25, "GROUP-4"),
        ("9H 8S 7S KD", "", "9H 8S", "discard", "TURN-4"),
        ("9H 2S 7S KD", "", "2S", "discard", "TURN-4"),
    ],
)
def test_why_chosen_cards_do_not_go_there(tmp_path: Path, hand, table, chosen, place, rule) -> None:
    game = position(tmp_path, hand, table=table)
    cards = parse_cards(chosen)
    assert plan(game, cards, place) is None
    assert why_no_plan(game, cards, place).rule == rule


def test_a_stale_answer_changes_nothing() -> None:
    one = session()
    one.play_agents()
    version, actions = one.version, one.legal()
    one.act(version, actions[0])
    after = one.game.state_dict()
    for answer in (
        lambda: one.act(version, actions[0]),
        lambda: one.lay(version, [0], "discard"),
        lambda: one.undo(version),
        lambda: one.hint(version, "heuristic"),
        lambda: one.go_on(version),
    ):
        with pytest.raises(Refused) as refused:
            answer()
        assert refused.value.key == "stale"
    assert all(np.array_equal(after[key], value) for key, value in one.game.state_dict().items())


def test_two_answers_at_once_count_once() -> None:
    """Many threads answer the same version: one is taken."""
    one = session()
    until_laying(one)
    version, action = one.version, one.legal()[-1]
    refused: list[str] = []

    def answer() -> None:
        try:
            one.act(version, action)
        except Refused as error:
            refused.append(error.key)

    threads = [threading.Thread(target=answer) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert refused == ["stale"] * 7
    assert one.version == version + 1


def test_an_illegal_action_is_explained() -> None:
    one = session()
    one.play_agents()
    with pytest.raises(Refused) as refused:
        one.act(one.version, one.hand.table.discard(card_type("9S")))
    assert refused.value.reason is not None
    assert refused.value.reason.rule == "TURN-1"


def lays(one: Session) -> list[int]:
    rows = one.hand.table.rows
    return [action for action in one.legal() if rows["kind"][action] == Kind.LAY]


def test_undo_goes_back_to_where_it_was() -> None:
    """Lays are taken back one after the other; a draw, a discard and a burako taken are not."""
    one = session()
    undone = kept = 0
    while undone < 25 or not kept:
        until_laying(one)
        found = lays(one)
        if not found:
            one.act(one.version, one.legal()[0])
            continue
        before, version = one.game.state_dict(), one.version
        held = Counter(one.table().seats[0].hand)
        one.act(version, found[0])
        if one.ending is not None:
            continue
        if Counter(one.table().seats[0].hand) - held:
            assert not one.may_undo
            with pytest.raises(Refused, match=r"no\.undo"):
                one.undo(one.version)
            kept += 1
            continue
        assert one.may_undo
        one.undo(one.version)
        assert one.version == version + 2
        assert all(np.array_equal(before[key], value) for key, value in one.game.state_dict().items())
        undone += 1
        one.act(one.version, found[0])


def test_a_game_is_recorded_as_it_was_played(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    one = session(record=path, match=True, rules={"max_hands": 2, "max_turns": 30})
    taken_back = False
    while True:
        one.play_agents()
        if one.ending is not None:
            if one.ending.match_over:
                break
            one.go_on(one.version)
            continue
        found = lays(one)
        one.act(one.version, (found or one.legal())[0])
        if found and not taken_back and one.may_undo:
            one.undo(one.version)
            taken_back = True
    (_, record), *more = read(path)
    assert not more
    assert verify([record]) == [None]
    assert taken_back
    assert record.agents == ("person", "random", "random", "random")
    assert record.result.scores == one.ending.totals
    one.go_on(one.version)
    assert one.ending is None
    assert int(one.game.deal_ids[0]) == 1


def test_without_a_seed_every_game_has_cards_of_its_own(tmp_path: Path) -> None:
    """128 random bits, told when the game is over and not before; a record with them can be played again."""
    path = tmp_path / "games.jsonl"
    one = session(root_seed=None, record=path, match=True, rules={"max_turns": 6, "max_hands": 2})
    words, seeds = languages("burako-4")["en"], []
    for _ in range(3):
        seeds.append(one.root_seed)
        hands = 0
        while True:
            assert str(one.root_seed) not in json.dumps(state(one, words))
            assert not any(event.key == "seed" for event in one.events)
            one.play_agents()
            if one.ending is None:
                one.act(one.version, one.legal()[0])
            if one.ending is not None:
                hands += 1
                if one.ending.match_over:
                    break
                one.go_on(one.version)
        assert hands == 2
        assert state(one, words)["log"][-1]["text"] == f"the same cards again: --seed {one.root_seed}"
        one.go_on(one.version)
        assert int(one.game.deal_ids[0]) == 0
    assert len(set(seeds)) == 3
    assert all(0 <= seed < 2**128 for seed in seeds)
    assert max(seeds) > 2**100
    records = [record for _, record in read(path)]
    assert [record.root_seed for record in records] == seeds
    assert verify(records) == [None] * 3


def test_a_given_seed_is_no_secret() -> None:
    """Who names it knows it: the next game has the next deal of it, and the log does not repeat it."""
    one = session(root_seed=2**127 + 5, rules={"max_turns": 3})
    while one.ending is None:
        one.play_agents()
        if one.ending is None:
            one.act(one.version, one.legal()[0])
    assert not any(event.key == "seed" for event in one.events)
    one.go_on(one.version)
    assert one.same_cards == f"--seed {2**127 + 5} --deal 1"


def test_a_record_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    """The game is over all the same."""
    one = session(record=tmp_path, rules={"max_turns": 4})
    while one.ending is None:
        one.play_agents()
        if one.ending is None:
            one.act(one.version, one.legal()[0])
    assert one.events[-1].key == "unwritten"
    one.go_on(one.version)
    assert one.ending is None


def test_an_agent_that_fails_does_not_stop_the_game(capsys: pytest.CaptureFixture[str]) -> None:
    one = session(players=(None, f"{__name__}:Thinker", "random", "random"))
    until_laying(one)
    one.act(one.version, one.legal()[-1])
    until_laying(one)
    assert any(event.key == "failed" and event.seat == 1 for event in one.events)
    # What was wrong may speak of the agent's cards: it stays off the page.
    assert "action 0 is not legal" in capsys.readouterr().err
    assert "action 0" not in json.dumps(state(one, languages("burako-4")["en"]))


def test_the_agents_go_on_by_themselves() -> None:
    one = session(players=("random", "random", None, "random"))
    thread = threading.Thread(target=one.run, daemon=True)
    thread.start()
    try:
        with one.changed:
            assert one.changed.wait_for(lambda: one.yours, timeout=20)
        one.act(one.version, one.legal()[0])
    finally:
        one.close()
        thread.join(timeout=10)
    assert not thread.is_alive()


@pytest.mark.parametrize("language", ["en", "es"])
def test_nothing_hidden_reaches_the_page(language: str) -> None:
    """In every stage the page is told the same whatever the hidden cards are, and is sent no other hand."""
    states = stage_states("burako-4", 2)
    one, words = session(), languages("burako-4")[language]
    other = redealt(states, np.zeros(states.size, dtype=np.int64), 5)
    for index in range(states.size):
        one.game = states.select([index])
        told = state(one, words)
        position = states.position(index)
        parts = told["html"]
        assert drawn_cards(parts["hand"]) == Counter(map(card_name, position.hands[0]))
        public = [*position.pile, *(card for table in position.tables for group in table for card in group)]
        known = [card for seat in one.table().seats[1:] for card in seat.known]
        wilds = drawn_cards(parts["theirs"]) + drawn_cards(parts["ours"]) + drawn_cards(parts["middle"])
        tops = wilds - Counter(map(card_name, public))
        assert set(tops) <= {"2C", "2D", "2H", "2S", "JK"}, "only tops of dirty bazas lie beside the open groups"
        assert drawn_cards(parts["seats"]) == Counter(map(card_name, known))
        one.game = other.select([index])
        assert state(one, words) == told


def test_actions_without_words_of_their_own() -> None:
    """The page lists them as records have them."""
    one = session()
    one.play_agents()
    reasons = {f"why.{key}": texts for key, texts in REASONS.items()}
    events = {f"event.{key}": texts for key, texts in EVENTS.items()}
    page = {key: texts for key, texts in PAGE.items() if key != "do.DRAW_STOCK"}
    told = state(one, Texts("en", reasons, events, page))
    assert [button["text"] for button in told["others"]] == ["draw stock"]
    assert "DRAW_STOCK" not in [button["kind"] for button in told["actions"]]
    whole = state(one, languages("burako-4")["en"])
    assert not whole["others"]
    assert whole["actions"][0]["text"] == "Draw"


@pytest.mark.parametrize(
    ("language", "own", "others"), [("en", "You drew", "Left drew"), ("es", "Tú robaste", "Izquierda robó")]
)
def test_the_log_speaks_to_the_person(language: str, own: str, others: str) -> None:
    """Each text has the form that goes with its name, and no mark of the other one is left."""
    one, words = session(rules={"max_turns": 40}), languages("burako-4")[language]
    said = set[str]()
    while one.ending is None:
        one.play_agents()
        if one.ending is None:
            one.act(one.version, one.legal()[-1 if one.table().phase == "lay" else 0])
        said |= {f"{line['name']} {line['text']}" for line in state(one, words)["log"]}
    assert {own, others} <= said
    assert not any(mark in line for line in said for mark in "[]|{}")


def test_a_hint_is_what_the_agent_would_do() -> None:
    one = session()
    one.play_agents()
    with pytest.raises(Refused, match=r"no\.hints"):
        one.hint(one.version, "experiments.cli:main")
    before = one.version
    assert one.hint(before, "heuristic") in one.legal()
    assert one.version == before


def test_a_score_sheet_ends_a_hand() -> None:
    """Both teams' items add up to the points; the hands of the match to its totals."""
    one = session(match=True, rules={"max_turns": 25, "max_hands": 3})
    for number in range(1, 4):
        while one.ending is None:
            one.play_agents()
            if one.ending is None:
                one.act(one.version, one.legal()[0])
        ending = one.ending
        assert [sum(item.points for item in sheet) for sheet in ending.sheets] == list(ending.scores)
        assert len(ending.history) == number
        assert tuple(map(sum, zip(*ending.history, strict=True))) == ending.totals
        told = state(one, languages("burako-4")["es"])["ending"]["sheet"]
        assert told["head"] == ["Nosotros", "Ellos"]
        for column, points in enumerate(ending.scores, start=2):
            assert sum(int(row[column].rpartition(" ")[2]) for row in told["rows"] if row[column]) == points
        assert told["totals"][-1] == ["Total (meta 2000)", *map(str, ending.totals)]
        assert len(told["totals"]) == (2 if number == 1 else number + 1)
        one.go_on(one.version)


def test_the_sheet_of_the_other_seats_team() -> None:
    """The person's team stands first, whichever it is."""
    one = session(players=("random", None, "random", "random"), rules={"max_turns": 12})
    while one.ending is None:
        one.play_agents()
        if one.ending is None:
            one.act(one.version, one.legal()[0])
    told = state(one, languages("burako-4")["en"])["ending"]
    assert told["sheet"]["totals"] == [["This hand", *(f"{one.ending.scores[side]:+}" for side in (1, 0))]]
    assert [row["points"] for row in told["rows"]] == [one.ending.scores[1], one.ending.scores[0]]
