"""A position of the card game as a text table, drawn from its scene.

`view_text` shows what one seat may know, `game_text` the same table with every hand open. Cards and actions are
written in the words of the case files, so what is read here can be typed there.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from typing import Final

from burako_env.batch import BatchGame
from burako_env.layout import I8, View
from burako_env.render.scene import (
    OVER_PHASE,
    Scene,
    Seat,
    Team,
    card_names,
    game_scene,
    hand_order,
    run_cards,
    view_scene,
)

_WIDTH: Final = 100
_MIN_ROOM: Final = 40
_GROUP_GAP: Final = "   "


def view_text(view: View, row: int = 0, *, seat: int = 0) -> str:
    """What the observer of `view[row]` knows; `seat` is his absolute seat, which names all others."""
    return scene_text(view_scene(view, row, seat=seat))


def game_text(game: BatchGame, index: int = 0) -> str:
    """One game with every hand open, and the points both teams would get now."""
    return scene_text(game_scene(game, index), game.name)


def sorted_hand(counts: I8) -> str:
    """A hand, counts `[53]`: suit by suit, the wilds last."""
    return _GROUP_GAP.join(" ".join(card_names(part)) for part in hand_order(counts))


def scene_text(scene: Scene, heading: str = "") -> str:
    """The table of a scene, in lines of at most 100 characters."""
    lines = [_title(scene, heading), *_middle(scene), ""]
    for number, team in enumerate(scene["teams"]):
        lines += [*_team(scene, number, team), ""]
    players = len(scene["seats"])
    order = [(scene["observer"] or 0) + step for step in range(players)]
    for seat in order:
        lines += _seat(scene, seat % players, scene["seats"][seat % players])
    return "\n".join(lines).rstrip() + "\n"


def _title(scene: Scene, heading: str) -> str:
    if heading and scene["match"]:
        heading += ", hand {} of at most {}".format(*scene["match"])
    over = scene["phase"] == OVER_PHASE
    parts = [heading] if heading else []
    parts.append(f"turn {scene['turn']}")
    parts.append("the hand is over" if over else f"player_{scene['actor']} to act, phase {scene['phase']}")
    if scene["answer"] != "none":
        parts.append(f"ask: {scene['answer']}")
    if scene["final_turns"] is not None and not over:
        parts.append(f"{scene['final_turns']} turns after this one")
    return " | ".join(parts)


def _middle(scene: Scene) -> list[str]:
    """Stock and pile: its last cards in order, those below them sorted."""
    parts = [f"({' '.join(scene['below'])})"] if scene["below"] else []
    parts += [f"{' '.join(scene['top'])} <- top"] if scene["top"] else []
    if scene["single"]:
        laid = ", one laid since" if scene["single_laid"] else ""
        parts.append(f"{scene['single']} was a pile of one{laid}")
    size = len(scene["below"]) + len(scene["top"])
    return _wrap(f"stock {scene['stock']}   pile {f'{size}: ' if size else 'empty   '}", parts)


def _team(scene: Scene, number: int, team: Team) -> list[str]:
    """Open groups, closed bazas and points of a team."""
    seats = " ".join(str(seat) for seat in range(number, len(scene["seats"]), 2))
    facts = [f"burakos left {team['burakos']}"]
    if team["points"] is not None:
        facts.insert(0, f"points of this hand {team['points']}")
    if scene["target"]:
        facts.append(f"total before this hand {team['total']} of {scene['target']}")
    lines = [f"team {number} (seats {seats}): {', '.join(facts)}"]
    sets, runs = [], []
    for group in team["groups"]:
        # A group that is half open goes on.
        text = " ".join(group["cards"]) + (" .." if group["half"] else "")
        if group["name"].startswith("run "):
            runs.append(f"{group['name'].removeprefix('run ')}: {text}")
        else:
            sets.append(text)
    rows = {"sets": sets, "runs": runs, "bazas": _bazas(team)}
    for name, parts in rows.items():
        lines += _wrap(f"  {name:<6}", parts) if parts else []
    return lines if any(rows.values()) else [*lines, "  nothing laid"]


def _bazas(team: Team) -> list[str]:
    """Closed bazas: how many of each kind, of which ranks the sets, and their cards."""
    parts = [f"{count} {kind}" for kind, count in team["kinds"].items()]
    if team["closed_ranks"]:
        parts.append(f"(sets of {' '.join(team['closed_ranks'])})")
    return [*parts, f"cards {' '.join(team['closed'])}"] if parts else []


def _seat(scene: Scene, number: int, seat: Seat) -> list[str]:
    """A player and what is seen of his hand."""
    mark = ">" if number == scene["actor"] else " "
    facts = [f"{mark} player_{number} (team {number % 2})", f"{seat['size']:>2} card{'s' if seat['size'] != 1 else ''}"]
    if seat["burakos"]:
        facts.append(f"{seat['burakos']} burako{'s' if seat['burakos'] > 1 else ''} taken")
    if seat["cut"]:
        facts.append("cut")
    return _wrap(f"{', '.join(facts)}: ", list(_hand(scene, seat)))


def _hand(scene: Scene, seat: Seat) -> Iterable[str]:
    if seat["hand"] is None:
        if seat["known"]:
            yield f"known {' '.join(seat['known'])}"
        return
    yield _GROUP_GAP.join(" ".join(part) for part in seat["hand"])
    if scene["observer"] is not None:
        if seat["drawn"]:
            yield f"(drawn: {seat['drawn']})"
        if seat["bottom"]:
            yield f"(seen at the bottom of the stock: {seat['bottom']})"


def _wrap(head: str, parts: Sequence[str]) -> list[str]:
    """`head` and the parts behind it, over as many lines as they need."""
    lines = [head]
    room = max(_WIDTH - len(head), _MIN_ROOM)
    for piece in (piece for part in parts for piece in textwrap.wrap(part, room)):
        empty = len(lines[-1]) == len(head)
        if not empty and len(lines[-1]) + len(_GROUP_GAP) + len(piece) > len(head) + room:
            lines.append(" " * len(head))
            empty = True
        lines[-1] += piece if empty else _GROUP_GAP + piece
    return [line.rstrip() for line in lines]


__all__ = ["game_text", "run_cards", "scene_text", "sorted_hand", "view_text"]
