"""The fuzz as a test: short every day, long in `make test-all`, as long as FUZZ_DECISIONS says in `make fuzz`.

FUZZ_SEED moves all of them to other hands; the case files of differences go to FUZZ_OUT (runs/fuzz).
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from burako_env.burako.game import BurakoGame
from burako_env.burako.rules import burako_rules
from burako_env.cases.burako.keys import format_position
from burako_env.cases.burako.position import read_position
from burako_env.cases.nodes import nodes_of_text
from tests.fuzz.plan import CONFIGS, GAMES, POLICY_NAMES, segments
from tests.fuzz.recipes import RECIPES
from tests.fuzz.run import LEAST, fuzz, report
from tests.fuzz.scenarios import made_up
from tests.fuzz.starts import start_of

OUT: Final = Path(os.environ.get("FUZZ_OUT", "runs/fuzz"))
# Two parts of a run, so that two workers share it; their configurations differ.
PARTS: Final = (0, 5)
SHORT: Final = 20_000
LONG: Final = 320_000
# A run of this length, half of it strict play, brings up every rule often enough.
TELLING: Final = 150_000


def run_part(part: int, decisions: int, record: Callable[[str, object], None]) -> None:
    """Play a part of a run; fail on any difference and, in a long run, on a rule that came up too rarely."""
    result = fuzz(int(os.environ.get("FUZZ_SEED", "0")) + part, decisions, out=OUT)
    if decisions >= TELLING:
        record("report", f"fuzz, part {part}\n{report(result.tally)}")
    assert not result.problems(LEAST if decisions >= TELLING else 0), "\n".join(result.problems(LEAST))


@pytest.mark.fuzz
@pytest.mark.parametrize("part", PARTS)
def test_core_and_reference_agree(part: int, record_property: Callable[[str, object], None]) -> None:
    decisions = int(os.environ.get("FUZZ_DECISIONS", str(SHORT)))
    run_part(part, decisions // len(PARTS), record_property)


@pytest.mark.slow
@pytest.mark.parametrize("part", PARTS)
def test_core_and_reference_agree_for_long(part: int, record_property: Callable[[str, object], None]) -> None:
    run_part(part + 10, LONG // len(PARTS), record_property)


def test_policies_have_equal_parts() -> None:
    planned = list(segments(3, 20_000))
    counts = Counter[str]()
    for segment in planned:
        counts[segment.policy] += segment.decisions
    assert set(counts) == set(POLICY_NAMES)
    assert len(set(counts.values())) == 1
    assert 20_000 <= counts.total() <= 20_100


def test_every_value_of_every_key_is_played() -> None:
    """Each of the keys of the rules page with a value that is not the default, and the smallest and largest look."""
    played = {(key, value) for config in CONFIGS for key, value in config.items()}
    for value in [
        *(("ace", "low"), ("ace", "high"), ("rediscard_single_pile", True), ("one_set_per_rank_ever", True)),
        *(("cut_look_max", 0), ("cut_look_max", 11), ("consult", False), ("exhaustion", "end")),
        ("unjustified_on_exhaustion", "normal"),
    ]:
        assert value in played
    assert {key for key, _ in played} >= {"max_turns"}
    assert {} in CONFIGS


def test_every_start_comes_up() -> None:
    kinds = Counter(start_of(1, number).kind for number in range(2000))
    assert set(kinds) == {"deal", "short deal", *RECIPES}


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("recipe", RECIPES)
def test_made_up_positions_can_be_written_as_cases(name: str, recipe: str) -> None:
    """So a difference anywhere in a hand that began there can be written as one."""
    rules = burako_rules(name)
    for seed in range(5):
        position = made_up(rules, recipe, seed)
        node = nodes_of_text(format_position(position), Path("text.yaml"))
        assert node is not None
        assert read_position(node, rules) == position
        game = BurakoGame.from_positions([position])
        assert game.legal().any()
        assert game.position(0).hands == [sorted(hand) for hand in position.hands]
