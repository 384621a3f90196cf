"""The table as HTML: parts that pages put together, and a page of its own that needs nothing else.

A part is drawn from a `Scene` alone, so it shows what that table's observer may know. Cards are SVG (`faces.py`), the
rest is CSS (`table.css`). Pages that are played on find cards and groups by `data-card` and `data-group`.
"""

from collections.abc import Iterable, Sequence
from html import escape
from typing import Final

from burako_env.batch import BatchGame
from burako_env.burako.melds.groups import MAX_CARDS
from burako_env.burako.turn.actions import FIRST_RUN, WILD_GROUP
from burako_env.cards import JOKER, RANK_COUNT, is_wild
from burako_env.render.burako.faces import BACK, name_of
from burako_env.render.burako.scene import Group, Scene, Seat, Team, open_scene, place_in_match
from burako_env.render.page import Player, face_svg, page
from burako_env.render.texts import Texts

# Backs drawn of a hidden hand or the stock; the number stands next to them.
_FEW: Final = 3


class Drawing:
    """Draws the parts of tables in one language, for players of given names (by absolute seat)."""

    def __init__(self, words: Texts, players: Sequence[Player]) -> None:
        self.words, self.players = words, players

    def table(self, scene: Scene) -> str:
        """The whole table: the other seats, both teams with stock and pile between, the observer's hand."""
        seats = [seat for seat in scene.seats if seat.number != scene.observer]
        own = [seat for seat in scene.seats if seat.number == scene.observer]
        others, ours = self.sides(scene)
        return (
            f'<div class="table">{self.status(scene)}<div class="seats">{"".join(map(self.seat, seats))}</div>'
            f"{self.team(scene, others)}{self.middle(scene)}{self.team(scene, ours)}"
            f"{''.join(self.hand(scene, seat) for seat in own)}</div>"
        )

    def sides(self, scene: Scene) -> tuple[Team, Team]:
        """The teams from top to bottom: the observer's own is nearer to them."""
        ours = (scene.observer or 0) % 2
        return scene.teams[1 - ours], scene.teams[ours]

    def status(self, scene: Scene) -> str:
        """Who does what, in a line."""
        words, actor = self.words, scene.actor
        if actor is None:
            parts = [words("over")]
        else:
            parts = [words("acts", name=self.players[actor.number].name, does=words(f"phase.{scene.phase}"))]
            parts.append(words("turn", turn=scene.turns + 1))
            if scene.answer != "none":
                parts.append(words(f"answer.{scene.answer}"))
            if scene.final_turns >= 0:
                parts.append(words.count("last", scene.final_turns))
        return f'<p class="status">{escape(" · ".join(parts))}</p>'

    def seat(self, seat: Seat) -> str:
        """A player: name, number of cards, burakos taken, and their hand if it is open."""
        words, player = self.words, self.players[seat.number]
        classes = ["seat", f"team-{seat.team}", *(["acts"] if seat.acts else []), *(["turn"] if seat.turn else [])]
        label = ", ".join([player.name, *([player.note] if player.note else []), *self._facts(seat)])
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
        """A player whose open hand lies below: name, number of cards, burakos taken."""
        facts = " · ".join(self._facts(seat))
        return f"<b>{escape(self.players[seat.number].name)}</b> <small>{escape(facts)}</small>"

    def _facts(self, seat: Seat) -> list[str]:
        facts = [self.words.count("cards", seat.size)]
        facts += [self.words.count("burako.taken", seat.burakos_taken)] if seat.burakos_taken else []
        return [*facts, *([self.words("cut")] if seat.cut else [])]

    def middle(self, scene: Scene) -> str:
        """Stock and pile."""
        words = self.words
        stock = "".join(_svg(BACK) for _ in range(min(scene.stock, _FEW)))
        size = len(scene.pile) + len(scene.below)
        under = f'<span class="under">{_cards(scene.below)}</span>' if scene.below else ""
        empty = f"<em>{words('empty')}</em>"
        notes = (
            [words("single", card=words.card(scene.single))]
            if scene.single is not None and not scene.single_laid
            else []
        )
        if scene.bottom is not None:
            notes.append(f"{words.card(scene.bottom)}: {words('bottom')}")
        said = "".join(f'<p class="note">{escape(note)}</p>' for note in notes)
        listed = ", ".join(map(words.card, (*scene.below, *scene.pile)))
        return (
            f'<div class="middle"><div class="stock" data-zone="stock" role="group" '
            f'aria-label="{words("stock")}, {words.count("cards", scene.stock)}"><span class="cards">{stock or empty}'
            f'</span><span class="count">{words("stock")} <b>{scene.stock}</b></span></div>'
            f'<div class="pile" data-zone="pile" role="group" title="{escape(listed)}" '
            f'aria-label="{words("pile")}, {words.count("cards", size)}: {escape(listed)}">'
            f'<span class="cards">{under}{_cards(scene.pile) or ("" if under else empty)}</span>'
            f'<span class="count">{words("pile")} <b>{size}</b></span></div>{said}</div>'
        )

    def team(self, scene: Scene, team: Team) -> str:
        """A team's open groups, closed bazas, burakos and points."""
        words = self.words
        name = words("team", team=team.number)
        if scene.observer is not None:
            name = words("us" if team.number == scene.observer % 2 else "them")
        groups = "".join(self.group(group, half=len(group.cards) == scene.opening) for group in team.groups)
        groups = groups or f"<p>{words('nothing')}</p>"
        justified = words("justified" if team.justified else "unjustified")
        left = words.count("burako.left", team.burakos_left) if team.burakos_left else words("burako.none")
        burakos = _svg(BACK) * team.burakos_left
        return (
            f'<section class="team team-{team.number}" data-team="{team.number}" aria-label="{escape(name)}">'
            f"<header><h2>{escape(name)}</h2>{self._points(scene, team)}"
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

    def hand(self, scene: Scene, seat: Seat) -> str:
        """An open hand at the foot of the table, card by card."""
        words, drawn = self.words, scene.drawn
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

    def _points(self, scene: Scene, team: Team) -> str:
        words = self.words
        parts = []
        if scene.target:
            parts.append(
                f'<span class="points total"><b>{team.total}</b> {words("total")} '
                f"<small>{words('target', target=scene.target)}</small></span>"
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
    if (place := place_in_match(game, index)) is not None:
        heading += f", {place[0]}/{place[1]}"
    return page(game.family, heading, f"<main>{drawing.table(open_scene(game, index))}</main>", language)


def _svg(card: int) -> str:
    return face_svg(name_of(card))


def _cards(cards: Iterable[int]) -> str:
    return "".join(map(_svg, cards))


__all__ = ["Drawing", "group_name", "table_page"]
