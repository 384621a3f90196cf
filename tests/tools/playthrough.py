"""Golden playthroughs: one hand of every game as text that a reader can follow, from a record of its actions.

    python -m tests.tools.playthrough                       # write tests/golden/*.txt anew from the records beside them
    python -m tests.tools.playthrough --new burako-4 66     # play deal 66 by the rule-based agent and keep its record

What is played is in the record, so that the text changes only when the rules or the words do, never with an agent.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable
from typing import Final

import agents
from burako_env.burako.game import BurakoGame
from burako_env.burako.notation import parse_action
from burako_env.burako.position import Position
from burako_env.burako.rules import PRESETS
from burako_env.cards import card_name
from burako_env.cases.burako.groups import group_kind
from burako_env.cases.burako.play import run_counts
from burako_env.families import game_names, make
from burako_env.records.format import HandRecord, append, read
from burako_env.records.recorder import Recorder
from burako_env.ruibal import LEVELS
from tests.tools.places import GOLDEN
from tests.tools.ruibal_playthrough import ruibal_text


def burako_text(record: HandRecord) -> str:
    """A hand of the card game: how it starts, each turn with its actions and what it leaves, how it ends."""
    game = make(record.game, 1, record.root_seed, record.rules)
    assert isinstance(game, BurakoGame)
    game.reset([record.deal_id], swap_sides=record.swapped)
    lines = _start(record, game.position(0))
    seat, actions = _in_turn(game.position(0)), list[str]()
    for text in record.actions:
        position = game.position(0)
        actions.append(text if position.turn == seat else f"(seat {position.turn}) {text}")
        action = parse_action(game.table, text, run_counts(position))
        assert action is not None
        turns = int(game.turns[0])
        game.step([action])
        if game.done[0] or game.turns[0] > turns:
            lines += _turn(turns + 1, seat, actions, game)
            seat, actions = _in_turn(game.position(0)), []
    return "\n".join([*lines, *_end(game)]) + "\n"


TEXTS: Final[dict[str, Callable[[HandRecord], str]]] = {
    **dict.fromkeys(PRESETS, burako_text),
    **dict.fromkeys(LEVELS, ruibal_text),
}


def _in_turn(position: Position) -> int:
    """The seat whose turn it is."""
    return position.turn if position.asker is None else position.asker


def _cards(cards: Iterable[int]) -> str:
    return " ".join(card_name(card) for card in cards) or "-"


def _start(record: HandRecord, position: Position) -> list[str]:
    players = f"agents by seat: {', '.join(record.agents)}" if record.agents else "agents unknown"
    rules = ", ".join(f"{key} = {value}" for key, value in record.rules.items()) or "as the preset has them"
    sides = ", sides swapped" if record.swapped else ""
    return [
        f"{record.game}, deal {record.deal_id} of root seed {record.root_seed}{sides}; {players}",
        f"rules: {rules}",
        "",
        f"start: seat {position.cutter} cut, seat {position.turn} plays first",
        *(
            f"  seat {seat}  {_cards(cards)}" + (f"   (shown: {_cards(shown)})" if shown else "")
            for seat, (cards, shown) in enumerate(zip(position.hands, position.shown, strict=True))
        ),
        *(
            f"  burako {nth} of team {team}  {_cards(cards)}"
            for team, burakos in enumerate(position.burakos)
            for nth, cards in enumerate(burakos, start=1)
        ),
        f"  stock  {_cards(position.stock)}",
    ]


def _turn(number: int, seat: int, actions: list[str], game: BurakoGame) -> list[str]:
    """The actions of a turn, and what everybody sees after it."""
    position, team = game.position(0), seat % 2
    known = sorted(position.known[seat] + position.shown[seat])
    points = " ".join(map(str, game.scores[0].tolist()))
    return [
        "",
        f"turn {number}, seat {seat}",
        *(f"  {action}" for action in actions),
        f"    hand   {_cards(position.hands[seat])}" + (f"   (known: {_cards(known)})" if known else ""),
        f"    table of team {team}   {_table(position, team)}",
        f"    pile   {_cards(position.pile)}",
        f"    stock {len(position.stock)}, burakos left {_left(position)}, points {points}",
    ]


def _table(position: Position, team: int) -> str:
    groups = [_cards(cards) for cards in position.tables[team]]
    closed = [f"[{_kind(cards, position)}: {_cards(cards)}]" for cards in position.closed[team]]
    return " | ".join(groups + closed) or "-"


def _kind(cards: list[int], position: Position) -> str:
    kind = group_kind(cards, position.rules)
    assert kind is not None
    return kind.words


def _left(position: Position) -> str:
    return " ".join(str(len(burakos)) for burakos in position.burakos)


def _end(game: BurakoGame) -> list[str]:
    position = game.position(0)
    how = f"seat {position.out_seat} went out" if position.out_seat is not None else str(position.reason)
    scores = game.scores[0].tolist()
    return [
        "",
        f"end: {how} after {position.turns} whole turns and {int(game.decisions[0])} actions",
        *(f"  seat {seat}  {_cards(cards)}" for seat, cards in enumerate(position.hands)),
        *(
            f"  team {team}  {scores[team]} points, burakos taken by {_seats(position.taken_by[team])}, "
            f"table   {_table(position, team)}"
            for team in range(2)
        ),
    ]


def _seats(seats: list[int]) -> str:
    return ", ".join(f"seat {seat}" for seat in seats) or "nobody"


def recorded(game: str) -> HandRecord:
    """The record of a game's golden hand."""
    ((_, record),) = read(GOLDEN / f"{game}.jsonl")
    assert isinstance(record, HandRecord)
    return record


def play_new(name: str, deal_id: int) -> HandRecord:
    """A hand by the rule-based agent."""
    spec = "heuristic" if name in PRESETS else "greedy"
    game, agent = make(name), agents.load(spec, name)
    recorder = Recorder(game)
    game.reset([deal_id])
    recorder.begin([spec] * game.seats)
    while not game.done.all():
        actions = agent.act(game.view(), game.legal(), game.keys())
        recorder.note(actions)
        game.step(actions)
    ((_, record),) = recorder.collect()
    assert isinstance(record, HandRecord)
    return record


def main(arguments: list[str] | None = None) -> None:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.tools.playthrough", description="Write the golden playthroughs."
    )
    parser.add_argument("--new", nargs=2, metavar=("GAME", "DEAL"), help="play another hand of a game first")
    options = parser.parse_args(arguments)
    if options.new:
        name, deal_id = options.new
        path = GOLDEN / f"{name}.jsonl"
        record = play_new(name, int(deal_id))
        path.unlink(missing_ok=True)
        append(path, [record])
    for name in game_names():
        if (GOLDEN / f"{name}.jsonl").exists():
            (GOLDEN / f"{name}.txt").write_text(TEXTS[name](recorded(name)), encoding="utf-8")


if __name__ == "__main__":
    main()
