"""Why an action is refused: the rule ids that the case files name, for every illegal action in them."""

from __future__ import annotations

import numpy as np
import pytest

from burako_env.burako.turn.actions import WILD_GROUP, Kind
from burako_env.cards import RANK_COUNT
from burako_env.cases import Case, read_cases
from burako_env.cases.burako.play import BurakoPlay, run_counts
from experiments.play.burako.reasons import Wish, why_not
from experiments.play.burako.texts import play_words, reason_text
from tests.burako_env.burako.test_no_leak import redealt
from tests.tools.core_play import GAMES, stage_states
from tests.tools.places import CASES

CASES = [
    case
    for path in sorted(CASES.rglob("*.yaml"))
    for case in read_cases(path)
    if isinstance(case.play, BurakoPlay) and not any(rule.startswith("SANCTION") for rule in case.rules)
]
# Rules that forbid an action of a kind in passing, in cases that are about others.
PASSING = {
    Kind.DRAW_STOCK: {"TURN-1", "END-1"},
    Kind.DRAW_PILE: {"TURN-1"},
    Kind.LAY: {"TURN-1", "TURN-3", "GROUP-12", "GROUP-9"},
    Kind.DISCARD: {"TURN-1", "TURN-4", "GROUP-12"},
    Kind.TAKE_BURAKO: {"BURAKO-4"},
    Kind.KEEP_HAND: {"TURN-6", "GROUP-12"},
}
# What a run may be is one question: cases name the part of the answer they are after.
RUNS = {"GROUP-3", "GROUP-4", "GROUP-5", "GROUP-6"}


def wish_of(play: BurakoPlay, words) -> Wish | None:
    """An action in words as a wish; None for one that names a group which is not there."""
    table, counts = play.game.table, run_counts(play.game.position(0))
    group = None
    if words.kind == Kind.LAY:
        if words.target == "wild":
            group = WILD_GROUP
        elif words.target == "set":
            group = words.rank
        elif words.suit is None:
            if words.card == 52:
                return None
            suit = words.card // RANK_COUNT
            group = table.run_group(suit, counts[suit])
        else:
            if words.slot >= counts[words.suit]:
                return None
            group = table.run_group(words.suit, words.slot)
    return Wish(words.kind, words.card, group)


def illegal_wishes(case: Case):
    """Every illegal action of a case with the position it stands in."""
    play = case.play.fresh()
    assert isinstance(play, BurakoPlay)
    for step in case.steps:
        for _, words in step.actions:
            if step.kind == "play":
                play.game.step([play.action_id(words)])
            elif step.kind == "illegal" and (wish := wish_of(play, words)) is not None:
                yield play.game, wish


def test_the_case_files_agree() -> None:
    """The reason's rule is one that the case is about, or one of the few that forbid in passing."""
    seen, odd = 0, []
    for case in CASES:
        for game, wish in illegal_wishes(case):
            reason = why_not(game, wish)
            seen += 1
            allowed = {*case.rules, *PASSING.get(wish.kind, ())}
            allowed |= RUNS if RUNS & allowed else set()
            if case.rules and reason.rule not in allowed:
                odd.append(f"{case.name}: {wish} -> {reason}, the case names {case.rules}")
    assert seen > 100
    assert not odd, "\n".join(odd)


@pytest.mark.parametrize("name", GAMES)
def test_every_refusal_has_a_sentence(name: str) -> None:
    """In states of every stage, every action of the table that is not legal has a reason in both languages."""
    states, words = stage_states(name, 2), [play_words("en"), play_words("es")]
    keys = set()
    for index in range(0, states.size, 2):
        game = states.select([index])
        legal = game.legal()[0]
        rows = game.table.rows
        held = np.append(np.flatnonzero(game.view().hand[0]), 255)
        asked = ~legal & (rows["kind"] != Kind.UNUSED) & np.isin(rows["card"], held)
        for action in np.flatnonzero(asked).tolist():
            kind, card, group = (int(value) for value in rows[action])
            reason = why_not(game, Wish(Kind(kind), None if card == 255 else card, None if group == 255 else group))
            for one in words:
                text = reason_text(reason, one)
                assert "{" not in text
                assert text.endswith(f"({reason.rule})")
            keys.add(reason.key)
    assert len(keys) > 15


def test_other_kinds_of_actions() -> None:
    """Whatever strict play does not know is answered, too."""
    assert why_not(stage_states("burako-4", 1).select([0]), Wish(Kind.UNUSED)).rule == "SANCTION"


def test_reasons_do_not_depend_on_hidden_cards() -> None:
    states = stage_states("burako-4", 2)
    other = redealt(states, states.to_act, 1)
    rows = states.table.rows
    for index in range(states.size):
        for action in np.flatnonzero(~states.legal()[index] & (rows["kind"] != Kind.UNUSED))[::25].tolist():
            kind, card, group = (int(value) for value in rows[action])
            wish = Wish(Kind(kind), None if card == 255 else card, None if group == 255 else group)
            assert why_not(states.select([index]), wish) == why_not(other.select([index]), wish)
