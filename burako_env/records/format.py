"""Records: a hand or a match as one line of JSON, the same for environments, tournaments, viewer, training and tests.

    append(path, records)                 # adds lines; a file that is there is kept
    for line, record in read(path): ...   # ReadingError names file, line and what is wrong

A hand, here on several lines:

    {"format": 1, "kind": "hand", "game": "burako-4", "rules": {"ace": "low"}, "rules_digest": "0123456789abcdef",
     "root_seed": 0, "deal_id": 7, "swapped": false, "agents": ["heuristic", "random", "heuristic", "random"],
     "actions": ["draw stock", "keep", "discard 9S", ...],
     "result": {"scores": [405, -225], "reason": "out", "turns": 61}}

A match has in the place of `actions` its `hands`: a list of `deal_id`, `actions` and `result`. `rules` are the keys
that differ from the game's preset; `rules_digest` names the rules they make. `agents` are by seat, or none. The actions
are in the words of the case files. A reason is `out`, `exhausted` or `truncated`, of a match `won` or `truncated`, and
`unfinished` for play that was broken off. The children's levels end `out`, `forfeits`, `passes` or by their
`calls`, and have `turned`, the number of seats by which the table was turned, in the place of `swapped`. What a record
says is checked by playing it again: see `replay.py`.
"""

import codecs
import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import numpy as np
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from burako_env.errors import ReadingError, UserError, short, unknown
from burako_env.families import make
from burako_env.inputs.yaml_text import check_regular

FORMAT: Final = 1
UNFINISHED: Final = "unfinished"
_SHOWN: Final = 60
_Int64 = Annotated[int, Field(ge=-(2**63), le=2**63 - 1)]


def _with_tuples(rules: dict[str, Any]) -> dict[str, Any]:
    """Rule keys as the configuration takes them: JSON has no tuples."""
    return {key: tuple(value) if isinstance(value, list) else value for key, value in rules.items()}


class _Model(BaseModel):
    """A part of a record: frozen, no other keys, no conversion of types."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Result(_Model):
    """How it ended: points by side, the reason, and the turns completed where the game counts them."""

    scores: tuple[int, ...]
    reason: str
    turns: int | None = None


class Hand(_Model):
    """What was played of one deal."""

    deal_id: _Int64
    actions: tuple[str, ...]
    result: Result


class _Record(_Model):
    """What hands and matches have in common."""

    format: Literal[1] = 1
    game: str
    rules: Annotated[dict[str, Any], AfterValidator(_with_tuples)] = Field(default_factory=dict)
    rules_digest: str = ""
    root_seed: Annotated[int, Field(ge=0, lt=2**128)] = 0
    deal_id: _Int64
    swapped: bool = False
    turned: Annotated[int, Field(ge=0)] | None = None
    agents: tuple[str, ...] = ()

    @property
    def orientation(self) -> int:
        """What `BatchGame.reset` calls `swap_sides`."""
        return int(self.swapped) if self.turned is None else self.turned


class HandRecord(_Record):
    """One hand."""

    kind: Literal["hand"] = "hand"
    actions: tuple[str, ...]
    result: Result

    @property
    def parts(self) -> tuple[Hand, ...]:
        """Its one hand."""
        return (Hand(deal_id=self.deal_id, actions=self.actions, result=self.result),)


class MatchRecord(_Record):
    """One match; `deal_id` is that of the match, `result` has its totals."""

    kind: Literal["match"] = "match"
    hands: tuple[Hand, ...]
    result: Result

    @property
    def parts(self) -> tuple[Hand, ...]:
        """Its hands."""
        return self.hands


Record = HandRecord | MatchRecord
_MODELS: Final[dict[str, type[HandRecord] | type[MatchRecord]]] = {"hand": HandRecord, "match": MatchRecord}
_ADAPTER: Final[TypeAdapter[Record]] = TypeAdapter(Annotated[Record, Field(discriminator="kind")])
_FIRST: Final = ("format", "kind")


def format_record(record: Record) -> str:
    """The record as a line of JSON, without the line's end."""
    values = record.model_dump(mode="json", exclude_none=True)
    ordered = {key: values.pop(key) for key in _FIRST} | values
    return json.dumps(ordered, ensure_ascii=False, separators=(",", ":"))


def parse_record(text: str) -> Record:
    """The record of a line; a `UserError` says what is wrong with it."""
    try:
        values = json.loads(text, object_pairs_hook=_unique, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        raise UserError(f"not JSON: {error.msg} at column {error.colno}") from None
    except RecursionError:
        raise UserError("not JSON: nested too deep") from None
    if not isinstance(values, dict):
        raise UserError("a record is a JSON object, {...}")
    if values.get("format") != FORMAT:
        raise UserError(f"record format {_short(values.get('format'))}: this version reads format {FORMAT}")
    kind = values.get("kind")
    if not isinstance(kind, str) or kind not in _MODELS:
        raise UserError(f"kind {_short(kind)}: a record is of a {' or a '.join(_MODELS)}")
    try:
        record = _ADAPTER.validate_json(text)
    except ValidationError as error:
        raise _mended(error, kind) from None
    _check(record)
    return record


def read(path: Path) -> Iterator[tuple[int, Record]]:
    """The records of a file with their lines; a `ReadingError` for the first that is none. Empty lines are skipped."""
    try:
        check_regular(path)
        lines = path.read_bytes().split(b"\n")
    except OSError as error:
        raise ReadingError(path, 1, f"cannot be opened: {error.strerror or error}") from None
    for number, line in enumerate(lines, start=1):
        # Editors of Windows begin a file with a byte order mark; where files were joined it stands in the middle too.
        line = line.removeprefix(codecs.BOM_UTF8)
        if not line.strip():
            continue
        try:
            record = parse_record(line.decode("utf-8"))
        except UnicodeDecodeError:
            raise ReadingError(path, number, "is not UTF-8 text") from None
        except UserError as error:
            cut = number == len(lines) and str(error).startswith("not JSON")
            hint = " (the line has no end: writing it was broken off, delete it)" if cut else ""
            raise ReadingError(path, number, f"{error}{hint}") from None
        yield number, record


def append(path: Path, records: Iterable[Record]) -> None:
    """Add records to a file, which is made if it is not there, in one write.

    Several processes may append to one file. After a write that was broken off the next one begins on a line of its
    own, so that only the broken line is lost.
    """
    data = "".join(f"{format_record(record)}\n" for record in records).encode()
    if not data:
        return
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("ab+", buffering=0) as file:
            if file.seek(0, os.SEEK_END) and _last_byte(path) != b"\n":
                data = b"\n" + data
            written = file.write(data)
    except OSError as error:
        raise UserError(f"cannot write {path}: {error.strerror or error}") from None
    if written != len(data):
        raise UserError(
            f"cannot write {path}: only {written} of {len(data)} bytes were written; its last line is cut off"
        )


def _last_byte(path: Path) -> bytes:
    with path.open("rb") as file:
        file.seek(-1, os.SEEK_END)
        return file.read(1)


def _check(record: Record) -> None:
    """What the types do not say: the game and its rules exist, every seat has its agent, actions are well-formed."""
    game = make(record.game, config=record.rules)
    if record.agents and len(record.agents) != game.seats:
        raise UserError(f"agents has {len(record.agents)} names: {record.game} has {game.seats} seats")
    if record.orientation >= game.sides or (record.turned is not None and game.swapped.dtype == np.bool_):
        raise UserError(f"turned is {record.turned}: the table of {record.game} cannot be turned so")
    if not record.parts:
        raise UserError("hands is empty: a match has at least one hand")
    for number, part in enumerate(record.parts, start=1):
        for place, text in enumerate(part.actions, start=1):
            try:
                game.check_action_text(text)
            except UserError as error:
                raise UserError(f"{action_place(record, number, place)}: {error}") from None


def action_place(record: Record, hand: int, action: int) -> str:
    """Where an action stands, both counted from 1."""
    return f"hand {hand}, action {action}" if record.kind == "match" else f"action {action}"


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object; a key that stands in it twice is an error."""
    values = dict(pairs)
    if len(values) != len(pairs):
        twice = next(key for place, (key, _) in enumerate(pairs) if key in dict(pairs[:place]))
        raise UserError(f"the key '{twice}' stands twice")
    return values


def _no_constant(name: str) -> Any:
    raise UserError(f"not JSON: {name} is no value")


def _short(value: Any) -> str:
    return short(json.dumps(value, ensure_ascii=False), _SHOWN)


def _mended(error: ValidationError, kind: str) -> UserError:
    """The first thing that does not fit, in words."""
    first = error.errors()[0]
    # The first part of a place is the kind.
    place = [str(part) for part in first["loc"][1:]]
    where = ".".join(place)
    if first["type"] == "extra_forbidden":
        model: type[BaseModel] = _MODELS[kind]
        if len(place) > 1:
            model = Result if "result" in place else Hand
        return unknown("record key", place[-1], model.model_fields)
    if first["type"] == "missing":
        return UserError(f"{where} is missing")
    message = first["msg"][:1].lower() + first["msg"][1:]
    return UserError(f"{where} is {_short(first['input'])}: {message}")
