"""`burako watch RECORD`: a page to step through a recorded hand or match, in one file that needs only a browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import tyro
from pydantic import Field

from burako_env.errors import UserError
from burako_env.records import Record, read
from burako_env.registry import make
from burako_env.render.html import replay_page
from experiments.report import console
from experiments.settings import Settings


class WatchSettings(Settings):
    """Write a replay: step through a record forwards and backwards, with every hand open or as one seat saw it.

    Tournaments record hands in the folder records/ of their run (--recorded).
    """

    record: Annotated[
        Path,
        tyro.conf.Positional,
        tyro.conf.arg(metavar="RECORD"),
        Field(description="file of records (*.jsonl)"),
    ]
    number: Annotated[int, Field(ge=1, description="which record of the file, counted from 1")] = 1
    hand: Annotated[int | None, Field(ge=1, description="one hand of a match, counted from 1; by default all")] = None
    seat: Annotated[
        int | None, Field(ge=0, description="only what this seat knew; the hands of the others are not in the page")
    ] = None
    out: Annotated[
        Path | None,
        tyro.conf.arg(metavar="FILE"),
        Field(description="the page; by default named after the record, in the current folder"),
    ] = None


def run(settings: WatchSettings, line: str) -> int:
    """Write the page and print its path."""
    record, count = choose(settings.record, settings.number)
    seats = make(record.game, config=record.rules).seats
    if settings.seat is not None and settings.seat >= seats:
        raise UserError(f"seat = {settings.seat}: {record.game} has the seats 0 to {seats - 1}")
    parts = len(record.parts)
    if settings.hand is not None and settings.hand > parts:
        raise UserError(f"hand = {settings.hand}: the {record.kind} has {parts} hand{'s' if parts > 1 else ''}")
    hands = None if settings.hand is None else [settings.hand - 1]
    page = replay_page(record, seat=settings.seat, hands=hands)
    path = settings.out or Path(f"{settings.record.stem}{f'-{settings.number}' if count > 1 else ''}.html")
    try:
        path.write_text(page, encoding="utf-8")
    except OSError as error:
        raise UserError(f"cannot write {path}: {error.strerror or error}") from None
    of = f" (record {settings.number} of {count}; --number chooses)" if count > 1 else ""
    console().print(f"{record.kind} {record.deal_id} of {record.game}{of}: {path}", markup=False, soft_wrap=True)
    return 0


def choose(path: Path, number: int) -> tuple[Record, int]:
    """A record of a file, counted from 1, and how many there are."""
    if path.is_dir():
        found = sorted(path.rglob("*.jsonl"))
        hint = f", such as {found[0]}" if found else ""
        raise UserError(f"{path} is a folder: name one file of records (*.jsonl){hint}")
    records = [record for _, record in read(path)]
    if not records:
        raise UserError(f"{path} holds no records")
    if number > len(records):
        raise UserError(f"number = {number}: {path} holds {len(records)} record{'s' if len(records) > 1 else ''}")
    return records[number - 1], len(records)
