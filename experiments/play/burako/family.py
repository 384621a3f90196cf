"""The card game at the table: `plans` and `reasons` put together with how it looks and the words of `words`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Final

from burako_env.batch import BatchGame
from burako_env.burako.game import BurakoGame
from burako_env.burako.notation import action_id, parse_cards, read_action
from burako_env.burako.sheet import score_sheet
from burako_env.burako.turn.actions import NONE, SPECIALS, Kind
from burako_env.cards import card_name, card_type
from burako_env.cases.burako.play import run_counts
from burako_env.render.burako.html import Drawing
from burako_env.render.burako.scene import Scene, open_scene, seat_scene
from burako_env.render.burako.text import view_text
from burako_env.render.page import Player
from burako_env.render.texts import Texts, TextTable
from experiments.play.burako.plans import PLACES, places, plan, why_no_plan
from experiments.play.burako.reasons import Wish, why_not
from experiments.play.burako.score_sheet import sheet_lines
from experiments.play.burako.words import action_text, advice_text, play_words, reason_text
from experiments.play.families import Family, Plan, Shown
from experiments.play.happenings import Ending, Event, Reason, Refused

_LAYING: Final = (Kind.LAY, Kind.DISCARD)
_SEATS: Final = {1: "seat.next", 2: "seat.partner", 3: "seat.last"}


@dataclass(frozen=True)
class Counts:
    """What everybody can count: closed bazas by (team, kind), burakos taken by seat."""

    bazas: dict[tuple[int, str], int]
    burakos: tuple[int, ...]


class CardFamily(Family):
    """The card game, with 4, 6 or 8 players."""

    adviser: ClassVar[str] = "heuristic"
    matches: ClassVar[bool] = True
    template: ClassVar[str] = "cards.html"
    script: ClassVar[str] = "cards.js"

    # The game.

    def look(self, hand: BatchGame, seat: int) -> Scene:
        one = _cards(hand)
        return seat_scene(one.view(seats=seat), one.rules, seat=seat)

    def happened(self, before: BatchGame, action: int, after: BatchGame, person: int) -> list[Event]:
        hand, seat = _cards(before), int(before.to_act[0])
        kind, card, group = _row(hand, action)
        cards: tuple[int, ...] = () if card is None else (card,)
        if kind == Kind.REJECT:
            cards = (int(hand.view(seats=seat).drawn[0]) - 1,)
        elif kind == Kind.DRAW_PILE:
            table = self.look(hand, seat)
            cards = (*table.below, *table.pile)
        event = Event(kind.name, seat, cards, group, text=hand.action_text(action))
        return [_with_outcome(event, _public_counts(hand), _public_counts(_cards(after)))]

    def noted(self, events: tuple[Event, ...], event: Event) -> tuple[Event, ...]:
        """Lays on one group in a row become one."""
        last, same = events[-1], (event.key, event.seat, event.group)
        if event.key == Kind.LAY.name and same == (last.key, last.seat, last.group) and not last.closed:
            return (*events[:-1], replace(event, cards=last.cards + event.cards))
        return (*events, event)

    def may_take_back(self, before: BatchGame, actions: Sequence[int], after: BatchGame) -> bool:
        """A lay may be taken back as long as no card came to the hand with it."""
        hand, seat = _cards(before), int(before.to_act[0])
        if not (hand.table.rows["kind"][list(actions)] == Kind.LAY).all():
            return False
        had, has = hand.view(seats=seat).hand[0], _cards(after).view(seats=seat).hand[0]
        return not (has > had).any()

    def ending(self, hand: BatchGame) -> Ending:
        one = _cards(hand)
        position = one.position(0)
        scores = tuple(int(points) for points in one.scores[0])
        return Ending(scores, str(position.reason), position.turns, position.out_seat, sheets=score_sheet(one))

    def is_quick(self, hand: BatchGame, action: int) -> bool:
        """Lays follow one another faster than other actions."""
        return _row(_cards(hand), action)[0] == Kind.LAY

    # What the person does.

    def piece(self, name: str) -> int:
        return card_type(name)

    def is_place(self, hand: BatchGame, place: Any) -> bool:
        number = isinstance(place, int) and not isinstance(place, bool)
        return 0 <= place < _cards(hand).table.groups if number else place in PLACES

    def action(self, hand: BatchGame, kind: str) -> int | None:
        return _cards(hand).table.special(Kind[kind]) if kind in [one.name for one in SPECIALS] else None

    def plan(self, hand: BatchGame, pieces: Sequence[int], place: Any, *, theirs: bool = False) -> Plan:
        one = _cards(hand)
        if not pieces:
            raise Refused("your.lay")
        if theirs:
            raise Refused("illegal", why_not(one, Wish(Kind.LAY, pieces[0], 0, theirs=True)))
        found = plan(one, pieces, place)
        if found is None:
            raise Refused("illegal", why_no_plan(one, pieces, place))
        return found

    def places(self, hand: BatchGame, pieces: Sequence[int], words: Texts) -> dict[str, Any]:
        return {"places": list(places(_cards(hand), pieces)) if pieces else []}

    def why_not(self, hand: BatchGame, action: int) -> Reason:
        return why_not(_cards(hand), Wish(*_row(_cards(hand), action)))

    def find(self, hand: BatchGame, typed: str) -> int | None:
        one = _cards(hand)
        return action_id(one.table, read_action(typed), run_counts(one.position(0)))

    def command(self, hand: BatchGame, typed: Sequence[str]) -> Plan | None:
        """`new 9S 10S JS` opens a group."""
        if not typed or typed[0] != "new":
            return None
        return self.plan(hand, parse_cards(" ".join(typed[1:])), "new")

    # How it looks and what it is called.

    def words(self, language: str, *more: TextTable) -> Texts:
        return play_words(language, *more)

    def seat_names(self, words: Texts, relative: int, count: int, seat: int) -> str:
        return words(_SEATS[relative]) if count == len(_SEATS) + 1 else words("player", seat=seat)

    def pen(self, words: Texts, players: Sequence[Player]) -> Drawing:
        return Drawing(words, players)

    def parts(self, shown: Shown, pen: Drawing) -> dict[str, str]:
        table: Scene = shown.table()
        theirs, ours = pen.sides(table)
        own = table.seats[0]
        return {
            "status": pen.status(table),
            "seats": "".join(map(pen.seat, table.seats[1:])),
            "theirs": pen.team(table, theirs),
            "middle": pen.middle(table),
            "ours": pen.team(table, ours),
            "hand": pen.hand(table, own),
            "own": pen.seat_line(own),
        }

    def facts(self, shown: Shown, words: Texts) -> dict[str, Any]:
        hand, legal, table = _cards(shown.hand), shown.legal(), shown.table()
        rows = hand.table.rows
        plain = [_button(hand, action, words) for action in legal if rows["kind"][action] not in _LAYING]
        return {
            "phase": table.phase,
            "layable": _cards_of(rows, legal, Kind.LAY),
            "discardable": _cards_of(rows, legal, Kind.DISCARD),
            "actions": [button for button in plain if f"do.{button['kind']}" in words],
            # Kinds that the page has no words for, such as the infractions of sanctions play: a list, as in records.
            "others": [button for button in plain if f"do.{button['kind']}" not in words],
        }

    def prompt(self, shown: Shown, pen: Drawing) -> str:
        words, table = pen.words, shown.table()
        phase, actor = table.phase, table.actor
        if shown.ending is not None or actor is None:
            return words("over")
        if not shown.yours:
            return words("wait", name=pen.players[actor.number].name)
        if phase == "draw":
            key = "your.draw.last" if not table.stock else "your.draw" if table.pile else "your.draw.one"
            return words(key)
        if phase == "look":
            return words("your.look", card=words.card(table.drawn if table.drawn is not None else 0))
        if phase == "answer":
            asker = next(seat for seat in table.seats if seat.turn)
            return words("your.answer", name=pen.players[asker.number].name)
        if phase == "burako":
            return words("your.burako")
        if table.opening:
            return words("your.half")
        laying = {_row(_cards(shown.hand), action)[0] for action in shown.legal()} & set(_LAYING)
        return words("your.lay" if laying else "your.stuck")

    def event_text(self, event: Event, hand: BatchGame, pen: Drawing) -> str:
        words, key, text = pen.words, f"event.{event.key}", event.text
        if key in words:
            slots = _cards(hand).rules.run_slots
            text = action_text(key, words, event.cards, event.group, slots, why=event.why)
        if event.closed:
            text += ", " + words("event.closed", kind=words(event.closed))
        if event.burako:
            text += ", " + words("event.burako")
        return text

    def reason_text(self, reason: Reason, words: Texts) -> str:
        return reason_text(reason, words)

    def advice_text(self, hand: BatchGame, action: int, words: Texts) -> str:
        return advice_text(_cards(hand), action, words)

    def hint(self, hand: BatchGame, action: int) -> dict[str, Any]:
        kind, card, group = _row(_cards(hand), action)
        return {"card": None if card is None else card_name(card), "group": group, "kind": kind.name}

    def ending_lines(self, shown: Shown, pen: Drawing) -> dict[str, Any]:
        words, ours, ending = pen.words, shown.seat % 2, shown.ending
        assert ending is not None
        own, other = ending.scores[ours], ending.scores[1 - ours]
        key = "won" if own > other else "lost" if own < other else "even"
        title = words(f"result.hand.{key}")
        if ending.match_over:
            won = "won" if ending.winner == ours else "lost"
            title = words("result.stopped" if ending.winner < 0 else f"result.{won}")
        name = "" if ending.out is None else pen.players[ending.out].name
        rows: list[dict[str, Any]] = [
            {"name": words(side), "points": points, "shown": f"{points:+}"}
            for side, points in (("us", own), ("them", other))
        ]
        if ending.totals is not None:
            rows[0]["total"], rows[1]["total"] = ending.totals[ours], ending.totals[1 - ours]
        again = ending.totals is None or ending.match_over
        return {
            "title": title,
            "text": words(f"result.{ending.reason}", name=name, turns=ending.turns),
            "rows": rows,
            "next": words("do.again" if again else "do.next"),
            "sheet": sheet_lines(ending, ours, words, _cards(shown.hand).rules.target),
        }

    def text(self, hand: BatchGame, seat: int, words: Texts) -> str:
        return view_text(hand.view(seats=seat), seat=seat)

    def views(self, hand: BatchGame, pen: Drawing) -> list[list[str | None]]:
        one = _cards(hand)
        copies = one.select([0] * one.seats).view(seats=list(range(one.seats)))
        tables = [open_scene(one), *(seat_scene(copies, one.rules, seat, seat=seat) for seat in range(one.seats))]
        found: list[list[str | None]] = []
        for table in tables:
            upper, lower = pen.sides(table)
            own = [pen.hand(table, seat) for seat in table.seats if seat.number == table.observer]
            others = [pen.seat(seat) for seat in table.seats if seat.number != table.observer]
            parts = (pen.status(table), pen.team(table, upper), pen.middle(table), pen.team(table, lower))
            found.append([*parts, own[0] if own else None, *others])
        return found

    def ended(self, hand: BatchGame, pen: Drawing) -> tuple[str, dict[str, Any] | None]:
        words, position = pen.words, _cards(hand).position(0)
        if position.reason is None:
            return "", None
        name = "" if position.out_seat is None else pen.players[position.out_seat].name
        scores = hand.scores[0].tolist()
        points = ", ".join(f"{words('team', team=team)} {score:+}" for team, score in enumerate(scores))
        head = [words("team", team=team) for team in range(2)]
        sheet = {**sheet_lines(self.ending(hand), 0, words, _cards(hand).rules.target), "head": head}
        return f"{words(f'result.{position.reason}', name=name, turns=position.turns)} {points}", sheet

    @property
    def help(self) -> tuple[str, str]:
        return (
            "Several cards at once: 'new 9S 10S JS' opens a group.",
            "Varias cartas: 'new 9S 10S JS' abre un grupo.",
        )

    def side_of(self, seat: int) -> int:
        return seat % 2


def _cards(game: BatchGame) -> BurakoGame:
    assert isinstance(game, BurakoGame)
    return game


def _row(hand: BurakoGame, action: int) -> tuple[Kind, int | None, int | None]:
    """Kind, card and group of an action."""
    kind, card, group = (int(value) for value in hand.table.rows[action])
    return Kind(kind), None if card == NONE else card, None if group == NONE else group


def _public_counts(hand: BurakoGame) -> Counts:
    table = seat_scene(hand.view(seats=0), hand.rules)
    bazas = {(team.number, kind): count for team in table.teams for kind, count in team.bazas}
    return Counts(bazas, tuple(seat.burakos_taken for seat in table.seats))


def _with_outcome(event: Event, before: Counts, after: Counts) -> Event:
    """The event with the baza that it closed, and the burako that came with it."""
    closed = [kind for (team, kind), count in after.bazas.items() if count > before.bazas.get((team, kind), 0)]
    taken = event.key != Kind.TAKE_BURAKO.name and sum(after.burakos) > sum(before.burakos)
    return replace(event, closed=closed[0] if closed else "", burako=taken)


def _cards_of(rows: Any, legal: list[int], kind: Kind) -> list[str]:
    """Names of the cards that a kind of action is legal with."""
    return sorted({card_name(int(rows["card"][action])) for action in legal if rows["kind"][action] == kind})


def _button(hand: BurakoGame, action: int, words: Texts) -> dict[str, Any]:
    """A button for an action that is not about a chosen card; one without words of its own says its text."""
    name = _row(hand, action)[0].name
    key = f"do.{name}"
    return {"id": action, "kind": name, "text": words(key) if key in words else hand.action_text(action)}
