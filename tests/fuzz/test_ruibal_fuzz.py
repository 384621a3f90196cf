"""The core of the children's levels against the reference: legal actions and everything that can be seen of a state,
after every decision of random and eager play.
"""

from __future__ import annotations

import os
from collections import Counter

import numpy as np
import pytest

from tests.tools.ruibal_play import GAMES, chance_between, dealt, facts_of, mixed_actions, reference_of

RULES = {
    "TILE-1": ["test_core_and_reference_agree"],
    "TILE-2": ["test_core_and_reference_agree"],
    "TILE-3": ["test_core_and_reference_agree"],
    "L1-1": ["test_core_and_reference_agree"],
    "L1-2": ["test_core_and_reference_agree"],
    "L2-1": ["test_core_and_reference_agree"],
    "L2-5": ["test_core_and_reference_agree"],
    "L2-10": ["test_core_and_reference_agree"],
    "L3-4": ["test_core_and_reference_agree"],
    "RINFO-1": ["test_core_and_reference_agree"],
}
SLOTS = 16


def compare(name: str, players: int, decisions: int, first: int) -> tuple[int, Counter[str]]:
    """Play games to their end until at least `decisions` decisions are compared; the next deal, and how games ended."""
    reasons: Counter[str] = Counter()
    done = 0
    while done < decisions:
        game = dealt(name, players, SLOTS, first=first, turned=first // SLOTS % players)
        first += SLOTS
        positions = [game.position(slot) for slot in range(SLOTS)]
        references = [reference_of(position) for position in positions]
        while not game.done.all():
            legal = game.legal()
            actions = mixed_actions(game)
            texts = [game.action_text(int(action), slot) for slot, action in enumerate(actions)]
            for slot, reference in enumerate(references):
                found = {game.action_text(int(action), slot) for action in np.flatnonzero(legal[slot])}
                assert found == reference.legal(), f"deal {game.deal_ids[slot]}: {positions[slot]}"
            live = np.flatnonzero(~game.done).tolist()
            game.step(actions)
            for slot in live:
                before, after = positions[slot], game.position(slot)
                references[slot].play(texts[slot], chance_between(before, after, texts[slot]))
                facts = facts_of(after)
                assert facts == references[slot].facts(), f"deal {game.deal_ids[slot]}, '{texts[slot]}' in {before}"
                positions[slot] = after
                done += 1
        reasons.update(game.reasons)
        for slot, reference in enumerate(references):
            assert not reference.legal(), f"deal {game.deal_ids[slot]} is over for the core alone"
    return first, reasons


@pytest.mark.parametrize(("name", "players"), GAMES)
def test_core_and_reference_agree(name: str, players: int) -> None:
    _, reasons = compare(name, players, 700, first=100 * players)
    assert reasons.total() >= SLOTS


@pytest.mark.fuzz
@pytest.mark.slow
@pytest.mark.parametrize(("name", "players"), GAMES)
def test_core_and_reference_agree_for_long(name: str, players: int) -> None:
    decisions = int(os.environ.get("FUZZ_DECISIONS", "36000")) // len(GAMES)
    _, reasons = compare(name, players, decisions, first=10_000)
    assert set(reasons) >= ({"calls"} if name == "ruibal-1" else {"out", "passes"})
