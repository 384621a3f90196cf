"""The `burako` command: finds the command's module, fills its settings and runs it.

A command is a module with a `Settings` subclass named by `COMMANDS` and a function `run(settings, line) -> int`, where
`line` is the command line as typed. Only the module of the command at hand is imported.
"""

from __future__ import annotations

import importlib
import os
import shlex
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from burako_env import __version__
from burako_env.batch import IllegalAction
from burako_env.errors import UserError, unknown
from burako_env.inputs.extras import needed
from burako_selfplay import foreign
from experiments.runs.printing import forgive, say_error


@dataclass(frozen=True)
class Command:
    """Where a command lives: `run` and the settings class of `module`; `summary` is its line in the help, `extra` what
    an installation needs for it.
    """

    module: str
    settings: str
    summary: str
    extra: str = "tournament"


COMMANDS: Final[dict[str, Command]] = {
    "games": Command("experiments.commands.games", "GamesSettings", "list the games"),
    "agents": Command("experiments.commands.agents", "AgentsSettings", "list the agents and their options"),
    "rules": Command(
        "experiments.commands.rules", "RulesSettings", "print the rules of a game, with their ids and values"
    ),
    "check": Command(
        "experiments.commands.check", "CheckSettings", "run case files: positions, actions and what must hold"
    ),
    "tournament": Command(
        "experiments.commands.tournament",
        "TournamentSettings",
        "teams against each other on duplicate boards, with intervals",
    ),
    "evaluate": Command(
        "experiments.commands.evaluate", "EvaluateSettings", "one agent against another on duplicate boards"
    ),
    "train": Command(
        "experiments.train",
        "TrainSettings",
        "train a bot: cloning, PPO self-play with a league, deep Monte-Carlo",
        "train",
    ),
    "discards": Command(
        "experiments.discards.command", "DiscardsSettings", "compare discard strategies at the table and card by card"
    ),
    "exploit": Command(
        "experiments.exploit.command",
        "ExploitSettings",
        "what a player trained against an agent can win from it",
        "train",
    ),
    "play": Command(
        "experiments.play.command", "PlaySettings", "play yourself, in the browser or in the terminal", "play"
    ),
    "watch": Command("experiments.watch.command", "WatchSettings", "make a page that plays a record again", "play"),
    "throughput": Command(
        "experiments.commands.throughput", "ThroughputSettings", "measure decisions per second of random play"
    ),
}


def usage() -> str:
    """The help of `burako` itself."""
    width = max(map(len, COMMANDS))
    lines = [f"  {name:<{width}}  {command.summary}" for name, command in COMMANDS.items()]
    return "\n".join(
        (
            "usage: burako COMMAND [OPTIONS]",
            "",
            "Self-play research on the card game Burako.",
            "",
            "commands:",
            *lines,
            "",
            "`burako COMMAND --help` shows the options of a command.",
        )
    )


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command. Exit code 2 and one sentence on stderr for whatever the user can mend."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    forgive(sys.stdin, sys.stdout, sys.stderr)
    try:
        return _run(arguments)
    except (UserError, IllegalAction) as error:
        say_error(error)
        return 2
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        return 130
    except BrokenPipeError:
        # The reader of our output (`burako rules | head`) has gone; nothing more may be written, not even at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        # A file or folder that cannot be used, where nobody could say more about it.
        if error.filename is None:
            raise
        print(f"error: cannot use {error.filename}: {error.strerror}", file=sys.stderr)
        return 2


def _run(arguments: list[str]) -> int:
    if not arguments or arguments[0] in ("-h", "--help", "help"):
        print(usage())
        return 0
    if arguments[0] == "--version":
        print(f"burako-selfplay {__version__}")
        return 0
    name, *rest = arguments
    if name not in COMMANDS:
        raise unknown("command", name, COMMANDS)
    if (sentence := foreign()) is not None:
        raise UserError(sentence)
    command = COMMANDS[name]
    with needed(command.extra):
        from experiments.runs.settings import parse

        module = importlib.import_module(command.module)
        settings = parse(name, getattr(module, command.settings), rest)
        return int(module.run(settings, shlex.join(["burako", *arguments])))


if __name__ == "__main__":
    sys.exit(main())
