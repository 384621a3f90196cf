"""The children's levels at the table: options, reasons and events put together with how they look and are called."""

import re
from collections.abc import Sequence
from typing import Any, ClassVar, Final, cast

from burako_env.batch import BatchGame
from burako_env.render.page import Player
from burako_env.render.ruibal.faces import name_of
from burako_env.render.ruibal.html import LevelDrawing
from burako_env.render.ruibal.scene import LevelTable, game_level, open_level
from burako_env.render.ruibal.text import seat_text
from burako_env.render.texts import Texts, TextTable
from burako_env.ruibal import RuibalGame
from burako_env.ruibal.actions import Kind
from burako_env.ruibal.notation import read_action
from burako_env.ruibal.tiles import tile_type
from experiments.play.families import Plan, PlayFamily, Shown
from experiments.play.happenings import Ending, Event, Reason, Refused
from experiments.play.ruibal.events import happened
from experiments.play.ruibal.options import POOL, Option, option_of, options, options_with
from experiments.play.ruibal.reasons import why_no_option, why_not, why_text
from experiments.play.ruibal.texts import level_reason_text, pieces_text, play_level_words

# Where tiles are brought: a spot of the page, or wherever they go.
_ANYWHERE: Final = "lay"
_PLACE: Final = re.compile(r"lay|pool|(place|cell:[01]|group):[0-9]{1,2}")
_KEYS: Final = {Kind.DRAW: "d", Kind.PASS: "p", Kind.END: "e", Kind.SIT: "s"}


class LevelFamily(PlayFamily[Any, LevelDrawing]):
    """Levels 1, 2 and 3, with 2 to 4 players."""

    template: ClassVar[str] = "levels.html"
    script: ClassVar[str] = "levels.js"

    # The game.

    def look(self, hand: BatchGame, seat: int) -> LevelTable:
        return game_level(hand, seat=seat)

    def happened(self, before: BatchGame, action: int, after: BatchGame, person: int) -> list[Event]:
        return happened(_level(before), action, _level(after), person)

    def may_take_back(self, before: BatchGame, actions: Sequence[int], after: BatchGame) -> bool:
        """Moves that leave the turn open show nothing that was hidden: no tile came from pool or racks."""
        kinds = set(_level(before).table.rows["kind"][list(actions)].tolist())
        same = int(before.to_act[0]) == int(after.to_act[0]) and _level(before).turns[0] == _level(after).turns[0]
        return kinds <= {Kind.MAKE, Kind.RELEASE} and same

    def ending(self, hand: BatchGame) -> Ending:
        one = _level(hand)
        position = one.position(0)
        out = position.turn if position.reason == "out" else None
        return Ending(tuple(position.crowns), position.reason, int(one.turns[0]), out)

    def is_quick(self, hand: BatchGame, action: int) -> bool:
        """Pointing, which nobody sees, and all that leaves the turn open."""
        return Kind(int(_level(hand).table.rows["kind"][action])) in (Kind.POINT, Kind.SIT, Kind.MAKE, Kind.RELEASE)

    # What the person does.

    def piece(self, name: str) -> int:
        return tile_type(name)

    def is_place(self, hand: BatchGame, place: Any) -> bool:
        return isinstance(place, str) and _PLACE.fullmatch(place) is not None

    def action(self, hand: BatchGame, kind: str) -> int | None:
        table = _level(hand).table
        return table.id_of(Kind[kind]) if kind in Kind.__members__ else None

    def plan(self, hand: BatchGame, pieces: Sequence[int], place: Any, *, theirs: bool = False) -> Plan:
        game = _level(hand)
        found = options_with(game, pieces, None if place == _ANYWHERE else place)
        if place == POOL and not found:
            found = options_with(game, (), POOL)
        if len(found) == 1:
            return (found[0].action,)
        if found:
            raise Refused("which")
        reason = why_no_option(game, pieces, place)
        raise Refused("your.lay") if reason is None else Refused("illegal", reason)

    def places(self, hand: BatchGame, pieces: Sequence[int], words: Texts) -> dict[str, Any]:
        game = _level(hand)
        found = options_with(game, pieces) if pieces else []
        return {
            "options": [
                {"id": one.action, "text": self._said(game, one, words), "spots": list(one.spots)} for one in found
            ]
        }

    def why_not(self, hand: BatchGame, action: int) -> Reason:
        return why_not(_level(hand), action)

    def find(self, hand: BatchGame, typed: str) -> int | None:
        game = _level(hand)
        text = read_action(game.table, typed)
        action = game.action_id(text)
        if action is None:
            raise Refused("illegal", why_text(game, text))
        return action

    # How it looks and what it is called.

    def words(self, language: str, *more: TextTable) -> Texts:
        return play_level_words(language, *more)

    def seat_names(self, words: Texts, relative: int, count: int, seat: int) -> str:
        if count == 2:
            return words("seat.rival")
        return words("seat.next" if relative == 1 else "seat.last" if relative == count - 1 else "seat.across")

    def pen(self, words: Texts, players: Sequence[Player]) -> LevelDrawing:
        return LevelDrawing(words, players)

    def parts(self, shown: Shown, pen: LevelDrawing) -> dict[str, str]:
        table: LevelTable = shown.table()
        own = table.seats[0]
        return {
            "seats": "".join(map(pen.seat, table.seats[1:])),
            "middle": pen.middle(table),
            "hand": pen.hand(table, own),
            "own": pen.seat_line(own),
        }

    def facts(self, shown: Shown, words: Texts) -> dict[str, Any]:
        game = _level(shown.hand)
        found = options(game) if shown.yours else []
        plain = [one for one in found if one.kind in _KEYS]
        return {
            "phase": shown.table().phase,
            "layable": sorted({name_of(piece) for one in found for piece in one.pieces}),
            "lit": sorted({spot for one in found if not one.pieces for spot in one.spots}),
            "actions": [
                {"id": one.action, "kind": one.kind.name, "text": self._said(game, one, words), "key": _KEYS[one.kind]}
                for one in plain
            ],
        }

    def prompt(self, shown: Shown, pen: LevelDrawing) -> str:
        words, table = pen.words, shown.table()
        actor = table.actor
        if shown.ending is not None or actor is None:
            return words("why.game.over")
        if not shown.yours:
            return words("wait", name=pen.players[actor.number].name)
        if not table.has_racks:
            if table.seats[0].sits:
                return words("your.sit")
            return words("your.point", tile=pieces_text((table.called,), words))
        if table.phase != "turn":
            return words(f"your.{table.phase}")
        return words("your.turn" if table.pool else "your.turn.empty")

    def event_text(self, event: Event, hand: BatchGame, pen: LevelDrawing) -> str:
        words = pen.words
        name = "" if event.key not in ("ROBA", "ROBA.seen") else pen.players[event.group or 0].name
        name = words("from.you") if name == words("you") else name
        cards = pieces_text(event.cards, words)
        text = words(f"event.{event.key}", cards=cards, name=name, why=event.why)
        if event.crowns:
            text += ", " + words.count("crowns", event.crowns)
        if event.got:
            text += ", " + words("event.got", cards=pieces_text(event.got, words))
        return text

    def reason_text(self, reason: Reason, words: Texts) -> str:
        return level_reason_text(reason, words)

    def advice_text(self, hand: BatchGame, action: int, words: Texts) -> str:
        game = _level(hand)
        text = self._said(game, option_of(game, action), words)
        return text if text[:4].isupper() else f"{text[:1].lower()}{text[1:]}"

    def hint(self, hand: BatchGame, action: int) -> dict[str, Any]:
        one = option_of(_level(hand), action)
        return {"tiles": [name_of(piece) for piece in one.pieces], "spots": list(one.spots), "kind": one.kind.name}

    def ending_lines(self, shown: Shown, pen: LevelDrawing) -> dict[str, Any]:
        words, ending = pen.words, shown.ending
        assert ending is not None
        order = sorted(range(len(ending.scores)), key=lambda seat: -ending.scores[seat])
        return {
            "title": self._title(ending, pen, shown.seat),
            "text": self._why_over(ending, pen),
            "rows": [
                {
                    "name": pen.players[seat].name,
                    "points": ending.scores[seat],
                    "shown": words.count("crowns", ending.scores[seat]),
                }
                for seat in order
            ],
            "next": words("do.again"),
        }

    def views(self, hand: BatchGame, pen: LevelDrawing) -> list[list[str | None]]:
        tables = [open_level(hand), *(game_level(hand, seat=seat) for seat in range(hand.seats))]
        found: list[list[str | None]] = []
        for table in tables:
            own = [seat for seat in table.seats if seat.number == table.observer]
            others = [pen.seat(seat) for seat in table.seats if seat.number != table.observer]
            rack = f"<p>{pen.seat_line(own[0])}</p>{pen.hand(table, own[0])}" if own else None
            found.append([pen.status(table), None, pen.middle(table), None, rack, *others])
        return found

    def ended(self, hand: BatchGame, pen: LevelDrawing) -> tuple[str, dict[str, Any] | None]:
        ending = self.ending(hand)
        if not ending.reason:
            return "", None
        return f"{self._why_over(ending, pen)} {self._title(ending, pen)}", None

    def text(self, hand: BatchGame, seat: int, words: Texts) -> str:
        return seat_text(game_level(hand, seat=seat), hand.name)

    def _title(self, ending: Ending, pen: LevelDrawing, person: int | None = None) -> str:
        """Who won (TILE-3)."""
        top = max(ending.scores)
        winners = [seat for seat, crowns in enumerate(ending.scores) if crowns == top]
        names = pen.words("and").join(pen.players[seat].name for seat in winners)
        key = "shared" if len(winners) > 1 else "won" if winners == [person] else "lost"
        return pen.words(f"result.{key}", names=names)

    def _why_over(self, ending: Ending, pen: LevelDrawing) -> str:
        name = "" if ending.out is None else pen.players[ending.out].name
        return pen.words(f"result.{ending.reason}", name=name)

    def _said(self, game: RuibalGame, one: Option, words: Texts) -> str:
        """An option as a button says it, with the crowns that it gains."""
        cards = pieces_text(one.laid, words)
        if one.kind == Kind.POINT:
            number = int(one.spots[0].partition(":")[2]) + 1
            cards = words("place.tile", number=number, tile=cards)
        text = words(f"do.{one.name}", cards=cards, taken=pieces_text(one.taken, words))
        return f"{text} (+{one.crowns})" if one.crowns else text


def _level(game: BatchGame) -> RuibalGame:
    return cast(RuibalGame, game)
