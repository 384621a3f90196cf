"""The table as HTML: parts that pages put together, and a page of its own that needs nothing else.

A part is drawn from a `Table` alone, so it shows what that table's observer may know. Cards are SVG (`faces.py`), the
rest is CSS (`table.css`). Pages that are played on find cards and groups by `data-card` and `data-group`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path
from typing import Any, Final

from burako_env.batch import BatchGame
from burako_env.burako.melds.groups import MAX_CARDS
from burako_env.burako.turn.actions import FIRST_RUN, WILD_GROUP
from burako_env.cards import JOKER, RANK_COUNT, is_wild
from burako_env.render.burako.faces import BACK, INKS, name_of
from burako_env.render.burako.faces import sprite as card_sprite
from burako_env.render.burako.scene import Group, Seat, Table, Team, open_table
from burako_env.render.ruibal import faces
from burako_env.render.texts import Texts

# Backs drawn of a hidden hand or the stock; the number stands beside them.
_FEW: Final = 3


@dataclass(frozen=True)
class Player:
    """What a seat is called, and what stands below it in small print."""

    name: str
    note: str = ""


class Drawing:
    """Draws the parts of tables in one language, for players of given names (by absolute seat)."""

    def __init__(self, words: Texts, players: Sequence[Player]) -> None:
        self.words, self.players = words, players

    def table(self, table: Table) -> str:
        """The whole table: the other seats, both teams with stock and pile between, the observer's hand."""
        seats = [seat for seat in table.seats if seat.number != table.observer]
        own = [seat for seat in table.seats if seat.number == table.observer]
        others, ours = self.sides(table)
        return (
            f'<div class="table">{self.status(table)}<div class="seats">{"".join(map(self.seat, seats))}</div>'
            f"{self.team(table, others)}{self.middle(table)}{self.team(table, ours)}"
            f"{''.join(self.hand(table, seat) for seat in own)}</div>"
        )

    def sides(self, table: Table) -> tuple[Team, Team]:
        """The teams from top to bottom: the observer's own is nearer to him."""
        ours = (table.observer or 0) % 2
        return table.teams[1 - ours], table.teams[ours]

    def status(self, table: Table) -> str:
        """Who does what, in a line."""
        words, actor = self.words, table.actor
        if actor is None:
            parts = [words("over")]
        else:
            parts = [words("acts", name=self.players[actor.number].name, does=words(f"phase.{table.phase}"))]
            parts.append(words("turn", turn=table.turns + 1))
            if table.answer != "none":
                parts.append(words(f"answer.{table.answer}"))
            if table.final_turns >= 0:
                parts.append(words.count("last", table.final_turns))
        return f'<p class="status">{escape(" · ".join(parts))}</p>'

    def seat(self, seat: Seat) -> str:
        """A player: name, number of cards, burakos taken, and his hand if it is open."""
        words, player = self.words, self.players[seat.number]
        classes = ["seat", f"team-{seat.team}", *(["acts"] if seat.acts else []), *(["turn"] if seat.turn else [])]
        facts = [words.count("burako.taken", seat.burakos_taken)] if seat.burakos_taken else []
        facts += [words("cut")] if seat.cut else []
        notes = [player.note] if player.note else []
        label = ", ".join([player.name, *notes, words.count("cards", seat.size), *facts])
        marks = '<i class="mark burako"></i>' * seat.burakos_taken
        if seat.hand is not None:
            shown = f'<span class="cards open">{_cards(seat.hand)}</span>'
        elif seat.known:
            shown = f'<span class="cards known" title="{words("holds")}">{_cards(seat.known)}</span>'
        else:
            shown = ""
        note = f"<small>{escape(player.note)}</small>" if player.note else ""
        return (
            f'<div class="{" ".join(classes)}" data-seat="{seat.number}" role="group" aria-label="{escape(label)}" '
            f'title="{escape(label)}">'
            f'<span class="who"><b>{escape(player.name)}</b>{note}</span>'
            f'<span class="size">{_svg(BACK)}<b>{seat.size}</b>{marks}</span>{shown}</div>'
        )

    def seat_line(self, seat: Seat) -> str:
        """A player beside his open hand: name, number of cards, burakos taken."""
        words = self.words
        facts = [words.count("cards", seat.size)]
        facts += [words.count("burako.taken", seat.burakos_taken)] if seat.burakos_taken else []
        facts += [words("cut")] if seat.cut else []
        return f"<b>{escape(self.players[seat.number].name)}</b> <small>{escape(' · '.join(facts))}</small>"

    def middle(self, table: Table) -> str:
        """Stock and pile."""
        words = self.words
        stock = "".join(_svg(BACK) for _ in range(min(table.stock, _FEW)))
        size = len(table.pile) + len(table.below)
        under = f'<span class="under">{_cards(table.below)}</span>' if table.below else ""
        empty = f"<em>{words('empty')}</em>"
        notes = [words("single", card=words.card(table.single))] if table.single is not None else []
        if table.bottom is not None:
            notes.append(f"{words.card(table.bottom)}: {words('bottom')}")
        said = "".join(f'<p class="note">{escape(note)}</p>' for note in notes)
        listed = ", ".join(map(words.card, (*table.below, *table.pile)))
        return (
            f'<div class="middle"><div class="stock" data-zone="stock" role="group" '
            f'aria-label="{words("stock")}, {words.count("cards", table.stock)}"><span class="cards">{stock or empty}'
            f'</span><span class="count">{words("stock")} <b>{table.stock}</b></span></div>'
            f'<div class="pile" data-zone="pile" role="group" title="{escape(listed)}" '
            f'aria-label="{words("pile")}, {words.count("cards", size)}: {escape(listed)}">'
            f'<span class="cards">{under}{_cards(table.pile) or ("" if under else empty)}</span>'
            f'<span class="count">{words("pile")} <b>{size}</b></span></div>{said}</div>'
        )

    def team(self, table: Table, team: Team) -> str:
        """A team's open groups, closed bazas, burakos and points."""
        words = self.words
        name = words("team", team=team.number)
        if table.observer is not None:
            name = words("us" if team.number == table.observer % 2 else "them")
        groups = "".join(self.group(group, half=len(group.cards) == table.opening) for group in team.groups)
        groups = groups or f"<p>{words('nothing')}</p>"
        justified = words("justified" if team.justified else "unjustified")
        left = words.count("burako.left", team.burakos_left) if team.burakos_left else words("burako.none")
        burakos = _svg(BACK) * team.burakos_left
        return (
            f'<section class="team team-{team.number}" data-team="{team.number}" aria-label="{escape(name)}">'
            f"<header><h2>{escape(name)}</h2>{self._points(table, team)}"
            f'<span class="badge {"good" if team.justified else ""}">{justified}</span>'
            f'<span class="reserve" title="{left}" role="img" aria-label="{left}">{burakos}<small>{left}</small></span>'
            f'</header>{self._bazas(team)}<div class="groups">{groups}</div></section>'
        )

    def group(self, group: Group, *, half: bool = False) -> str:
        """An open group."""
        words = self.words
        name = group_name(group, words)
        label = f"{name}: {', '.join(map(words.card, group.cards))}"
        return (
            f'<div class="group{" half" if half else ""}" data-group="{group.number}" role="group" '
            f'aria-label="{escape(label)}" title="{escape(name)}"><span class="cards">{_cards(group.cards)}</span>'
            f"<small>{len(group.cards)}<i>/{MAX_CARDS}</i></small></div>"
        )

    def hand(self, table: Table, seat: Seat) -> str:
        """An open hand at the foot of the table, card by card."""
        words, drawn = self.words, table.drawn
        cards = []
        for card in seat.hand or ():
            fresh, drawn = card == drawn, None if card == drawn else drawn
            cards.append(
                f'<span class="card{" drawn" if fresh else ""}" data-card="{name_of(card)}" '
                f'aria-label="{escape(words.card(card))}{", " + words("drawn") if fresh else ""}" role="img">'
                f"{_svg(card)}</span>"
            )
        classes = f"hand{' acts' if seat.acts else ''}"
        return f'<div class="{classes}" data-seat="{seat.number}" aria-label="{words("hand")}">{"".join(cards)}</div>'

    def _points(self, table: Table, team: Team) -> str:
        words = self.words
        parts = []
        if table.target:
            parts.append(
                f'<span class="points total"><b>{team.total}</b> {words("total")} '
                f"<small>{words('target', target=table.target)}</small></span>"
            )
        if team.score is not None:
            parts.append(f'<span class="points"><b>{team.score}</b> {words("score")}</span>')
        parts.append(f'<span class="points"><b>{team.laid}</b> {words("laid")}</span>')
        return "".join(parts)

    def _bazas(self, team: Team) -> str:
        """Closed bazas as stacks: clean ones face down, dirty ones and wilds with a wild on top (GROUP-1)."""
        if not team.bazas:
            return ""
        words = self.words
        wilds = [card for card in team.closed if is_wild(card)]
        stacks = []
        for kind, count in team.bazas:
            top = BACK if kind.startswith("clean") or not wilds else wilds[-1]
            stacks.append(
                f'<span class="baza"><span class="stack">{_svg(top)}</span>'
                f"<b>{f'{count} &times; ' if count > 1 else ''}{words(kind)}</b></span>"
            )
        listed = ", ".join(map(words.card, team.closed))
        return (
            f'<div class="bazas" role="group" aria-label="{words("bazas")}: {escape(listed)}" title="{escape(listed)}">'
            f"{''.join(stacks)}</div>"
        )


def group_name(group: Group, words: Texts) -> str:
    """What a group is called."""
    if group.number == WILD_GROUP:
        return words("wild")
    if group.number < FIRST_RUN:
        return words("set", rank=words.rank(group.number, many=True))
    suit = next(card // RANK_COUNT for card in group.cards if card != JOKER)
    return words("run", suit=words(f"suit.{suit}"))


def table_page(game: BatchGame, index: int = 0, language: str = "en") -> str:
    """One game with every hand open as an HTML page that needs nothing else: the render mode `html`."""
    words = Texts(language)
    drawing = Drawing(words, [Player(words("player", seat=seat)) for seat in range(game.seats)])
    heading = game.name
    if (match := game.match) is not None:
        heading += f", {int(match.hands_played[index]) + (not match.done[index])}/{match.max_hands}"
    return page(heading, f"<main>{drawing.table(open_table(game, index))}</main>", language)


def page(
    title: str,
    body: str,
    language: str = "en",
    *,
    styles: Iterable[str] = (),
    scripts: Iterable[str] = (),
    sprite: str | None = None,
) -> str:
    """An HTML page with the table's style in it; `styles` and `scripts` are texts to put in as well.

    `sprite`: the symbols it draws with, by default the cards.
    """
    style = "\n".join((style_sheet(), *styles))
    symbols = card_sprite() if sprite is None else sprite
    script = "".join(f"<script>\n{text}\n</script>\n" for text in scripts)
    return (
        f'<!doctype html>\n<html lang="{language}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>\n{style}\n</style>\n</head>\n<body>\n{symbols}\n{body}\n"
        f"{script}</body>\n</html>\n"
    )


@cache
def style_sheet() -> str:
    """The table's CSS, colours first."""
    inks = " ".join(f"--{name}: {colour};" for name, colour in {**faces.INKS, **INKS}.items())
    return f":root {{ {inks} }}\n" + Path(__file__).with_name("table.css").read_text(encoding="utf-8")


@cache
def table_script() -> str:
    """What pages that change the table share (`table.js`)."""
    return Path(__file__).with_name("table.js").read_text(encoding="utf-8")


def script_json(value: Any) -> str:
    """A value as JSON that may stand in a script of a page."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("</", "<\\/")


@cache
def _svg(card: int) -> str:
    return f'<svg class="c" viewBox="0 0 100 140" aria-hidden="true"><use href="#c-{name_of(card)}"/></svg>'


def _cards(cards: Iterable[int]) -> str:
    return "".join(map(_svg, cards))


__all__ = ["Drawing", "Player", "group_name", "page", "script_json", "style_sheet", "table_page", "table_script"]
