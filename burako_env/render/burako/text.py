"""A position of the card game as a text table, drawn from the same `Scene` as pages and pictures.

`view_text` shows what one seat may know, `game_text` the same table with every hand open. Cards and actions are
written in the words of the case files, so what is read here can be typed there.
"""

import textwrap
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Final

from burako_env.batch import BatchGame
from burako_env.burako.melds.groups import MIN_CARDS
from burako_env.cards import RANK_COUNT, RANK_NAMES, SUIT_COUNT, card_name, is_wild
from burako_env.layout import View
from burako_env.render.burako.scene import Group, Scene, Seat, Team, open_scene, place_in_match, seat_scene

_WIDTH: Final = 100
_MIN_ROOM: Final = 40
_GROUP_GAP: Final = "   "


def view_text(view: View, row: int = 0, *, seat: int = 0) -> str:
    """What the observer of `view[row]` knows; `seat` is their absolute seat, from which all others are named."""
    return _text(seat_scene(view, None, row, seat=seat))


def game_text(game: BatchGame, index: int = 0) -> str:
    """One game with every hand open, and the points both teams would get now."""
    heading = game.name
    if (place := place_in_match(game, index)) is not None:
        heading += f", hand {place[0]} of at most {place[1]}"
    return _text(open_scene(game, index), heading)


def sorted_hand(cards: Iterable[int]) -> str:
    """A hand suit by suit, the wilds last."""
    ordered = sorted(cards, key=lambda card: (_part(card), card))
    return _GROUP_GAP.join(_cards(part) for _, part in groupby(ordered, _part))


def _part(card: int) -> int:
    """Where in a hand a card stands: its suit, or after all suits."""
    return SUIT_COUNT if is_wild(card) else card // RANK_COUNT


def _text(scene: Scene, heading: str = "") -> str:
    lines = [_title(scene, heading), *_middle(scene), ""]
    for team in scene.teams:
        lines += [*_team(scene, team), ""]
    return "\n".join([*lines, *(line for seat in scene.seats for line in _seat(scene, seat))]).rstrip() + "\n"


def _title(scene: Scene, heading: str) -> str:
    parts, actor = [heading] if heading else [], scene.actor
    if actor is None:
        parts += [f"turn {scene.turns}", "the hand is over"]
    else:
        parts += [f"turn {scene.turns + 1}", f"player_{actor.number} to act, phase {scene.phase}"]
    if scene.answer != "none":
        parts.append(f"ask: {scene.answer}")
    if scene.final_turns >= 0 and actor is not None:
        parts.append(f"{scene.final_turns} turns after this one")
    return " | ".join(parts)


def _middle(scene: Scene) -> list[str]:
    """Stock and pile: its last cards in order, those below them sorted."""
    parts = [f"({_cards(sorted(scene.below))})"] if scene.below else []
    parts += [f"{_cards(scene.pile)} <- top"] if scene.pile else []
    if scene.single is not None:
        parts.append(f"{card_name(scene.single)} was a pile of one{', one laid since' if scene.single_laid else ''}")
    size = len(scene.below) + len(scene.pile)
    return _wrap(f"stock {scene.stock}   pile {f'{size}: ' if size else 'empty   '}", parts)


def _team(scene: Scene, team: Team) -> list[str]:
    """Open groups, closed bazas and points of a team."""
    seats = " ".join(str(seat) for seat in range(team.number, len(scene.seats), 2))
    facts = [] if team.score is None else [f"points of this hand {team.score}"]
    facts.append(f"burakos left {team.burakos_left}")
    if scene.target:
        facts.append(f"total before this hand {team.total} of {scene.target}")
    lines = [f"team {team.number} (seats {seats}): {', '.join(facts)}"]
    rows = {
        "sets": [_group(group) for group in team.groups if not group.run],
        "runs": [f"{group.run}: {_group(group)}" for group in team.groups if group.run],
        "bazas": _bazas(team),
    }
    for name, parts in rows.items():
        lines += _wrap(f"  {name:<6}", parts) if parts else []
    return lines if any(rows.values()) else [*lines, "  nothing laid"]


def _bazas(team: Team) -> list[str]:
    """Closed bazas: how many of each kind, of which ranks the sets, and their cards."""
    if not team.bazas:
        return []
    parts = [f"{count} {kind}" for kind, count in team.bazas]
    if team.ranks:
        parts.append(f"(sets of {' '.join(RANK_NAMES[rank] for rank in team.ranks)})")
    return [*parts, f"cards {_cards(sorted(team.closed))}"]


def _seat(scene: Scene, seat: Seat) -> list[str]:
    mark, taken = ">" if seat.acts else " ", seat.burakos_taken
    facts = [f"{mark} player_{seat.number} (team {seat.team})", f"{seat.size:>2} card{'s' if seat.size != 1 else ''}"]
    if taken:
        facts.append(f"{taken} burako{'s' if taken > 1 else ''} taken")
    if seat.cut:
        facts.append("cut")
    return _wrap(f"{', '.join(facts)}: ", _hand(scene, seat))


def _hand(scene: Scene, seat: Seat) -> list[str]:
    """What is seen of a seat's hand."""
    if seat.hand is None:
        return [f"known {_cards(sorted(seat.known))}"] if seat.known else []
    shown = [sorted_hand(seat.hand)]
    if seat.number == scene.observer:
        told = (("drawn", scene.drawn), ("seen at the bottom of the stock", scene.bottom))
        shown += [f"({what}: {card_name(card)})" for what, card in told if card is not None]
    return shown


def _cards(cards: Iterable[int]) -> str:
    return " ".join(map(card_name, cards))


def _group(group: Group) -> str:
    """A group; one that is half open goes on."""
    return _cards(group.cards) + (" .." if len(group.cards) < MIN_CARDS else "")


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


__all__ = ["game_text", "sorted_hand", "view_text"]
