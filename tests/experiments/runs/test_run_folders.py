"""Run folders: one command at a time, literal names, damaged files named with the mend, boards added to a run."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from burako_env.errors import UserError
from burako_env.inputs.files import TEMPORARY, whole
from experiments.cli import main
from experiments.contest import queries
from experiments.report import results
from experiments.runs import figures
from experiments.runs.folder import locked, open_run
from experiments.train.settings import TrainSettings
from tests.tools.contest_bots import rows_of, summary_of

PAIR = ["evaluate", "heuristic", "random", "--workers", "1", "--recorded", "1"]
LAST = "parts/pair-000/boards-000064.parquet"
TIMES = LAST.replace("parts", "timings")


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished evaluation of 70 boards: two parts, the second one short."""
    folder = tmp_path_factory.mktemp("played") / "run"
    assert main([*PAIR, "--boards", "70", "--out", str(folder)]) == 0
    return folder


@pytest.fixture
def run(played: Path, tmp_path: Path) -> Path:
    """A copy to be damaged."""
    return Path(shutil.copytree(played, tmp_path / "run"))


def refused(capsys: pytest.CaptureFixture[str], line: list[str]) -> str:
    """The one sentence with which a command line is refused."""
    capsys.readouterr()
    assert main(line) == 2
    error = capsys.readouterr().err
    sentences = [row for row in error.splitlines() if not row.startswith("note:")]
    assert len(sentences) == 1, error
    return sentences[0]


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def scramble(path: Path) -> None:
    path.write_bytes(bytes(range(1, 256)) * 40)


def empty(path: Path) -> None:
    path.write_bytes(b"")


def flip(path: Path) -> None:
    """One byte in the middle of the columns: still a Parquet file, but not the one that was written."""
    data = bytearray(path.read_bytes())
    data[len(data) // 4] ^= 0xFF
    path.write_bytes(data)


def folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize("damage", [cut, scramble, empty, flip, folder])
@pytest.mark.parametrize("name", [LAST, TIMES])
def test_a_damaged_part_is_named_and_played_again_once_it_is_deleted(
    name: str, damage: Callable[[Path], None], run: Path, played: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    damage(run / name)
    (run / figures.FILE).unlink()
    line = [*PAIR, "--boards", "70", "--out", str(run), "--resume"]
    error = refused(capsys, line)
    assert str(run / name) in error
    assert "delete it and call again with --resume" in error
    shutil.rmtree(run / name) if (run / name).is_dir() else (run / name).unlink()
    assert main(line) == 0
    assert rows_of(run) == rows_of(played)
    assert summary_of(run)["pairs"] == summary_of(played)["pairs"]


def test_rows_of_other_boards_in_a_part_are_refused(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copy(run / LAST.replace("64", "00"), run / LAST)
    (run / figures.FILE).unlink()
    assert LAST in refused(capsys, [*PAIR, "--boards", "70", "--out", str(run), "--resume"])


@pytest.mark.parametrize("damage", [cut, scramble, empty, folder])
def test_a_damaged_manifest_is_named(
    damage: Callable[[Path], None], run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    damage(run / "manifest.json")
    error = refused(capsys, [*PAIR, "--boards", "70", "--out", str(run), "--resume"])
    assert "manifest.json is damaged" in error
    assert "choose another --out" in error


@pytest.mark.parametrize("name", ["summary.json", "report.html", "config.yaml", "views.sql", figures.FILE])
def test_a_folder_where_a_file_is_written_is_named(name: str, run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (run / figures.FILE).unlink()
    (run / name).unlink(missing_ok=True)
    (run / name).mkdir()
    assert name in refused(capsys, [*PAIR, "--boards", "70", "--out", str(run), "--resume"])


@pytest.mark.parametrize("name", ["run[1]", "run*", "run?", "it's 100% {x}", "a=1", 'say "no"'])
def test_names_of_folders_are_no_patterns(name: str, tmp_path: Path) -> None:
    """Beside it lies a run whose name such a pattern would match; its rows are not one's own."""
    for other, boards in (("run1", 5), (name, 3)):
        assert main([*PAIR, "--boards", str(boards), "--out", str(tmp_path / other)]) == 0
    with queries.connect(tmp_path / name) as found:
        assert found.execute("SELECT count(*), count(DISTINCT board) FROM hands").fetchone() == (6, 3)
    assert {agent["profile"]["hands"] for agent in summary_of(tmp_path / name)["agents"]} == {6}


def test_a_second_command_in_a_folder_is_refused(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = [*PAIR, "--boards", "70", "--out", str(run), "--resume"]
    with locked(run):
        assert "another command is at work" in refused(capsys, line)
    assert main(line) == 0


@pytest.mark.parametrize("command", ["tournament", "throughput", "discards", "exploit", "train"])
def test_every_command_that_writes_a_folder_holds_it(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    agent = ["heuristic"] if command == "exploit" else []
    with locked(tmp_path):
        assert "another command is at work" in refused(capsys, [command, *agent, "--out", str(tmp_path)])


@pytest.mark.parametrize("flags", [[], ["--sequential"]])
def test_more_boards_give_the_rows_of_a_run_that_had_them_from_the_start(
    flags: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    grown, whole_run = tmp_path / "grown", tmp_path / "whole"
    assert main([*PAIR, *flags, "--boards", "70", "--out", str(grown)]) == 0
    assert main([*PAIR, *flags, "--boards", "100", "--out", str(grown), "--resume"]) == 0
    assert main([*PAIR, *flags, "--boards", "100", "--out", str(whole_run)]) == 0
    assert rows_of(grown) == rows_of(whole_run)
    assert summary_of(grown)["pairs"] == summary_of(whole_run)["pairs"]
    error = refused(capsys, [*PAIR, *flags, "--boards", "99", "--out", str(grown), "--resume"])
    assert "its boards are 100 already, and can become more, but not 99" in error
    assert "its seed is 0, not 1" in refused(
        capsys, [*PAIR, *flags, "--boards", "100", "--seed", "1", "--out", str(grown), "--resume"]
    )


def test_more_boards_without_a_folder_go_to_the_run_that_there_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for flags in (["--boards", "2"], ["--boards", "4", "--resume"]):
        assert main([*PAIR, *flags]) == 0
    (only,) = (tmp_path / "runs").iterdir()
    assert summary_of(only)["boards"] == 4


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every time that results are worked out."""
    calls: list[str] = []
    plain = results.evaluation_results

    def counting(*arguments: object) -> dict[str, object]:
        calls.append("worked out")
        return plain(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(results, "evaluation_results", counting)
    return calls


def test_figures_are_kept_as_long_as_rows_and_records_are_the_same(run: Path, played: Path, counted: list[str]) -> None:
    line = [*PAIR, "--boards", "70", "--out", str(run), "--resume"]
    assert main(line) == 0
    assert counted == []
    before, after = (
        {key: value for key, value in summary_of(folder).items() if key not in ("wall_seconds", "command")}
        for folder in (played, run)
    )
    assert before == after
    record = run / after["records"][0]["file"]
    text = record.read_text()
    record.unlink()
    assert main(line) == 0
    assert counted == ["worked out"]
    assert record.read_text() == text
    # Other rows in a file that is whole: a point more for the first hand.
    table = pq.read_table(run / LAST)
    points = table["points"].to_pylist()
    column = table.schema.get_field_index("points")
    pq.write_table(table.set_column(column, "points", [[points[0] + 1, *points[1:]]]).cast(table.schema), run / LAST)
    assert main(line) == 0
    assert counted == ["worked out"] * 2
    assert summary_of(run)["mean"] == pytest.approx(before["mean"] + 1 / 140, abs=1e-5)


def test_what_cannot_be_written_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("old")
    with pytest.raises(TypeError), whole(path) as file:
        file.writelines([b"new", None])  # type: ignore[list-item]
    assert path.read_text() == "old"
    assert not list(tmp_path.glob(f"*{TEMPORARY}*"))
    with pytest.raises(UserError, match="cannot write"), whole(path / "below") as file:
        file.write(b"new")


def test_files_are_synced_before_they_get_their_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []
    for name in ("fsync", "replace"):
        plain = getattr(os, name)
        monkeypatch.setattr(os, name, lambda *a, name=name, plain=plain: (done.append(name), plain(*a))[1])
    assert main([*PAIR, "--boards", "2", "--out", str(tmp_path / "run")]) == 0
    assert done == ["fsync", "replace"] * (len(done) // 2)
    names = [path for path in (tmp_path / "run").rglob("*") if path.is_file() and path.name != ".lock"]
    # Every file of the folder once, the manifest and the settings among them.
    assert len(names) == len(done) // 2
    assert json.loads((tmp_path / "run" / "manifest.json").read_text())["boards"] == 2


def test_a_run_that_is_refused_leaves_no_folder(tmp_path: Path) -> None:
    """Where what is wrong comes out only after the folder has been made; one that was there before stays."""
    (tmp_path / "mine").mkdir()
    for out in ("new", "mine"):
        with (
            pytest.raises(UserError, match="no such start"),
            open_run("train", TrainSettings(out=tmp_path / out), "", {}),
        ):
            raise UserError("no such start")
    assert not (tmp_path / "new").exists()
    assert (tmp_path / "mine").exists()
