"""The documentation is true: every command and snippet runs, links lead somewhere, generated parts are up to date.

Blocks are run by `doc_commands.py`, with budgets of seconds. A command, an option, an agent or a file that does not
exist fails here, and so does a command that the test does not know how to run.
"""

from __future__ import annotations

import re
import shlex
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

import agents
from experiments.cli import COMMANDS, loaded
from experiments.docs.environment_page import PAGE, page
from experiments.docs.parts import PARTS, filled
from experiments.runs.settings import _check_flags as check_flags
from experiments.runs.settings import parse
from tests.burako_env.cases.test_rule_ids import IDS
from tests.tools.doc_commands import (
    ADDED,
    NOT_RUN,
    SLOW,
    Desk,
    command_of,
    extras,
    head_of,
    is_slow,
    make_targets,
    module_exists,
    shrink,
)
from tests.tools.doc_pages import LANGUAGES, ROOT, Page, pages

PAGES = {found.name: found for found in pages()}
WITH_BLOCKS = [name for name, found in PAGES.items() if any(block.language != "text" for block in found.blocks)]
# Words that stand for one of the reader's own: `burako watch RECORD`, `heuristic:discard=NAME`, `check FILE...`.
FORM = re.compile(r"(^|[^A-Za-z])[A-Z]{1,}([^a-z]|$)|\.\.\.|\w+N=")
COMMAND_SPAN = re.compile(r"^(burako|python -m|make|pip install) [a-z'.]")
PATH_SPAN = re.compile(r"^(burako_env|agents|experiments|configs|tests|docs|notebooks)/[\w./*-]*$")


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    yield Desk(tmp_path, monkeypatch)
    sys.modules.pop("my_bots", None)


def commands(found: Page) -> list[str]:
    return [command for block in found.blocks if block.language == "sh" for _, command in block.commands()]


@pytest.mark.parametrize("name", WITH_BLOCKS)
def test_commands_and_snippets_run(name: str, desk: Desk) -> None:
    desk.run_page(PAGES[name], slow=False)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in WITH_BLOCKS if any(map(is_slow, commands(PAGES[name])))])
def test_slow_commands_run(name: str, desk: Desk) -> None:
    desk.run_page(PAGES[name], slow=True)


@pytest.mark.parametrize("name", PAGES)
def test_blocks_say_what_they_are(name: str) -> None:
    for block in PAGES[name].blocks:
        place = f"{name}, line {block.line}"
        assert block.language in LANGUAGES, f"{place}: a block is one of {', '.join(LANGUAGES)}: ```sh"
        if block.language == "text":
            hidden = [row for row in block.text.splitlines() if re.match(r"(burako|make|pip|python) [a-z-]", row)]
            assert not hidden, f"{place}: a block with commands is ```sh: {hidden[0]}"


@pytest.mark.parametrize("name", PAGES)
def test_links_lead_somewhere(name: str) -> None:
    found = PAGES[name]
    for link in found.links:
        if link.startswith("https://"):
            continue
        target, _, anchor = link.partition("#")
        path = (found.path.parent / target) if target else found.path
        assert path.exists(), f"{name}: there is no {link}"
        assert path.resolve().is_relative_to(ROOT)
        if anchor:
            assert anchor in Page(path.resolve()).anchors, f"{name}: {link} names no heading"


@pytest.mark.parametrize("name", PAGES)
def test_inline_commands_exist(name: str) -> None:
    """Inline commands are parsed, with all their options; those that are forms are looked up."""
    for span in PAGES[name].spans:
        if not COMMAND_SPAN.match(span):
            continue
        place = f"{name}: `{span}`"
        words = shlex.split(span)
        if words[0] == "make":
            assert set(words[1:]) <= make_targets(), place
        elif words[0] == "pip":
            assert set(re.findall(r"burako-selfplay\[(\w+)\]", span)) <= extras(), place
        elif words[0] == "python":
            assert module_exists(words[2]), place
        elif words[1].startswith("--"):
            continue
        else:
            assert words[1] in COMMANDS, place
            _, model = loaded(words[1])
            if "--help" in words:
                continue
            if FORM.search(" ".join(words[2:])) or len(words) == 2 or words[-1].startswith("--"):
                check_flags(model, words[2:])
            else:
                parse(words[1], model, words[2:])


@pytest.mark.parametrize("name", PAGES)
def test_inline_agents_exist(name: str) -> None:
    """`heuristic:pile=never` and the like can be loaded."""
    for span in PAGES[name].spans:
        head = re.split("[:(]", span)[0]
        if head in agents.names() and head != span and "=" in span and " " not in span and not FORM.search(span):
            agents.load(span, "burako-4", {"enforcement": "sanctions"} if head in ("clumsy", "cunning") else None)


@pytest.mark.parametrize("name", PAGES)
def test_inline_files_exist(name: str) -> None:
    for span in PAGES[name].spans:
        if PATH_SPAN.match(span):
            assert any(ROOT.glob(span.rstrip("/"))), f"{name}: there is no {span}"


def test_lists_of_commands_are_in_use() -> None:
    """No exception outlives the page it was made for."""
    lines = [command_of(command) for found in PAGES.values() for command in commands(found)]
    assert set(NOT_RUN) <= set(lines)
    heads = {head_of(shlex.split(line)) for line in lines}
    assert all(any(re.search(pattern, line) for line in lines) for pattern in SLOW)
    assert {head for head in ADDED if not head.startswith("burako ")} <= heads
    assert {head for head in ADDED if head.startswith("burako ")} == {f"burako {name}" for name in COMMANDS}


def test_what_the_test_does_not_know_fails(tmp_path: Path, desk: Desk) -> None:
    """Unknown commands, options, agents, files and snippets that raise are seen, with the place."""
    wrong = {
        "```sh\nburako tornament\n```": "burako tornament",
        "```sh\ncurl example\n```": "does not know how to run 'curl'",
        "```sh\nburako games | head\n```": "one command a line",
        "```sh\nburako evaluate random random --bords 3\n```": "line 2",
        "```sh\nburako evaluate random heuristik\n```": "line 2",
        "```sh\nburako watch games.json\n```": "line 2",
        "```sh\nmake demonstration\n```": "no such target",
        "```sh\npip install 'burako-selfplay[gpu]'\n```": "no extra gpu",
        "```python\nimport burako_env\nburako_env.make('burako-5')\n```": "line 1",
        "```yaml\n- {name: wrong, game: burako-4, steps: [{expect: {phase: lay}}]}\n```": "line 1",
    }
    for text, said in wrong.items():
        path = tmp_path / "page.md"
        path.write_text(text, encoding="utf-8")
        with pytest.raises(AssertionError, match=re.escape(said)):
            desk.run_page(Page(path), slow=True)


def test_budgets_are_made_small() -> None:
    given = shlex.split("burako evaluate a b --boards 1000 --seed 7")
    small = shrink(given, ["--boards", "4", "--workers", "1"])
    assert small == shlex.split("burako evaluate a b --boards 4 --seed 7 --workers 1")
    given = shlex.split("burako exploit a --budgets 5000 9000 --boards 10")
    assert shrink(given, []) == shlex.split("burako exploit a --budgets 400 800 --boards 4")


def test_the_citation_is_that_of_the_package() -> None:
    about = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    with (ROOT / "pyproject.toml").open("rb") as file:
        project = tomllib.load(file)["project"]
    assert about["version"] == project["version"]
    assert about["license"] == project["license"]
    assert [author["name"] for author in about["authors"]] == [author["name"] for author in project["authors"]]
    (block,) = (block for block in PAGES["README.md"].blocks if block.language == "bibtex")
    for part in ("title", "version"):
        assert f"{{{about[part]}}}" in block.text


def test_the_rules_page_has_every_id() -> None:
    """Rules by id, those of sanctions play and of the children's levels too; ids that do not exist are seen."""
    text = PAGES["docs/rules.md"].text
    listed = re.findall(r"^\| ([A-Z]+-\d+) \|", text, flags=re.MULTILINE)
    cards = [rule for rule in IDS if re.match(r"DECK|SETUP|TURN|GROUP|BURAKO|OUT|END|SCORE|MATCH|INFO", rule)]
    assert [rule for rule in dict.fromkeys(listed) if rule in cards] == cards
    spoken = set(re.findall(r"\b[A-Z]+[0-9]?-\d+\b", text)) - {f"ADVICE-{number}" for number in range(1, 8)}
    assert spoken <= set(IDS)
    assert all(f"{part}-" in text for part in ("SANCTION", "TILE", "L1", "L2", "L3", "RINFO"))


@pytest.mark.parametrize("name", PARTS)
def test_parts_made_from_the_code_are_up_to_date(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    assert text == filled(name, text), "run python -m experiments.docs.parts"


def test_the_environment_page_is_up_to_date() -> None:
    assert (ROOT / PAGE).read_text(encoding="utf-8") == page(), "run python -m experiments.docs.environment_page"
