"""The card game at the table: `plans` and `reasons` put together with how it looks and with its `texts`."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar, Final

from burako_env.burako.game import BurakoGame
from burako_env.burako.notation import action_id, parse_cards, read_action
from burako_env.burako.sheet import score_sheet
from burako_env.burako.turn.actions import SPECIALS, Kind
from burako_env.cards import card_name, card_type
from burako_env.cases.burako.play import run_counts
from burako_env.render.burako.html import Drawing
from burako_env.render.burako.scene import Scene, open_scene, seat_scene
from burako_env.render.burako.text import view_text
from burako_env.render.texts import Texts
from experiments.play.burako.plans import PLACES, places, plan, why_no_plan
from experiments.play.burako.reasons import Wish, why_not, wish_of
from experiments.play.burako.score_sheet import sheet_lines
from experiments.play.burako.texts import action_text, advice_text, play_words, reason_text
from experiments.play.families import Plan, PlayFamily, Shown
from experiments.play.happenings import Ending, Event, Reason, Refused
from experiments.play.texts import spoken

_LAYING: Final = (Kind.LAY, Kind.DISCARD)
_SEATS: Final = {1: "seat.next", 2: "seat.partner", 3: "seat.last"}


class CardFamily(PlayFamily[BurakoGame, Drawing]):
    """The card game, with 4, 6 or 8 players."""

    template: ClassVar[str] = "cards.html"
    script: ClassVar[str] = "cards.js"

    # The game.

    def look(self, hand: BurakoGame, seat: int) -> Scene:
        return seat_scene(hand.view(seats=seat), hand.rules, seat=seat)

    def happened(self, before: BurakoGame, action: int, after: BurakoGame, person: int) -> list[Event]:
        seat, wish = int(before.to_act[0]), wish_of(before, action)
        cards: tuple[int, ...] = () if wish.card is None else (wish.card,)
        if wish.kind == Kind.REJECT:
            cards = (int(before.view(seats=seat).drawn[0]) - 1,)
        elif wish.kind == Kind.DRAW_PILE:
            table = self.look(before, seat)
            cards = (*table.below, *table.pile)
        # What everybody can count: a baza that it closed, a burako that came with it.
        tables = [self.look(hand, 0) for hand in (before, after)]
        had, has = ({(team.number, kind): n for team in one.teams for kind, n in team.bazas} for one in tables)
        closed = next((kind for (team, kind), count in has.items() if count > had.get((team, kind), 0)), "")
        earlier, later = (sum(one.burakos_taken for one in table.seats) for table in tables)
        taken = wish.kind != Kind.TAKE_BURAKO and later > earlier
        text = before.action_text(action)
        return [Event(wish.kind.name, seat, cards, wish.group, closed, burako=taken, text=text)]

    def noted(self, events: tuple[Event, ...], event: Event) -> tuple[Event, ...]:
        """Lays on one group in a row become one."""
        last, same = events[-1], (event.key, event.seat, event.group)
        if event.key == Kind.LAY.name and same == (last.key, last.seat, last.group) and not last.closed:
            return (*events[:-1], replace(event, cards=last.cards + event.cards))
        return (*events, event)

    def may_take_back(self, before: BurakoGame, actions: Sequence[int], after: BurakoGame) -> bool:
        """A lay may be taken back as long as no card came to the hand with it."""
        if not (before.table.rows["kind"][list(actions)] == Kind.LAY).all():
            return False
        had, has = (hand.view(seats=int(before.to_act[0])).hand[0] for hand in (before, after))
        return not (has > had).any()

    def ending(self, hand: BurakoGame) -> Ending:
        position, scores = hand.position(0), tuple(hand.scores[0].tolist())
        return Ending(scores, str(position.reason), position.turns, position.out_seat, sheets=score_sheet(hand))

    def is_quick(self, hand: BurakoGame, action: int) -> bool:
        """Lays follow one another faster than other actions."""
        return wish_of(hand, action).kind == Kind.LAY

    # What the person does.

    piece = staticmethod(card_type)

    def is_place(self, hand: BurakoGame, place: Any) -> bool:
        number = isinstance(place, int) and not isinstance(place, bool)
        return 0 <= place < hand.table.groups if number else place in PLACES

    def action(self, hand: BurakoGame, kind: str) -> int | None:
        return hand.table.special(Kind[kind]) if kind in [one.name for one in SPECIALS] else None

    def plan(self, hand: BurakoGame, pieces: Sequence[int], place: Any, *, theirs: bool = False) -> Plan:
        if not pieces:
            raise Refused("your.lay")
        if theirs:
            raise Refused("illegal", why_not(hand, Wish(Kind.LAY, pieces[0], 0, theirs=True)))
        found = plan(hand, pieces, place)
        if found is None:
            raise Refused("illegal", why_no_plan(hand, pieces, place))
        return found

    def places(self, hand: BurakoGame, pieces: Sequence[int], words: Texts) -> dict[str, Any]:
        return {"places": list(places(hand, pieces)) if pieces else []}

    def why_not(self, hand: BurakoGame, action: int) -> Reason:
        return why_not(hand, wish_of(hand, action))

    def find(self, hand: BurakoGame, typed: str) -> int | None:
        return action_id(hand.table, read_action(typed), run_counts(hand.position(0)))

    def command(self, hand: BurakoGame, typed: Sequence[str]) -> Plan | None:
        """`new 9S 10S JS` opens a group."""
        return self.plan(hand, parse_cards(" ".join(typed[1:])), "new") if typed[0] == "new" else None

    # How it looks and what it is called.

    words = staticmethod(play_words)
    pen = Drawing
    reason_text = staticmethod(reason_text)
    advice_text = staticmethod(advice_text)

    def seat_names(self, words: Texts, relative: int, count: int, seat: int) -> str:
        return words(_SEATS[relative]) if count == len(_SEATS) + 1 else words("player", seat=seat)

    def parts(self, shown: Shown, pen: Drawing) -> dict[str, str]:
        table: Scene = shown.table()
        theirs, ours = pen.sides(table)
        own, *others = table.seats
        return {
            "seats": "".join(map(pen.seat, others)),
            "theirs": pen.team(table, theirs),
            "middle": pen.middle(table),
            "ours": pen.team(table, ours),
            "hand": pen.hand(table, own),
            "own": pen.seat_line(own),
        }

    def facts(self, shown: Shown, words: Texts) -> dict[str, Any]:
        hand: BurakoGame = shown.hand
        cards: dict[Kind, set[str]] = {kind: set() for kind in _LAYING}
        # Kinds that the page has no words for, such as the infractions of sanctions play: a list, as in records.
        actions: list[dict[str, Any]] = []
        others: list[dict[str, Any]] = []
        for action in shown.legal():
            wish = wish_of(hand, action)
            key = f"do.{wish.kind.name}"
            if wish.kind in _LAYING and wish.card is not None:
                cards[wish.kind].add(card_name(wish.card))
            elif key in words:
                actions.append({"id": action, "kind": wish.kind.name, "text": words(key)})
            else:
                others.append({"id": action, "kind": wish.kind.name, "text": hand.action_text(action)})
        layable, discardable = (sorted(cards[kind]) for kind in _LAYING)
        told = {"layable": layable, "discardable": discardable, "actions": actions, "others": others}
        return {"phase": shown.table().phase, **told}

    def prompt(self, shown: Shown, pen: Drawing) -> str:
        words, table = pen.words, shown.table()
        if shown.ending is not None or table.actor is None:
            return words("over")
        if not shown.yours:
            return words("wait", name=pen.players[table.actor.number].name)
        if table.phase == "draw":
            return words("your.draw.last" if not table.stock else "your.draw" if table.pile else "your.draw.one")
        if table.phase == "look":
            return words("your.look", card=words.card(table.drawn))
        if table.phase == "answer":
            asker = next(seat for seat in table.seats if seat.turn)
            return words("your.answer", name=pen.players[asker.number].name)
        if table.phase == "burako":
            return words("your.burako")
        if table.opening:
            return words("your.half")
        can = any(wish_of(shown.hand, action).kind in _LAYING for action in shown.legal())
        return words("your.lay" if can else "your.stuck")

    def event_text(self, event: Event, hand: BurakoGame, pen: Drawing) -> str:
        words, key, text = pen.words, f"event.{event.key}", event.text
        if event.why:
            return words(key, why=event.why)
        if key in words:
            text = action_text(key, words, event.cards, event.group, hand.rules.run_slots)
        if event.closed:
            text += ", " + words("event.closed", kind=words(event.closed))
        return f"{text}, {words('event.burako')}" if event.burako else text

    def hint(self, hand: BurakoGame, action: int) -> dict[str, Any]:
        wish = wish_of(hand, action)
        card = None if wish.card is None else card_name(wish.card)
        return {"card": card, "group": wish.group, "kind": wish.kind.name}

    def ending_lines(self, shown: Shown, pen: Drawing) -> dict[str, Any]:
        words, ours, ending = pen.words, shown.seat % 2, shown.ending
        assert ending is not None
        sides = {"us": ours, "them": 1 - ours}
        own, other = (ending.scores[side] for side in sides.values())
        title = f"result.hand.{'won' if own > other else 'lost' if own < other else 'even'}"
        if ending.match_over:
            title = "result.stopped" if ending.winner < 0 else f"result.{'won' if ending.winner == ours else 'lost'}"
        rows: list[dict[str, Any]] = []
        for name, side in sides.items():
            points = ending.scores[side]
            total = {} if ending.totals is None else {"total": ending.totals[side]}
            rows.append({"name": words(name), "points": points, "shown": f"{points:+}", **total})
        again = ending.totals is None or ending.match_over
        return {
            "title": words(title),
            "text": _why_over(ending, pen, shown.seat),
            "rows": rows,
            "next": words("do.again" if again else "do.next"),
            "sheet": sheet_lines(ending, ours, words, shown.hand.rules.target),
        }

    def text(self, hand: BurakoGame, seat: int, words: Texts) -> str:
        return view_text(hand.view(seats=seat), seat=seat)

    def views(self, hand: BurakoGame, pen: Drawing) -> list[list[str | None]]:
        found: list[list[str | None]] = []
        for table in (open_scene(hand), *(self.look(hand, seat) for seat in range(hand.seats))):
            upper, lower = pen.sides(table)
            own = [pen.hand(table, seat) for seat in table.seats if seat.number == table.observer]
            others = [pen.seat(seat) for seat in table.seats if seat.number != table.observer]
            parts = (pen.status(table), pen.team(table, upper), pen.middle(table), pen.team(table, lower))
            found.append([*parts, own[0] if own else None, *others])
        return found

    def ended(self, hand: BurakoGame, pen: Drawing) -> tuple[str, dict[str, Any] | None]:
        if not hand.done[0]:
            return "", None
        words, ending = pen.words, self.ending(hand)
        head = [words("team", team=team) for team in range(2)]
        points = ", ".join(f"{team} {score:+}" for team, score in zip(head, ending.scores, strict=True))
        return f"{_why_over(ending, pen)} {points}", {**sheet_lines(ending, 0, words, hand.rules.target), "head": head}


def _why_over(ending: Ending, pen: Drawing, person: int | None = None) -> str:
    name = "" if ending.out is None else pen.players[ending.out].name
    text = pen.words(f"result.{ending.reason}", name=name, turns=ending.turns)
    return spoken(text, own=ending.out == person)
