"""`burako play`: sets the table and opens it as a local page or in the terminal."""

from __future__ import annotations

import secrets
import sys
from pathlib import Path
from typing import Annotated, Literal

import tyro
from pydantic import Field

import agents
from burako_env.burako.rules import PRESETS
from burako_env.errors import UserError, unknown
from burako_env.records import append
from burako_env.registry import burako_rules
from experiments.play.table import PlayTable
from experiments.play.terminal import play_in_terminal
from experiments.report import console
from experiments.settings import GameName, RuleChanges, Settings, rule_changes


class PlaySettings(Settings):
    """Take a seat at a table of agents, in a local web page (English or Spanish) or in the terminal.

    The page is served to this machine alone. It knows only what your seat may know.
    """

    game: GameName = "burako-4"
    partner: Annotated[str, Field(description="agent that plays the other seats of your team")] = "heuristic"
    opponent: Annotated[str, Field(description="agent that plays the other team")] = "heuristic"
    hint: Annotated[str, Field(description="agent that gives hints")] = "heuristic"
    seat: Annotated[int, Field(ge=0, description="your seat")] = 0
    match: Annotated[bool, Field(description="play a match, hands until a team reaches the target")] = False
    rules: RuleChanges = ()
    seed: Annotated[
        int | None, Field(ge=0, lt=2**63, description="root seed of the deals; by default another one each time")
    ] = None
    deal: Annotated[int, Field(ge=0, lt=2**62, description="first deal of the seed")] = 0
    port: Annotated[int, Field(ge=1, le=65535, description="port of the page on 127.0.0.1")] = 8642
    terminal: Annotated[bool, Field(description="play in the terminal, without a page")] = False
    language: Annotated[Literal["en", "es"], Field(description="language of the terminal; the page has both")] = "en"
    out: Annotated[
        Path | None,
        tyro.conf.arg(metavar="FILE"),
        Field(description="file to which the records of finished games are added; `burako watch` shows them"),
    ] = None


def run(settings: PlaySettings, line: str) -> int:
    """Play until the person stops."""
    table = set_table(settings)
    if settings.terminal:
        if play_in_terminal(table, settings.language, input, lambda text: print(text)):
            _keep(settings, table)
        return 0
    return _serve(settings, table)


def set_table(settings: PlaySettings) -> PlayTable:
    """The table that the settings ask for, dealt."""
    if settings.game not in PRESETS:
        raise unknown("game", settings.game, PRESETS)
    rules = rule_changes(settings.rules)
    seats = burako_rules(settings.game, rules).players
    if settings.seat >= seats:
        raise UserError(f"seat = {settings.seat}: {settings.game} has the seats 0 to {seats - 1}")
    by_seat = [settings.partner if seat % 2 == settings.seat % 2 else settings.opponent for seat in range(seats)]
    by_seat[settings.seat] = settings.hint
    loaded = {spec: agents.load(spec, settings.game, rules) for spec in dict.fromkeys(by_seat)}
    return PlayTable(
        settings.game,
        rules=rules,
        # A person's own game need not come out the same twice; its record names the seed.
        seed=secrets.randbits(32) if settings.seed is None else settings.seed,
        deal=settings.deal,
        match=settings.match,
        seat=settings.seat,
        agents=[loaded[spec] for spec in by_seat],
    )


def _keep(settings: PlaySettings, table: PlayTable) -> None:
    """Add the record of a game that is over to the file, if there is one."""
    if settings.out is not None:
        append(settings.out, [table.record()])


def _try_to_keep(settings: PlaySettings, table: PlayTable) -> None:
    """The same while the page is served: a file that cannot be written ends nothing."""
    try:
        _keep(settings, table)
    except UserError as error:
        print(f"error: {error}", file=sys.stderr)


def _serve(settings: PlaySettings, table: PlayTable) -> int:
    import socket

    import uvicorn

    from experiments.play.server import HOST, make_app

    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as own:
        own.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            own.bind((HOST, settings.port))
        except OSError as error:
            raise UserError(f"port = {settings.port}: {error.strerror or error}; choose another with --port") from None
        console().print(f"http://{HOST}:{settings.port}/   (Ctrl+C ends it)", markup=False, soft_wrap=True)
        app = make_app(table, ended=lambda finished: _try_to_keep(settings, finished))
        uvicorn.Server(uvicorn.Config(app, log_level="warning")).run(sockets=[own])
    return 0


__all__ = ["PlaySettings", "run", "set_table"]
