"""Settings of a command: a typed model, filled from a preset file, then from flags.

A command declares one `Settings` subclass; its fields are its flags and the keys of its presets. Everything wrong with
either becomes a `UserError` of one sentence.
"""

from __future__ import annotations

import contextlib
import inspect
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, ClassVar, Final, TypeVar

import tyro
import yaml
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, TypeAdapter, ValidationError

from burako_env.errors import UserError, unknown
from burako_env.files import write_text


class Settings(BaseModel):
    """Base of every command's settings. Frozen; unknown keys are refused.

    `not_saved` are the fields that belong to one call and not to the experiment; `how` those that change how fast the
    results come, but not what they are; `grows` the counts that a resumed run may be given more of.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")
    not_saved: ClassVar[frozenset[str]] = frozenset({"config", "out", "resume"})
    how: ClassVar[frozenset[str]] = frozenset({"workers", "batch"})
    grows: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, **values: Any) -> None:
        try:
            super().__init__(**values)
        except ValidationError as error:
            raise UserError(problem(error)) from None

    def saved(self) -> dict[str, Any]:
        """The resolved settings as plain data, as a preset holds them."""
        return self.model_dump(mode="json", exclude=set(self.not_saved))

    def identity(self) -> dict[str, Any]:
        """The settings that the results depend on."""
        return self.model_dump(mode="json", exclude=set(self.not_saved | self.how))


S = TypeVar("S", bound=Settings)


def _pairs(value: Any) -> Any:
    """Presets may write rule changes as a mapping."""
    if isinstance(value, Mapping):
        return tuple(
            f"{key}={yaml.safe_dump(item, default_flow_style=True).splitlines()[0]}" for key, item in value.items()
        )
    return value


# Fields that several commands share.
GameName = Annotated[str, Field(description="game to play; `burako games` lists them")]
RuleChanges = Annotated[
    tuple[str, ...],
    BeforeValidator(_pairs),
    tyro.conf.arg(metavar="KEY=VALUE"),
    Field(description="rules that differ from the preset; `burako rules` lists them"),
]
Seed = Annotated[int, Field(ge=0, lt=2**63, description="root seed of the deals and of all chance")]
Workers = Annotated[
    int, Field(ge=0, description="worker processes; 0 is one for each core; results do not depend on it")
]
Batch = Annotated[int, Field(ge=1, description="hands a worker plays side by side; results do not depend on it")]
ConfigFile = Annotated[
    str | None,
    tyro.conf.arg(metavar="FILE"),
    Field(description="preset to start from: a YAML file, or the name of one that comes with the project"),
]
OutDir = Annotated[
    Path | None, tyro.conf.arg(metavar="DIR"), Field(description="run folder; by default a new one in runs/")
]
Resume = Annotated[bool, Field(description="go on with the run in this folder: play what is missing")]


def parse(command: str, model: type[S], argv: Sequence[str]) -> S:
    """Settings of a command from its arguments, on top of the preset that `--config` names.

    `--help` prints the help and exits; everything wrong is a `UserError`.
    """
    _check_flags(model, argv)
    preset = _preset_argument(argv) if "config" in model.model_fields else None
    default: Any = tyro.MISSING_NONPROP if preset is None else load_preset(command, model, preset)
    said = io.StringIO()
    try:
        with contextlib.redirect_stderr(said):
            found: S = tyro.cli(
                model, prog=f"burako {command}", description=inspect.getdoc(model), args=list(argv), default=default
            )
            return found
    except SystemExit as stop:
        if stop.code in (0, None):
            raise
        raise UserError(f"burako {command}: {_sentence(said.getvalue())}") from None


def load_preset(command: str, model: type[S], name: str) -> S:
    """A preset as a model; required fields that it leaves out are marked as missing, for flags to fill."""
    path = find_preset(command, name)
    values = read_preset(path)
    fields = {key: field for key, field in model.model_fields.items() if key not in model.not_saved}
    resolved: dict[str, Any] = {}
    for key in values:
        if key not in fields:
            raise UserError(f"{path}: {unknown('key', str(key), fields)}")
    for key, field in model.model_fields.items():
        if key in values:
            # The field's own type with its limits: what the model would check, for this field alone.
            kind: Any = field.annotation
            adapter = TypeAdapter(Annotated[(kind, *field.metadata)] if field.metadata else kind)
            try:
                resolved[key] = adapter.validate_python(values[key])
            except ValidationError as error:
                raise UserError(f"{path}: {problem(error, key)}") from None
        else:
            resolved[key] = tyro.MISSING if field.is_required() else field.get_default(call_default_factory=True)
    return model.model_construct(**resolved)


def read_preset(path: Path) -> dict[Any, Any]:
    """The mapping in a YAML file."""
    try:
        values = yaml.safe_load(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UserError(f"cannot read {path}: {error.strerror}") from None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        mark = getattr(error, "problem_mark", None)
        where = f", line {mark.line + 1}" if mark else ""
        raise UserError(f"{path}{where}: not a YAML file ({getattr(error, 'problem', None) or error})") from None
    if values is None:
        return {}
    if not isinstance(values, dict):
        raise UserError(f"{path}: a preset is a mapping of settings, not a {type(values).__name__}")
    return values


def preset_folder(command: str) -> Path:
    """Where the presets of a command lie: beside this file in an installed package, else at the top of the checkout."""
    here = Path(__file__).resolve().parent
    folder = here / "configs"
    return (folder if folder.is_dir() else here.parent / "configs") / command


def find_preset(command: str, name: str) -> Path:
    """The file of a preset: a path, or the name of a shipped one."""
    path = Path(name)
    if path.is_file() or path.suffix or len(path.parts) > 1:
        return path
    shipped = {file.stem: file for file in sorted(preset_folder(command).glob("*.yaml"))}
    if name not in shipped:
        if not shipped:
            raise UserError(f"'{name}' is no file, and {command} has no presets of its own")
        raise unknown(f"{command} preset", name, shipped)
    return shipped[name]


def save_preset(command: str, settings: Settings, path: Path) -> None:
    """Write the resolved settings so that `--config` takes them again."""
    text = yaml.safe_dump(settings.saved(), sort_keys=False, allow_unicode=True)
    write_text(path, f"# The same again: burako {command} --config {path.name}\n{text}")


def rule_changes(changes: Sequence[str]) -> dict[str, Any]:
    """`("consult=false", "max_turns=300")` as the mapping that `burako_env.make` takes."""
    rules: dict[str, Any] = {}
    for change in changes:
        key, equals, text = change.partition("=")
        if not equals or not key:
            raise UserError(f"'{change}' is not a rule change: they are written key=value")
        try:
            value = yaml.safe_load(text)
        except yaml.YAMLError:
            raise UserError(f"'{text}' is no value for rule {key}") from None
        rules[key] = tuple(value) if isinstance(value, list) else value
    return rules


def problem(error: ValidationError, key: str = "") -> str:
    """The first thing pydantic complains of, in a sentence with the key and the value."""
    first = error.errors()[0]
    where = ".".join(part for part in (key, *map(str, first["loc"])) if part)
    message = first["msg"].removeprefix("Value error, ")
    if where and first["type"] != "value_error":
        return f"{where} = {first['input']!r}: {message[:1].lower()}{message[1:]}"
    return message


def _flags(model: type[BaseModel], prefix: str = "") -> Iterator[str]:
    """Every `--flag` of a model."""
    for name, field in model.model_fields.items():
        if any(tyro.conf.Positional is item for item in field.metadata):
            continue
        flag = prefix + name.replace("_", "-")
        if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
            yield from _flags(field.annotation, flag + ".")
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
