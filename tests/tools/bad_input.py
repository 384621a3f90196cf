"""Bad input that a stranger may type by mistake or malice, as command lines: rows by kind, most of them generated."""

from __future__ import annotations

import dataclasses
import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args, get_origin

import numpy as np
import tyro
from annotated_types import Ge, Gt, Le, Lt
from pydantic import BaseModel
from safetensors.numpy import load_file, save_file

from agents.learned.checkpoint import load_network, save_arrays
from experiments.cli import COMMANDS, loaded, main
from tests.experiments.train.test_checkpoint import written
from tests.tools.bad_texts import CASES, GROUPS, PRESETS, RECORD, RECORDS, RULES, SPECS

Row = tuple[str, ...]
# What a command needs in addition to the bad part: so little that it would end soon if it accepted the bad part.
NEEDS: dict[str, Row] = {
    "games": (),
    "agents": (),
    "rules": (),
    "check": ("absent.yaml",),
    "tournament": ("--agents", "random", "heuristic", "--boards", "1", "--workers", "1"),
    "evaluate": ("random", "heuristic", "--boards", "1", "--workers", "1"),
    "train": ("--config", "ppo-tiny", "--minutes", "0.0001"),
    "discards": ("--config", "tiny", "--part", "play", "--boards", "1", "--workers", "1"),
    "exploit": ("random", "--start", "scratch", "--budgets", "1", "--boards", "2", "--slots", "1"),
    "play": ("--terminal",),
    "watch": ("absent.jsonl",),
    "throughput": ("--games", "ruibal-1", "--modes", "batch", "--batch", "1", "--seconds", "0.001"),
}
WITH_RULES = ("tournament", "evaluate", "train", "discards", "exploit", "throughput", "play")
WITH_PRESETS = ("tournament", "evaluate", "train", "discards", "exploit", "throughput")
# Where an agent's name goes.
WITH_AGENTS: dict[str, Row] = {
    "tournament": ("--agents", "random", "{}"),
    "evaluate": ("{}", "random"),
    "exploit": ("{}",),
    "play": ("--agents", "{}"),
    "discards": ("--part", "decisions", "--agent", "{}"),
    "train": ("--clone.teacher", "{}"),
}


def model_of(command: str) -> type[BaseModel]:
    """The settings of a command."""
    found: type[BaseModel] = loaded(command)[1]
    return found


def settings(model: type[BaseModel], prefix: str = "") -> Iterator[tuple[str, Any, tuple[Any, ...], int]]:
    """Of every number of a model: flag, type, constraints, and how many values the flag takes."""
    for name, field in model.model_fields.items():
        flag, kind, limits, count = prefix + name.replace("_", "-"), field.annotation, tuple(field.metadata), 1
        if any(tyro.conf.Positional is item for item in limits):
            continue
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            yield from settings(kind, flag + ".")
            continue
        if get_origin(kind) is tuple:
            parts = [part for part in get_args(kind) if part is not Ellipsis]
            kind, count = parts[0], len(parts)
        for part in (kind, *get_args(kind)):
            if hasattr(part, "__metadata__"):
                kind, limits = part.__origin__, tuple(i for m in part.__metadata__ for i in (m, *m.metadata))
                break
        if kind in (int, float, bool):
            yield flag, kind, limits, count


def bad_numbers(kind: Any, limits: tuple[Any, ...]) -> list[str]:
    """Values that a setting must refuse."""
    if kind is bool:
        return ["maybe", "2", "nan"]
    low = max(item.ge if isinstance(item, Ge) else item.gt for item in limits if isinstance(item, Ge | Gt))
    open_below = any(isinstance(item, Gt) and item.gt == low for item in limits)
    high = min(item.le if isinstance(item, Le) else item.lt for item in limits if isinstance(item, Le | Lt))
    found = ["nan", "inf", "-inf", "many", "true", "", "1e999", "9" * 5000]
    found += [text for text in ("-1", "0") if float(text) < low or (open_below and float(text) == low)]
    found += [text for text in ("100000000000",) if float(text) > high]
    return [*found, "1.5", "0x10"] if kind is int else [*found, "1e300"]


def number_rows(command: str) -> Iterator[Row]:
    """Every number of a command with every value that it must refuse; the many settings of training take turns."""
    turn = 0
    for flag, kind, limits, count in settings(model_of(command)):
        values = bad_numbers(kind, limits)
        if command in ("train", "exploit"):
            turn += 3
            values = [values[(turn + step) % len(values)] for step in range(3)]
        for value in values:
            rest = ("1",) * (count - 1)
            if kind is bool or not rest:
                yield (command, *NEEDS[command], f"--{flag}={value}")
            else:
                yield (command, *NEEDS[command], f"--{flag}", value, *rest)


class Places:
    """A folder with the bad files that the rows name; every new file has a number of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.count = folder, 0

    def file(self, data: str | bytes, ending: str = "yaml") -> str:
        """A new file with this in it."""
        self.count += 1
        path = self.folder / f"bad-{self.count}.{ending}"
        path.write_bytes(data.encode("utf-8", "surrogateescape") if isinstance(data, str) else data)
        return str(path)

    def no_files(self, ending: str) -> list[str]:
        """Files that cannot be read: absent, a folder, a pipe, something huge, devices, other text."""
        self.count += 1
        folder, pipe = self.folder / f"folder-{self.count}.{ending}", self.folder / f"pipe-{self.count}.{ending}"
        folder.mkdir()
        os.mkfifo(pipe)
        device = self.folder / f"device-{self.count}.{ending}"
        device.symlink_to("/dev/zero")
        return [
            str(self.folder / f"absent.{ending}"),
            str(folder),
            str(pipe),
            str(device),
            self.file(b"\xff\xfe", ending),
        ]


def rule_rows(places: Places) -> Iterator[Row]:
    """Rule changes, for every command that takes some."""
    for number, rule in enumerate(RULES):
        # Every rule with two of the commands, in turn.
        for command in (WITH_RULES[number % len(WITH_RULES)], WITH_RULES[(number + 3) % len(WITH_RULES)]):
            game = ("--games", "burako-4") if command == "throughput" else ()
            yield (command, *NEEDS[command], *game, "--rules", rule)


def spec_rows(places: Places) -> Iterator[Row]:
    """Names of agents."""
    broken = (places.file(b"", "safetensors"), places.file(os.urandom(200), "safetensors"))
    other = places.folder / "other.safetensors"
    save_file({"a": np.zeros(2, dtype=np.float32)}, str(other))
    leaving = Path(places.file("import sys\nsys.exit(0)\n", "py"))
    leaving.rename(places.folder / "leaving_bots.py")
    package = places.folder / "leaving_package"
    package.mkdir()
    shutil.copy(places.folder / "leaving_bots.py", package / "__init__.py")
    (package / "bots.py").touch()
    deep = "search(policy=" * 200 + "random" + ")" * 200
    own = (
        "leaving_bots:Bot",
        "leaving_package.bots:Bot",
        "random\nheuristic",
        "ran\x1bdom",
        deep,
        "search:policy=leaving_bots:Bot",
    )
    for number, spec in enumerate((*SPECS, *own, *broken, str(other), *places.no_files("safetensors")[:3])):
        commands = list(WITH_AGENTS)
        for command in (commands[number % len(commands)], commands[(number + 2) % len(commands)]):
            if spec == "" and command == "train":  # empty: the game's own
                continue
            if spec == "agents.base:Agent" and command == "play":
                continue
            line = [part.replace("{}", spec) for part in WITH_AGENTS[command]]
            rest = NEEDS[command] if command in ("train", "play") else small(command)
            yield (command, *line, *rest)


def small(command: str) -> Row:
    """The options that keep a command small once it has been told its agents."""
    rest: dict[str, Row] = {
        "tournament": ("--boards", "1", "--workers", "1"),
        "evaluate": ("--boards", "1", "--workers", "1"),
        "exploit": ("--start", "scratch", "--budgets", "1", "--boards", "2", "--slots", "1"),
        "discards": ("--hands", "8", "--positions", "1", "--repeat", "0", "--draws", "0", "--redraws", "2"),
    }
    return rest[command]


def preset_rows(places: Places) -> Iterator[Row]:
    """Presets, for every command that takes some."""
    for number, (text, _) in enumerate(PRESETS):
        for command in (WITH_PRESETS[number % len(WITH_PRESETS)], WITH_PRESETS[(number + 2) % len(WITH_PRESETS)]):
            if text == "boards: true" and command in ("train", "throughput"):
                text = "seed: true"
            yield (command, *_without_preset(command), "--config", places.file(text))
    for text in GROUPS:
        yield ("train", "--minutes", "0.0001", "--config", places.file("slots: 1\n" + text))
    for command in WITH_PRESETS:
        for path in places.no_files("yaml"):
            yield (command, *_without_preset(command), "--config", path)
    yield ("tournament", "--config", places.file("#" * (5 << 20)))
    yield ("train", "--config", "ppo-cpuu")


def _without_preset(command: str) -> Row:
    needs = NEEDS[command]
    return needs[2:] if needs[:1] == ("--config",) else needs


def case_rows(places: Places) -> Iterator[Row]:
    """Case files."""
    for text in CASES:
        yield ("check", places.file(text))
    for path in places.no_files("yaml"):
        yield ("check", path)


def record_rows(places: Places) -> Iterator[Row]:
    """Records, for both commands that read them."""
    for command in ("check", "watch"):
        for text in RECORDS:
            yield (command, places.file(text + "\n", "jsonl"))
        for path in places.no_files("jsonl"):
            yield (command, path)
    good = places.file(json.dumps(RECORD) + "\n", "jsonl")
    yield ("watch", good, "--number", "2")
    yield ("watch", good, "--ask", "randum")
    yield ("watch", good, "--ask", "search:margin=nan")


def folder_rows(places: Places) -> Iterator[Row]:
    """Run folders."""
    used = places.folder / "used"
    used.mkdir()
    (used / "something").write_text("x")
    file = Path(places.file("x"))
    for command in ("tournament", "evaluate", "train", "discards", "exploit", "throughput"):
        for folder in (used, file, file / "below"):
            yield (command, *NEEDS[command], "--out", str(folder))
        if "resume" in model_of(command).model_fields:
            yield (command, *NEEDS[command], "--out", str(used), "--resume")
    yield ("discards", "--values", str(used), "--part", "decisions")
    yield ("discards", "--values", str(places.folder / "absent"), "--part", "decisions")
    yield ("play", "--record", str(used))


def damaged_rows(places: Places) -> Iterator[Row]:
    """Finished runs with damaged files, and networks whose header names foreign code or another file."""
    line = ("random", "heuristic", "--boards", "2", "--workers", "1", "--recorded", "0")
    whole = places.folder / "whole"
    assert main(["evaluate", *line, "--out", str(whole)]) == 0
    # Figures that cannot be read are worked out anew, and the settings come from the command line.
    for pattern in ("parts/*/boards*.parquet", "manifest.json"):
        for number, damage in enumerate((b"", b"PAR1", os.urandom(500), None)):
            run = places.folder / f"{pattern[:5]}-{number}"
            shutil.copytree(whole, run)
            (path,) = run.glob(pattern)
            if damage is None:
                path.unlink()
                path.mkdir()
            else:
                path.write_bytes(damage)
            yield ("evaluate", *line, "--out", str(run), "--resume")
    network = places.folder / "network.safetensors"
    written(network)
    for number, advisor in enumerate(("leaving_bots:Bot", "search(policy=leaving_bots:Bot)", str(network))):
        about = {"kind": "network", **dataclasses.asdict(load_network(network)[0])}
        about["policy"]["advisor"] = advisor
        path = places.folder / f"advised-{number}.safetensors"
        save_arrays(path, load_file(network), about)
        yield ("evaluate", str(path), "random", "--boards", "1", "--workers", "1")
        yield ("train", "--minutes", "0.0001", "--slots", "1", "--start", str(path))
        yield ("exploit", "random", "--start", str(path), "--budgets", "1", "--boards", "2", "--slots", "1")
        yield ("play", "--terminal", "--agents", str(path))


def word_rows(places: Places) -> Iterator[Row]:
    """Commands, flags and choices that do not exist, and settings that contradict each other."""
    yield ("tornament",)
    yield ("",)
    for command in COMMANDS:
        yield (command, *NEEDS[command], "--colour", "red")
        yield (command, *NEEDS[command], "--colour=red")
        yield (command, *NEEDS[command], *(["surplus"] if command != "check" else ["--bords", "1"]))
    for line in (
        "rules burako-44",
        "rules --enforcement lax",
        "check",
        "watch",
        "exploit",
        "evaluate random",
        "evaluate random random third",
        "evaluate random random --game burako-5",
        "evaluate random random --play games",
        "evaluate random random --game ruibal-1 --play matches",
        "evaluate random random --sequential --t0 1 --t1 0",
        "evaluate random random --backend cloud",
        "evaluate random random --boards",
        "evaluate random+random+random random",
        "tournament --agents random",
        "tournament --agents random random",
        "tournament --agents random heuristic --slow ppo",
        "tournament --agents random heuristic --anchor ppo",
        "tournament --agents random heuristic --schedule pairs",
        "tournament --agents random heuristic --schedule all",
        "tournament --agents random heuristic --games burako-4 burako-4",
        "tournament --agents random heuristic --pairs random",
        "discards --strategies newest",
        "discards --strategies safe safe",
        "discards --redraws 3",
        "discards --repeat 2000 --positions 10",
        "discards --game ruibal-1 --part decisions",
        "discards --situations sunny",
        "train --algorithm sarsa",
        "train --start nowhere",
        "train --device abacus",
        "train --game ruibal-1 --net.kind suits --net.widths 8 --net.block-widths 8 8",
        "train --slots 131072 --ppo.steps 1000",
        "train --processes 1000",
        "train --processes 200",
        "train --league.past 0.6 --league.anchor 0.6",
        "train --ppo.lr 0.1",
        "exploit random --budgets 2 1",
        "exploit random --budgets",
        "exploit random --game ruibal-2",
        "exploit random --start nowhere",
        "play --seat 4",
        "play --agents random random",
        "play --game ruibal-2 --play match",
        "play --language la",
        "play --port 70000",
        "throughput --games burako4",
        "throughput --modes fast",
        "throughput --batch",
    ):
        yield tuple(line.split())


KINDS = {
    "words": word_rows,
    "rules": rule_rows,
    "agents": spec_rows,
    "presets": preset_rows,
    "cases": case_rows,
    "records": record_rows,
    "folders": folder_rows,
    "damage": damaged_rows,
}
