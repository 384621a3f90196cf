"""What is written about a difference: the shortest case file that fails on the core and shows it.

Tried in this order: the position before the decision with what must hold after it; the start with all that was played
since. If no case can show a difference (as it is in a View alone), the longer one is written, and its comment says what
differs.
"""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from burako_env.burako.game import BurakoGame
from burako_env.cases import read_cases, run_case
from burako_env.cases.burako.keys import format_position
from burako_env.errors import UserError
from tests.fuzz.compare import Difference
from tests.fuzz.starts import games_at
from tests.fuzz.words import position_words, reference_expect

_WIDTH = 118


def write_case(difference: Difference, folder: Path) -> Path:
    """Write the case file of a difference; its name says where it was found."""
    folder.mkdir(parents=True, exist_ok=True)
    segment, slot = difference.segment, difference.slot
    name = f"{segment.game}-{segment.policy}-{segment.seed}-{slot.start.seed}-{len(slot.history)}.yaml"
    path = folder / name
    comment = textwrap.wrap(str(difference), _WIDTH, initial_indent="# ", subsequent_indent="# ")
    for position, steps in _candidates(difference):
        path.write_text("\n".join([*comment, *_case(difference, position, steps)]) + "\n", encoding="utf-8")
        if _fails(path):
            return path
    return path


def _fails(path: Path) -> bool:
    """Whether the case can be read, and the core fails in it, or breaks down."""
    try:
        cases = read_cases(path)
    except UserError:
        return False
    try:
        return any(run_case(case) is not None for case in cases)
    except Exception:  # whatever a broken core raises shows that it is broken
        return True


def _candidates(difference: Difference) -> Iterator[tuple[list[str], list[str]]]:
    """Positions and steps, the shortest first."""
    history, after = difference.slot.history, _after(difference)
    if difference.what == "legal":
        yield from _from_game(difference.now, after)
    if difference.before is not None:
        yield from _from_game(difference.before, [_play(history[-1:]), *after])
    start = difference.slot.start
    whole = ([_play(history)] if history else []) + after
    if start.dealt:
        yield [f"seed: {start.seed}"], whole
    else:
        yield from _from_game(games_at([start], difference.segment.game, difference.segment.config), whole)


def _from_game(game: BurakoGame, steps: list[str]) -> Iterator[tuple[list[str], list[str]]]:
    """The position a game is in, if a case can start from it."""
    try:
        position = format_position(game.position(0))
    except (UserError, ValueError):
        return
    yield position.splitlines(), steps


def _after(difference: Difference) -> list[str]:
    """What must hold at the end, by the reference."""
    reference = difference.slot.reference
    steps = [f"expect: {json.dumps(_expected(difference))}"]
    if difference.what == "legal":
        steps.insert(0, f"only: {json.dumps(sorted(reference.legal()))}")
    return steps


def _expected(difference: Difference) -> dict[str, Any]:
    """The keys in which the core differs, else all of them."""
    expect = difference.slot.reference.expect()
    canonical = reference_expect(expect)
    try:
        game = difference.now
        found = position_words(game.position(0), game.scores[0].tolist(), int(game.legal().sum()))
    except Exception:  # a broken core may stand nowhere
        return expect
    wrong = [key for key in expect if canonical[key] != found[key]]
    return {key: expect[key] for key in wrong or expect}


def _play(actions: list[str]) -> str:
    return f"play: {json.dumps(actions)}"


def _case(difference: Difference, position: list[str], steps: list[str]) -> list[str]:
    segment = difference.segment
    return [
        f"- name: {json.dumps(f'fuzz, {difference.what}')}",
        f"  game: {segment.game}",
        f"  config: {json.dumps(segment.config)}",
        "  position:",
        *(f"    {line}" for line in position),
        "  steps:",
        *(f"    - {step}" for step in steps),
    ]
