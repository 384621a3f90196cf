"""`burako play`: the settings of a table and where it is shown."""

from __future__ import annotations

import contextlib
import os
import sys
import webbrowser
from pathlib import Path
from typing import Annotated, Any, Literal

import tyro
from pydantic import Field, model_validator

from agents import own_heuristic
from burako_env.errors import UserError
from burako_env.families import family_of, make, rules_of
from burako_env.inputs.checked import Flag, Real, Whole
from burako_env.render.texts import Language
from experiments.play.families import play_family
from experiments.play.happenings import Setup
from experiments.play.session import SEED_BITS, Session
from experiments.processes.apart import load_agent
from experiments.runs.settings import GameName, RuleChanges, Settings, rule_changes


class PlaySettings(Settings):
    """Play with and against agents: in the browser, or in the terminal with --terminal.

    The page is served to this machine only, until Ctrl+C. `--agents` names one agent for all other seats, or one for
    each of them in the order of play after yours; in the children's levels (--game ruibal-2) as many play as you name.
    --record FILE saves each game that has ended; `burako watch FILE` replays it. docs/playing.md explains undo, hints,
    reasons and keys.
    """

    agents: Annotated[
        tuple[str, ...],
        Field(
            description="who else plays: one agent for all seats, or one for each seat, beginning on your left; by "
            "default the best rule-based player"
        ),
    ] = ()
    game: GameName = "burako-4"
    play: Annotated[
        Literal["match", "hand"] | None,
        Field(description="a match to the target, or single hands; by default matches, if the game has them"),
    ] = None
    seat: Annotated[Whole, Field(ge=0, le=7, description="your seat; in the card game your team is seat mod 2")] = 0
    rules: RuleChanges = ()
    seed: Annotated[
        Annotated[Whole, Field(ge=0, lt=2**SEED_BITS)] | None,
        Field(description="root seed of the deals; by default every game has a new one, shown when the game is over"),
    ] = None
    deal: Annotated[Whole, Field(ge=0, lt=2**62, description="which deal of the seed comes first")] = 0
    hints: Annotated[tuple[str, ...], Field(description="agents that give hints, in addition to those that play")] = ()
    time_budget: Annotated[
        Real,
        Field(gt=0, le=86_400, description="seconds an agent has for a decision; after that its seat plays at random"),
    ] = 60.0
    terminal: Annotated[Flag, Field(description="play in this terminal instead of a browser")] = False
    language: Annotated[Language, Field(description="of the terminal, and of a browser that asks for neither")] = "en"
    port: Annotated[Whole, Field(ge=0, le=65535, description="port of the page; 0 is any free one")] = 8017
    browser: Annotated[Flag, Field(description="open the page in the browser")] = True
    record: Annotated[
        Path | None,
        tyro.conf.arg(metavar="FILE"),
        Field(description="append the record of every finished game to this file"),
    ] = None

    @model_validator(mode="after")
    def _seats(self) -> PlaySettings:
        """The seat and the number of agents must fit the game."""
        players = self._players()
        if self.play == "match" and not family_of(self.game).matches:
            raise ValueError(f"play is match: {self.game} is not played in matches")
        if self.seat >= players:
            raise ValueError(f"seat {self.seat}: {self.game} has seats 0 to {players - 1}")
        if len(self.agents) > 1 and len(self.agents) != players - 1:
            raise ValueError(
                f"{len(self.agents)} agents: name one agent for all other seats of {self.game}, or {players - 1}, one "
                "for each"
            )
        return self

    def _changes(self) -> dict[str, Any]:
        """The rules that differ. Where a rule says how many sit at the table and is left out, several agents say it."""
        changes = dict(rule_changes(self.rules))
        if len(self.agents) > 1 and "players" in family_of(self.game).seating:
            changes.setdefault("players", len(self.agents) + 1)
        return changes

    def _players(self) -> int:
        players: int = rules_of(self.game, self._changes()).players
        return players

    def setup(self) -> Setup:
        """What is played and by whom; `UserError` for rules or agents that do not exist."""
        play_family(self.game)
        changes, count, best = self._changes(), self._players(), own_heuristic(self.game)
        make(self.game, config=changes)
        named = self.agents or (best,)
        others = named * (count - 1) if len(named) == 1 else named
        for spec in self.hints:
            load_agent(spec, self.game, changes)
        # The others sit in the order of play from the person's left.
        around = (None, *others)
        return Setup(
            game=self.game,
            players=tuple(around[(seat - self.seat) % count] for seat in range(count)),
            rules=changes,
            match=family_of(self.game).matches if self.play is None else self.play == "match",
            root_seed=self.seed,
            deal=self.deal,
            seconds=self.time_budget,
            # The best known agent first, then those at the table.
            hints=tuple(dict.fromkeys((best, *self.hints, *others))),
            record=self.record,
        )


def run(settings: PlaySettings, line: str) -> int:
    """Play until the person has had enough."""
    if settings.record is not None and settings.record.is_dir():
        raise UserError(f"{settings.record} is a folder: --record names a file")
    session = Session(settings.setup())
    if settings.terminal:
        from experiments.play.terminal import Terminal

        Terminal(session, settings.language).play()
    else:
        _in_browser(session, settings)
    # Not before: whoever knows the seed knows every hand.
    print(f"the same cards again: {session.same_cards}", flush=True)
    return 0


def _in_browser(session: Session, settings: PlaySettings) -> None:
    from experiments.play.server import PACES, listen, serve

    listener = listen(settings.port)
    address = f"http://{listener.getsockname()[0]}:{listener.getsockname()[1]}/"
    print(f"the table: {address} (Ctrl+C ends the game)", flush=True)
    session.pace = PACES["normal"]
    if settings.browser and _has_screen():
        webbrowser.open(address)
    # Ctrl+C is how it ends.
    with contextlib.suppress(KeyboardInterrupt):
        serve(session, listener, settings.language)


def _has_screen() -> bool:
    """Whether a browser would be a window, not a program in this terminal."""
    return sys.platform in ("win32", "darwin") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
