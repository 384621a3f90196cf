"""Settings of a command: a typed model, filled from a preset file, then from flags.

A command declares one `Settings` subclass; its fields are its flags and the keys of its presets. Everything wrong with
either becomes a `UserError` of one sentence.
"""

from __future__ import annotations

import contextlib
import inspect
import io
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, ClassVar, Final, TypeVar

import tyro
import yaml
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, TypeAdapter, ValidationError

from burako_env.errors import ReadingError, UserError, unknown
from burako_env.inputs import yaml_text
from burako_env.inputs.checked import Flag, Whole, complaint, shown
from burako_env.inputs.files import write_text
from experiments.runs.printing import forgive, say_error


class Group(BaseModel):
    """A group of settings within others. Frozen; unknown keys are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Settings(Group):
    """Base of every command's settings. Whatever is wrong with them is a `UserError`.

    `not_saved` are the fields that belong to one call and not to the experiment; `how` those that change how fast the
    results come, but not what they are; `grows` the counts that a resumed run may be given more of.
    """

    not_saved: ClassVar[frozenset[str]] = frozenset({"config", "out", "resume"})
    how: ClassVar[frozenset[str]] = frozenset({"workers", "batch"})
    grows: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, **values: Any) -> None:
        try:
            super().__init__(**values)
        except ValidationError as error:
            raise UserError(complaint(error)) from None

    def saved(self) -> dict[str, Any]:
        """The resolved settings as plain data, as a preset holds them."""
        return self.model_dump(mode="json", exclude=set(self.not_saved))

    def identity(self) -> dict[str, Any]:
        """The settings that the results depend on."""
        return self.model_dump(mode="json", exclude=set(self.not_saved | self.how))


S = TypeVar("S", bound=Settings)
M = TypeVar("M", bound=BaseModel)


def _pairs(value: Any) -> Any:
    """Presets may write rule changes as a mapping."""
    if isinstance(value, Mapping):
        return tuple(f"{key}={yaml_text.dump_value(item)}" for key, item in value.items())
    return value


# Fields that several commands share.
GameName = Annotated[str, Field(description="game to play; `burako games` lists them")]
RuleChanges = Annotated[
    tuple[str, ...],
    BeforeValidator(_pairs),
    tyro.conf.arg(metavar="KEY=VALUE"),
    Field(description="rules that differ from the preset; `burako rules` lists them"),
]
Seed = Annotated[Whole, Field(ge=0, lt=2**63, description="root seed of the deals and of all chance")]
Workers = Annotated[
    Whole,
    Field(
        ge=0,
        le=1024,
        description="worker processes, at most four for each core; 0 is one for each; results do not depend on it",
    ),
]
# Games side by side: some kilobytes each.
SideBySide = Annotated[Whole, Field(ge=1, le=2**17)]
Batch = Annotated[SideBySide, Field(description="hands a worker plays side by side; results do not depend on it")]
# Boards and positions are numbers in files and in memory, some bytes each.
Boards = Annotated[Whole, Field(ge=1, le=10_000_000)]
ConfigFile = Annotated[
    str | None,
    tyro.conf.arg(metavar="FILE"),
    Field(description="preset to start from: a YAML file, or the name of one that comes with the project"),
]
StudyFile = Annotated[
    str,
    tyro.conf.Positional,
    tyro.conf.arg(metavar="FILE"),
    Field(description="what to run: a YAML file, or the name of a shipped one"),
]
StudyDir = Annotated[Path, tyro.conf.arg(metavar="DIR"), Field(description="where everything is kept")]
StudyWorkers = Annotated[Whole, Field(ge=1, le=1024, description="runs at a time; results do not depend on it")]
OutDir = Annotated[
    Path | None, tyro.conf.arg(metavar="DIR"), Field(description="run folder; by default a new one in runs/")
]
Resume = Annotated[Flag, Field(description="go on with the run in this folder: play what is missing")]


def run_script(name: str, model: type[S], run: Callable[[S], int], argv: Sequence[str] | None) -> int:
    """What `python -m NAME` does: its settings from the arguments, one sentence and exit code 2 for a mistake."""
    forgive(sys.stdin, sys.stdout, sys.stderr)
    try:
        return run(parse(name, model, sys.argv[1:] if argv is None else argv, prog=f"python -m {name}"))
    except UserError as error:
        say_error(error)
        return 2


def parse(command: str, model: type[S], argv: Sequence[str], prog: str = "") -> S:
    """Settings of a command from its arguments, on top of the preset that `--config` names.

    `--help` prints the help and exits; everything wrong is a `UserError`.
    """
    prog = prog or f"burako {command}"
    _check_flags(model, argv)
    preset = _preset_argument(argv) if "config" in model.model_fields else None
    default: Any = tyro.MISSING_NONPROP if preset is None else load_preset(command, model, preset)
    said = io.StringIO()
    try:
        with contextlib.redirect_stderr(said):
            found: S = tyro.cli(model, prog=prog, description=inspect.getdoc(model), args=list(argv), default=default)
            return found
    except SystemExit as stop:
        if stop.code in (0, None):
            raise
        raise UserError(f"{prog}: {_refusal(model, stop) or _sentence(said.getvalue())}") from None


def load_preset(command: str, model: type[S], name: str) -> S:
    """A preset as a model; required fields that it leaves out are marked as missing, for flags to fill."""
    preset = Preset.read(find_preset(command, name))
    fields = model.model_fields
    resolved: dict[str, Any] = {
        key: tyro.MISSING if field.is_required() else field.get_default(call_default_factory=True)
        for key, field in fields.items()
    }
    known = [key for key in fields if key not in model.not_saved]
    for key in preset.values:
        if key not in known:
            raise preset.error((key,), str(unknown("key", key, known)))
    for key, value in preset.values.items():
        # The field's own type with its limits: what the model would check, for this field alone.
        kind: Any = fields[key].annotation
        try:
            resolved[key] = TypeAdapter(Annotated[(kind, *fields[key].metadata, None)]).validate_python(value)
        except ValidationError as error:
            raise preset.error((key, *error.errors()[0]["loc"]), complaint(error, key, kind)) from None
    return model.model_construct(**resolved)


@dataclass(frozen=True)
class Preset:
    """The mapping in a YAML file, `values`, with its places for errors."""

    path: Path
    root: yaml.Node | None
    values: dict[str, Any]

    @classmethod
    def read(cls, path: Path) -> Preset:
        """The preset of a file; a `ReadingError` if it holds none."""
        root = yaml_text.compose(yaml_text.read_text(path), path)
        values = {} if root is None else yaml_text.plain(root)
        if not isinstance(values, dict):
            raise ReadingError(path, 1, "a preset is a mapping of settings, key: value")
        return cls(path, root, {str(key): value for key, value in values.items()})

    def fill(self, model: type[M]) -> M:
        """A model of these values; a `ReadingError` for the first that does not fit."""
        try:
            return model(**self.values)
        except ValidationError as error:
            raise self.error(error.errors()[0]["loc"], complaint(error, model=model)) from None

    def error(self, place: Sequence[object], text: str) -> ReadingError:
        """A reading error at a place: keys, and numbers in lists."""
        return ReadingError(self.path, yaml_text.line_of(self.root, place), text)


def preset_folder(command: str) -> Path:
    """Where the presets of a command lie: in this package if it is installed, else at the top of the checkout."""
    here = Path(__file__).resolve().parents[1]
    folder = here / "configs"
    return (folder if folder.is_dir() else here.parent / "configs") / command


def find_preset(command: str, name: str) -> Path:
    """The file of a preset: a path, or the name of a shipped one.

    `configs/COMMAND/NAME.yaml`, where it lies in a checkout, is the shipped one wherever the project is installed.
    """
    path = Path(name)
    if not path.is_file() and path.parent == Path("configs", command):
        return preset_folder(command) / path.name
    if path.is_file() or path.suffix or len(path.parts) > 1:
        return path
    shipped = {file.stem: file for file in sorted(preset_folder(command).glob("*.yaml"))}
    if not shipped:
        raise UserError(f"'{name}' is no file, and {command} has no presets of its own")
    if name not in shipped:
        raise unknown(f"{command} preset", name, shipped)
    return shipped[name]


def save_preset(command: str, settings: Settings, path: Path) -> None:
    """Write the resolved settings so that `--config` takes them again."""
    write_text(path, f"# The same again: burako {command} --config {path.name}\n{yaml_text.dump(settings.saved())}")


def rule_changes(changes: Sequence[str]) -> dict[str, Any]:
    """`("consult=false", "max_turns=300")` as the mapping that `burako_env.make` takes."""
    rules: dict[str, Any] = {}
    for change in changes:
        key, equals, text = change.partition("=")
        if not equals or not key:
            raise UserError(f"'{change}' is not a rule change: they are written key=value")
        try:
            rules[key] = yaml_text.load(text, Path(key))
        except ReadingError as error:
            raise UserError(f"{shown(text)} is no value for rule {key}: {error.reason}") from None
    return rules


def _flags(model: type[BaseModel], prefix: str = "") -> Iterator[str]:
    """Every `--flag` of a model."""
    groups = dict(_groups(model))
    for name, field in model.model_fields.items():
        if any(tyro.conf.Positional is item for item in field.metadata):
            continue
        flag = prefix + name.replace("_", "-")
        if name in groups:
            yield from _flags(groups[name], flag + ".")
        else:
            yield f"--{flag}"
            if field.annotation is bool:
                yield f"--{prefix}no-{name.replace('_', '-')}"


def _check_flags(model: type[BaseModel], argv: Sequence[str]) -> None:
    """Refuse a flag that does not exist, before the parser splits it into several complaints."""
    known = ["--help", *_flags(model)]
    for token in argv:
        flag = token.partition("=")[0].replace("_", "-")
        if token.startswith("--") and flag not in known:
            raise unknown("option", flag, known)


def _preset_argument(argv: Sequence[str]) -> str | None:
    """The value of the last `--config`."""
    found = None
    for place, token in enumerate(argv):
        if token.startswith("--config="):
            found = token.partition("=")[2]
        elif token == "--config" and place + 1 < len(argv):
            found = argv[place + 1]
    return found


def _refusal(model: type[BaseModel], stop: BaseException) -> str | None:
    """What the settings themselves said before the parser stopped, if it was they that refused something."""
    cause: BaseException | None = stop
    while cause is not None:
        if isinstance(cause, UserError):
            return str(cause)
        if isinstance(cause, ValidationError):
            # Of one of the groups: the model's own refusals are `UserError`s.
            return complaint(cause, next(name for name, group in _groups(model) if group.__name__ == cause.title))
        cause = cause.__context__
    return None


def _groups(model: type[BaseModel]) -> Iterator[tuple[str, type[BaseModel]]]:
    """The groups of a model by the names of their fields."""
    for name, field in model.model_fields.items():
        if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
            yield name, field.annotation


_RULE: Final = re.compile(r"[\s│|╭╮╰╯─+-]*")


def _sentence(box: str) -> str:
    """The parser's framed complaint as one sentence: what stands above its inner rule."""
    words: list[str] = []
    for line in box.splitlines()[1:]:
        if _RULE.fullmatch(line):
            if words:
                break
            continue
        words.append(line.strip("│| "))
    text = " ".join(" ".join(words).split())
    if text.startswith("Missing from"):
        return "missing " + re.sub(r"^Missing from [^:]*: | \(required\)", "", text)
    return re.sub(r"^Error parsing (?=--)|^Error parsing \w+: ", "", text) or "the arguments are not understood"
