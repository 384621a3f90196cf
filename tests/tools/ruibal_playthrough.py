"""The golden playthroughs of the children's levels as text."""

from __future__ import annotations

from burako_env.families import make
from burako_env.records.format import HandRecord
from burako_env.render.ruibal.text import board_lines, cells_text, spread_lines
from burako_env.ruibal import RuibalGame
from burako_env.ruibal.notation import read_action
from burako_env.ruibal.position import BoardPosition, LevelPosition, PerceptionPosition, RackPosition, TablePosition
from burako_env.ruibal.tiles import TYPE_NAMES, format_tiles


def ruibal_text(record: HandRecord) -> str:
    """A game: how it starts, each turn (level 1: each call) with its actions and what it leaves, how it ends."""
    game = make(record.game, 1, record.root_seed, record.rules)
    assert isinstance(game, RuibalGame)
    game.reset([record.deal_id], swap_sides=record.orientation)
    lines = _start(record, game.position(0))
    actions = list[str]()
    for text in record.actions:
        before = game.position(0)
        actions.append(f"seat {before.turn} {text}" if isinstance(before, PerceptionPosition) else text)
        action = game.action_id(read_action(game.table, text))
        assert action is not None
        turns = int(game.turns[0])
        game.step([action])
        if game.turns[0] > turns:
            lines += _turn(turns + 1, before, actions, game.position(0))
            actions = []
    return "\n".join([*lines, *_end(game)]) + "\n"


def _start(record: HandRecord, position: LevelPosition) -> list[str]:
    lines = [
        f"{record.game}, deal {record.deal_id} of root seed {record.root_seed}, table turned by {record.orientation}; "
        f"agents by seat: {', '.join(record.agents)}",
        "",
        "start:",
    ]
    if isinstance(position, RackPosition):
        lines += [f"  seat {seat}  {format_tiles(rack)}" for seat, rack in enumerate(position.racks)]
        return [*lines, f"  pool  {format_tiles(position.pool)}"]
    assert isinstance(position, PerceptionPosition)
    return [
        *lines,
        *(f"  {line}" for line in spread_lines(position.spread)),
        f"  calls  {format_tiles(position.calls)}",
    ]


def _turn(number: int, before: LevelPosition, actions: list[str], after: LevelPosition) -> list[str]:
    """What a turn did, and what everybody sees after it."""
    gained = [now - then for now, then in zip(after.crowns, before.crowns, strict=True)]
    crowns = f"crowns {' '.join(map(str, after.crowns))}"
    match before, after:
        case PerceptionPosition(), PerceptionPosition():
            sitting = f", next sits out: {' '.join(map(str, after.sitting))}" if after.sitting else ""
            return [
                "",
                f"call {number}: {TYPE_NAMES[before.calls[0]]} lies at {before.spread.index(before.calls[0]) + 1}",
                f"  {', '.join(actions)}",
                f"  {f'seat {gained.index(1)} was fastest' if any(gained) else 'nobody'}; {crowns}{sitting}",
            ]
        case RackPosition(), RackPosition():
            seat = before.turn
            return [
                "",
                f"turn {number}, seat {seat}",
                *(f"  {action}" for action in actions),
                f"    rack   {format_tiles(after.racks[seat]) or '-'}",
                *(f"    {line}" for line in _laid(after)),
                f"    pool {len(after.pool)}, {crowns}"
                + (f", used {format_tiles(after.used)}" if after.used else "")
                + (f", {after.turns_left} turns left" if after.turns_left > 1 else ""),
            ]
    raise TypeError(f"{type(after).__name__} is no position of a level")


def _laid(position: RackPosition) -> list[str]:
    if isinstance(position, BoardPosition):
        return board_lines(position.board)
    assert isinstance(position, TablePosition)
    return [f"table   {' | '.join(map(cells_text, position.table)) or '-'}"]


def _end(game: RuibalGame) -> list[str]:
    position = game.position(0)
    crowns = " ".join(map(str, position.crowns))
    winners = " and ".join(map(str, position.winners))
    return ["", f"end: {position.reason}, crowns {crowns}, won by seat {winners}"]
