"""Every rule id is tested: by a case that checks something, or by a test that a module names for it.

A module names its tests in a literal `RULES = {"GROUP-1": ["test_function"]}`. A label alone counts for nothing: the
test must exist and assert something, a case must have a step that can fail, and an id that the rules do not know is
refused.
"""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pytest
import yaml

from tests.tools.places import CASES, TESTS

# Number of rules in each part of the rules pages; those of SANCTION have the numbers of the seed's penalties.
PARTS = {
    "DECK": 3,
    "SETUP": 5,
    "TURN": 6,
    "GROUP": 12,
    "BURAKO": 4,
    "OUT": 4,
    "END": 3,
    "SCORE": 6,
    "MATCH": 1,
    "INFO": 4,
    # The children's levels.
    "TILE": 3,
    "L1": 2,
    "L2": 10,
    "L3": 6,
    "RINFO": 1,
}
IDS = tuple(f"{part}-{number}" for part, count in PARTS.items() for number in range(1, count + 1)) + tuple(
    f"SANCTION-{number}" for number in (2, 3, 4, 5, 7, 10, 11, 12, 18)
)
CHECKS = ("legal", "illegal", "only", "expect")
MODULES = sorted(path for path in TESTS.rglob("test_*.py") if path != Path(__file__))
CASE_FILES = sorted(CASES.rglob("*.yaml"))


def case_problems(path: Path) -> tuple[dict[str, int], list[str]]:
    """How many cases of a file test each id, and labels that stand for nothing."""
    counts: dict[str, int] = {}
    problems = []
    for case in yaml.safe_load(path.read_text(encoding="utf-8")):
        labels = case.get("rules", [])
        if labels and not any(check in step for step in case["steps"] for check in CHECKS):
            problems.append(f"{path.name}: '{case['name']}' names rules and checks nothing")
            continue
        for label in labels:
            counts[label] = counts.get(label, 0) + 1
    return counts, problems


def module_problems(path: Path) -> tuple[dict[str, int], list[str]]:
    """How many tests a module names for each id, and names that stand for nothing."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    counts: dict[str, int] = {}
    problems = []
    for node in tree.body:
        if not isinstance(node, ast.Assign | ast.AnnAssign) or node.value is None:
            continue
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        if [ast.unparse(target) for target in targets] != ["RULES"]:
            continue
        for label, tests in ast.literal_eval(node.value).items():
            for test in tests:
                if not test.startswith("test_") or test not in functions:
                    problems.append(f"{path.name}: {label} names {test}, which is no test there")
                elif not asserts(test, functions):
                    problems.append(f"{path.name}: {label} names {test}, which asserts nothing")
                else:
                    counts[label] = counts.get(label, 0) + 1
    return counts, problems


def asserts(name: str, functions: dict[str, ast.FunctionDef], seen: frozenset[str] = frozenset()) -> bool:
    """Whether a function can fail: it asserts, expects an error, or calls a helper that does (any `expect_...`)."""
    if name in seen:
        return False
    for node in ast.walk(functions[name]):
        if isinstance(node, ast.Assert):
            return True
        if isinstance(node, ast.Call):
            called = ast.unparse(node.func)
            if called == "pytest.raises" or called.startswith("expect_"):
                return True
            if called in functions and asserts(called, functions, seen | {name}):
                return True
    return False


@cache
def all_counts() -> tuple[dict[str, int], list[str]]:
    """Tests by id over all cases and modules, and everything wrong with the labels."""
    counts: dict[str, int] = {}
    problems: list[str] = []
    found = [case_problems(path) for path in CASE_FILES] + [module_problems(path) for path in MODULES]
    for some, wrong in found:
        problems += wrong
        for label, number in some.items():
            counts[label] = counts.get(label, 0) + number
    return counts, problems


def test_the_list_of_ids() -> None:
    assert len(IDS) == 48 + 22 + 9
    assert IDS[0] == "DECK-1"
    assert IDS[47:49] == ("INFO-4", "TILE-1")
    assert IDS[69] == "RINFO-1"
    assert CASE_FILES
    assert len(MODULES) > 5


def test_labels_stand_for_tests() -> None:
    _, problems = all_counts()
    assert not problems, "\n".join(problems)


def test_labels_are_rule_ids() -> None:
    unknown = sorted(label for label in all_counts()[0] if label not in IDS)
    assert not unknown, f"no such rules: {unknown}"


@pytest.mark.parametrize("rule", IDS)
def test_every_rule_is_tested(rule: str) -> None:
    counts, _ = all_counts()
    assert counts.get(rule), f"no case and no test for {rule}"


def test_a_label_alone_is_seen(tmp_path: Path) -> None:
    """A missing test, one that asserts nothing and a case without a check are reported, and count for nothing."""
    module = tmp_path / "test_made_up.py"
    module.write_text(
        'RULES = {"DECK-1": ["test_gone"], "DECK-2": ["test_idle"], "DECK-3": ["test_real"]}\n'
        "def helper():\n    assert 1\n"
        "def test_idle():\n    print(1)\n"
        "def test_real():\n    helper()\n",
        encoding="utf-8",
    )
    counts, problems = module_problems(module)
    assert counts == {"DECK-3": 1}
    assert [problem.partition(": ")[2] for problem in problems] == [
        "DECK-1 names test_gone, which is no test there",
        "DECK-2 names test_idle, which asserts nothing",
    ]
    cases = tmp_path / "cases.yaml"
    cases.write_text(
        "- {name: idle, rules: [TURN-1], game: burako-4, steps: [{play: draw stock}]}\n"
        "- {name: real, rules: [TURN-2], game: burako-4, steps: [{legal: [draw stock]}]}\n",
        encoding="utf-8",
    )
    counts, problems = case_problems(cases)
    assert counts == {"TURN-2": 1}
    assert problems == ["cases.yaml: 'idle' names rules and checks nothing"]
