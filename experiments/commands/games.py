"""`burako games`: the games and their sizes."""

from rich.table import Table

import burako_env
from experiments.runs.printing import console
from experiments.runs.settings import Settings


class GamesSettings(Settings):
    """List the games."""


def run(settings: GamesSettings, line: str) -> int:
    """Print one row for each game."""
    table = Table("game", "players", "sides", "actions", "view", "bytes a game", box=None, header_style="bold")
    for column in table.columns[1:]:
        column.justify = "right"
    for name in burako_env.game_names():
        game = burako_env.make(name, batch=1)
        size = sum(array.nbytes for array in game.state_dict().values())
        table.add_row(name, *map(str, (game.seats, game.sides, game.num_actions, game.layout.width, size)))
    console().print(table)
    return 0
