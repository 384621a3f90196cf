"""`burako watch RECORD`: the command line."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import tyro
from pydantic import Field
from rich.progress import track

from burako_env.errors import UserError
from burako_env.inputs.checked import Whole
from burako_env.inputs.files import write_text
from burako_env.records.format import Record, read
from burako_env.render.texts import Language
from experiments.play.families import play_family
from experiments.processes.apart import load_agent
from experiments.runs.folder import RECORDS
from experiments.runs.printing import console
from experiments.runs.settings import Settings
from experiments.watch.frames import Frames
from experiments.watch.opinions import Opinion, ask_agent, load_own
from experiments.watch.page import WATCH_TEXTS, replay_page

OWN, NOBODY = "own", "nobody"


class WatchSettings(Settings):
    """Make a page that plays a record again: one HTML file that opens offline.

    RECORD is a file of records (*.jsonl), such as tournaments leave in the folder `records` of their run, or a run
    folder: then every record in it gets its page. A page is written next to its record unless --out says otherwise.
    """

    record: Annotated[
        Path,
        tyro.conf.Positional,
        tyro.conf.arg(metavar="RECORD"),
        Field(description="file of records, or a run folder"),
    ]
    number: Annotated[Whole, Field(ge=1, le=10**9, description="which record of the file, from 1")] = 1
    ask: Annotated[
        tuple[str, ...],
        tyro.conf.arg(metavar="AGENT"),
        Field(
            description="whose opinion is shown at every decision: agents, `own` for the one that played, or `nobody`"
        ),
    ] = (OWN,)
    language: Annotated[Language, Field(description="language of the page")] = "en"
    out: Annotated[Path | None, tyro.conf.arg(metavar="FILE"), Field(description="where the page goes")] = None


def run(settings: WatchSettings, line: str) -> int:
    """Write the pages and say where they are."""
    out = console()
    chosen = list(_records(settings))
    if settings.out is not None and len(chosen) > 1:
        raise UserError(f"{settings.record} holds {len(chosen)} records: --out names the page of one, name one file")
    for path, record in chosen:
        target = settings.out or path.with_suffix(".html")
        text = make_page(record, settings.ask, settings.language)
        write_text(target, text)
        out.print(f"replay: {target}", markup=False, soft_wrap=True)
    return 0


def make_page(record: Record, ask: tuple[str, ...] = (OWN,), language: str = "en") -> str:
    """The page of a record, with the opinions of the agents asked."""
    frames = Frames(record, play_family(record.game).words(language, WATCH_TEXTS))
    out = console()
    quiet = not out.is_terminal
    for _ in track(frames.play(), total=len(frames), description="drawing", transient=True, disable=quiet, console=out):
        pass
    opinions, notes = _opinions(frames, ask)
    return replay_page(frames, opinions, notes)


def _opinions(frames: Frames, ask: tuple[str, ...]) -> tuple[dict[int, list[Opinion]], list[str]]:
    """Opinions by frame, and what could not be asked."""
    record = frames.record
    acting = [number for number, frame in enumerate(frames.frames) if frame.action is not None]
    found: dict[int, list[Opinion]] = {number: [] for number in acting}
    if not acting or ask == (NOBODY,):
        return found, []
    decisions = frames.decisions()
    notes: list[str] = []
    for spec in ask:
        if spec == OWN:
            own, notes = load_own([name for name in record.agents if name != "person"], record.game, record.rules)
            answers = {name: ask_agent(agent, decisions) for name, agent in own.items()}
            for row, number in enumerate(acting):
                seat = frames.frames[number].seat or 0
                name = record.agents[seat] if record.agents else ""
                # That it chose what it chose is no news; what else it thought of is.
                if name in answers and answers[name][row].top:
                    found[number].append(answers[name][row])
        elif spec != NOBODY:
            for number, opinion in zip(acting, ask_agent(load_agent(spec, record.game, record.rules), decisions)):
                found[number].append(opinion)
    return {number: some for number, some in found.items() if len(frames.frames[number].choices) > 1}, notes


def _records(settings: WatchSettings) -> Iterator[tuple[Path, Record]]:
    """The records to show, each with its file."""
    path = settings.record
    if path.is_dir():
        files = sorted((path / RECORDS if (path / RECORDS).is_dir() else path).glob("*.jsonl"))
        if not files:
            raise UserError(f"{path} holds no records (*.jsonl): runs record hands with --recorded N")
    else:
        files = [path]
    for file in files:
        yield file, _pick(file, settings.number)


def _pick(path: Path, number: int) -> Record:
    """A record of a file by its number."""
    count = 0
    for count, (_, record) in enumerate(read(path), start=1):
        if count == number:
            return record
    raise UserError(f"{path} holds {count} records, not {number}")
