"""`burako agents`: the agents, what they do and their options."""

from rich.table import Table

import agents
from burako_env.inputs.extras import MissingExtra
from experiments.runs.printing import console
from experiments.runs.settings import Settings


class AgentsSettings(Settings):
    """List the agents and their options, and the other ways to name one."""


def run(settings: AgentsSettings, line: str) -> int:
    """Print one row for each agent."""
    table = Table("agent", "what it does", "options", box=None, header_style="bold", pad_edge=False)
    for name in agents.names():
        try:
            info = agents.describe(name)
        except MissingExtra as missing:
            info = agents.AgentInfo(name, str(missing), ())
        table.add_row(info.name, info.summary, "\n".join(info.options) or "-")
    out = console()
    out.print(table)
    out.print(
        "\nOptions follow a colon: heuristic:discard=safe,pile=never. Options of an agent that is an option itself "
        "stand in brackets: search:policy=heuristic(pile=never). A class of your own is package.module:Class.",
        highlight=False,
    )
    return 0
