"""The text that names an agent: one rule for paths in it, wherever it stands, and one sentence for what is wrong."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

import agents
from agents.learned.shipped import BOTS
from agents.spec import members, parse, quoted
from burako_env.errors import UserError
from experiments.cli import main

# Every mark of the language of specs, blanks and both kinds of quotes, in folders and in names of files.
PATHS = (
    "runs/c++/best.safetensors",
    "C:\\runs\\lr=0.1\\best.safetensors",
    "runs/a,b/best.safetensors",
    "runs/best (1)/best.safetensors",
    "runs/12:30/best.safetensors",
    "lr=1e+3.safetensors",
    "my runs/the best.safetensors",
    "it's.safetensors",
    'the "best".safetensors',
    "heuristic+random.safetensors",
    "a.safetensors/b:temperature=1/c.safetensors",
    "ñandú/ä.safetensors",
)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty current directory."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    return tmp_path


def put(path: str) -> None:
    """A network of burako-4 under this path."""
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(BOTS / "burako-4-clone.safetensors", path)


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.usefixtures("here")
def test_a_file_that_is_there_is_one_piece(path: str) -> None:
    put(path)
    for text in (path, quoted(path)):
        assert (parse(text).kind, parse(text).head, parse(text).options) == ("file", path, {})
        for options in (":temperature=1", "(temperature=1)"):
            assert (parse(text + options).head, parse(text + options).options) == (path, {"temperature": "1"})
        assert members(text) == (text,)
        assert members(f"heuristic+{text}+{text}:temperature=1+my_bots:Tidy") == (
            "heuristic",
            text,
            f"{text}:temperature=1",
            "my_bots:Tidy",
        )
        inner = parse(f"search:policy={text}(temperature=1),redraws=8").options
        assert inner["redraws"] == "8"
        assert (parse(inner["policy"]).head, parse(inner["policy"]).options) == (path, {"temperature": "1"})
        alone = parse(parse(f"search:policy={text}").options["policy"])
        assert (alone.kind, alone.head, alone.options) == ("file", path, {})


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.usefixtures("here")
def test_a_quoted_path_is_one_whether_it_is_there_or_not(path: str) -> None:
    assert parse(quoted(path)).head == path
    with pytest.raises(UserError, match="there is no file"):
        agents.load(quoted(path))


@pytest.mark.slow
@pytest.mark.parametrize("path", ["runs/c++/best.safetensors", "C:\\runs\\lr=0.1\\best, (2).safetensors"])
@pytest.mark.usefixtures("here")
def test_such_files_play_everywhere(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    put(path)
    search = f"search:policy={path},redraws=2,candidates=2,depth=1"
    common = ["--boards", "1", "--workers", "1", "--rules", "max_turns=4"]
    assert main(["evaluate", path, f"heuristic+{path}", *common, "--out", "e"]) == 0
    assert main(["tournament", "--agents", quoted(path), search, *common, "--out", "t"]) == 0
    (record,) = [found for found in Path("e/records").iterdir() if found.suffix == ".jsonl"][:1]
    assert main(["watch", str(record), "--ask", path, f"{path}(temperature=1)"]) == 0
    capsys.readouterr()
    # Those that are not there are missed by name.
    shutil.move(path, "moved.safetensors")
    for spec in (path, search):
        assert main(["evaluate", spec, "random", *common, "--out", "f"]) == 2
        said = capsys.readouterr().err
        assert said.count("\n") == 1
        assert "quotes" in said or "there is no file" in said


def test_names_classes_and_options() -> None:
    for text, kind, head, options in (
        ("heuristic", "name", "heuristic", {}),
        ("heuristic:pile=never,ask=true", "name", "heuristic", {"pile": "never", "ask": "true"}),
        ("heuristic(pile=never)", "name", "heuristic", {"pile": "never"}),
        ("my_bots:Tidy", "class", "my_bots:Tidy", {}),
        ("a.b:Tidy:pile=false", "class", "a.b:Tidy", {"pile": "false"}),
        ("a.b:Tidy(pile=false)", "class", "a.b:Tidy", {"pile": "false"}),
        ("search:policy=a.b:Tidy(x=1),redraws=8", "name", "search", {"policy": "a.b:Tidy(x=1)", "redraws": "8"}),
        ("search:policy=a.b:Tidy", "name", "search", {"policy": "a.b:Tidy"}),
        (
            "search:policy=search(policy=a(b=c,d=e),rollout=f)",
            "name",
            "search",
            {"policy": "search(policy=a(b=c,d=e),rollout=f)"},
        ),
        ("my_bots:Tidy:text='a,b=(c'", "class", "my_bots:Tidy", {"text": "a,b=(c"}),
        ('my_bots:Tidy:text="it\'s ""so"""', "class", "my_bots:Tidy", {"text": 'it\'s "so"'}),
        ("my_bots:Tidy:rate=1e+3,shift=+2", "class", "my_bots:Tidy", {"rate": "1e+3", "shift": "+2"}),
        ("my_bots:Tidy:text=", "class", "my_bots:Tidy", {"text": ""}),
        ("not/there.safetensors:temperature=1", "file", "not/there.safetensors", {"temperature": "1"}),
    ):
        found = parse(text)
        assert (found.kind, found.head, found.options) == (kind, head, options), text
        assert members(text) == (text,)
    assert members("a:x=1e+3+b(y=c+d)+e") == ("a:x=1e+3", "b(y=c+d)", "e")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "names no agent"),
        (":x=1", "names no agent"),
        ("heuristic:pile=never,", "'' in 'heuristic:pile=never,' is not an option"),
        ("heuristic:=never", "is not an option"),
        ("search:policy=heuristic(pile=never", "brackets in"),
        ("heuristic)", "brackets in"),
        ("heuristic(pile=never)x", "goes on"),
        ("search:policy=heuristic:pile=never", "in brackets"),
        ("'best.safetensors", "a quote that is not closed"),
        ("'heuristic'", "quotes stand around the path of a file"),
        ("'a.safetensors'b", "goes on"),
        ("search:policy=" * 200 + "x", "in brackets"),
        ("search:policy=" + "search(policy=" * 30 + "random" + ")" * 30, "nested"),
        ("x" * 5000, "longer than"),
        ("\udcff", "is no text"),
        ("missing/c++/best.safetensors+random", "stands in quotes"),
    ],
)
def test_a_spec_that_cannot_be_read_is_a_sentence(text: str, message: str) -> None:
    with pytest.raises(UserError) as caught:
        agents.load(members(text)[0] if "+" in text else text)
    assert message in str(caught.value)
    assert len(str(caught.value)) < 1000


def test_a_team_needs_partners() -> None:
    for text in ("heuristic+", "+random", "a++b"):
        with pytest.raises(UserError, match="is not a team"):
            members(text)
