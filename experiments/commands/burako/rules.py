"""What `burako rules` says of the card game around the table of its keys."""

from rich.console import RenderableType
from rich.table import Table

from burako_env.burako.rules import Rules
from burako_env.burako.sanctions.texts import SANCTION_ACTIONS


def about(rules: Rules) -> tuple[str, list[RenderableType]]:
    """The line above the table, and what stands below it."""
    line = f"{rules.card_count} cards, stock after the deal {rules.stock_size}"
    if not rules.sanctions:
        return line, ["\n`--enforcement sanctions` lists the infractions, their prices and their names in case files."]
    actions = Table("rule", "action", "what it does", box=None, header_style="bold", pad_edge=False)
    for row in SANCTION_ACTIONS:
        actions.add_row(*row)
    return line, [
        "\nSanctions play: actions in addition to those of strict play, as case files write them\n",
        actions,
        "\nAnnulled cards go to the bottom of the stock. GROUP is set 9, run S1 or wild.",
    ]
