"""The `burako` command: finds the command's module, fills its settings and runs it.

A command is a module with a `Settings` subclass (`TrainSettings` of `burako train`) and a function
`run(settings, line) -> int`, where `line` is the command line as typed. Only the module of the command at hand is
imported.
"""

import importlib
import os
import shlex
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from burako_env import __version__
from burako_env.batch import IllegalAction
from burako_env.errors import UserError, unknown
from burako_env.inputs.extras import needed
from burako_selfplay import foreign
from experiments.runs.printing import forgive, say_error


@dataclass(frozen=True)
class Command:
    """A line for the help, the module within `experiments` (by default that of its name in `commands`), and the extra
    that an installation needs for it.
    """

    summary: str
    module: str = ""
    extra: str = "tournament"


COMMANDS: Final[dict[str, Command]] = {
    "games": Command("list the games"),
    "agents": Command("list the agents and their options"),
    "rules": Command("print the rules of a game, with their ids and values"),
    "check": Command("run case files: positions, actions and what must hold"),
    "tournament": Command("teams against each other on duplicate boards, with intervals"),
    "evaluate": Command("one agent against another on duplicate boards"),
    "train": Command("train a bot: cloning, PPO self-play with a league, deep Monte-Carlo", "train", "train"),
    "discards": Command("compare discard strategies at the table and card by card", "discards.command"),
    "exploit": Command("what a player trained against an agent can win from it", "exploit.command", "train"),
    "play": Command("play yourself, in the browser or in the terminal", "play.command", "play"),
    "watch": Command("make a page that plays a record again", "watch.command", "play"),
    "throughput": Command("measure decisions per second of random play"),
}


def usage() -> str:
    """The help of `burako` itself."""
    width = max(map(len, COMMANDS))
    lines = [f"  {name:<{width}}  {command.summary}" for name, command in COMMANDS.items()]
    head = "usage: burako COMMAND [OPTIONS]\n\nSelf-play research on the card game Burako.\n\ncommands:\n"
    return head + "\n".join((*lines, "", "`burako COMMAND --help` shows the options of a command."))


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

        run, model = loaded(name)
        return int(run(parse(name, model, rest), shlex.join(["burako", *arguments])))


def loaded(name: str) -> tuple[Callable[[Any, str], int], type[Any]]:
    """The function that runs a command, and the class of its settings."""
    module = importlib.import_module(f"experiments.{COMMANDS[name].module or f'commands.{name}'}")
    return module.run, getattr(module, f"{name.capitalize()}Settings")


if __name__ == "__main__":
    sys.exit(main())
