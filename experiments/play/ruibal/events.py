"""What the person sees of an action of a level: what everybody sees, and of hidden tiles only what they may know."""

from collections import Counter
from typing import cast

from burako_env.layout import View
from burako_env.ruibal import RuibalGame
from burako_env.ruibal.actions import Kind
from burako_env.ruibal.position import PerceptionPosition
from burako_env.ruibal.tiles import JOKER, NONE
from experiments.play.happenings import Event
from experiments.play.ruibal.options import option_of


def happened(before: RuibalGame, action: int, after: RuibalGame, person: int) -> list[Event]:
    """The events of an action, as the person's seat sees them."""
    if before.lies == "spread":
        return _call(before, action, after)
    seat, players = int(before.to_act[0]), before.rules.players
    option = option_of(before, action)
    scores = after.scores[0] - before.scores[0]
    out = after.reasons[0] == "out"
    cards, key, group = option.laid, option.name, None
    if option.kind == Kind.ROBA:
        group, cards = (seat - 1) % players, _stolen(before, after, seat, person)
        key = "ROBA.seen" if cards else key
    got: tuple[int, ...] = ()
    if seat == person:
        # What is stolen, or a released joker, is told already.
        told = Counter(cards if option.kind == Kind.ROBA else (JOKER,) if option.kind == Kind.RELEASE else ())
        kept = _rack(before, person) - Counter(option.pieces)
        got = tuple(sorted((_rack(after, person) - kept - told).elements()))
    events = [Event(key, seat, cards, group, text=before.action_text(action), crowns=int(scores[seat]) - out, got=got)]
    return [*events, *([Event("out", seat, crowns=1)] if out else [])]


def _call(before: RuibalGame, action: int, after: RuibalGame) -> list[Event]:
    """L1-2: nothing of a call is told before the last has pointed."""
    if after.turns[0] == before.turns[0]:
        return []
    position, scores = cast(PerceptionPosition, before.position(0)), after.scores[0] - before.scores[0]
    called = position.calls[0]
    pointed = {**position.pointed, position.turn: int(before.table.rows["tile"][action])}
    events = []
    for seat in sorted(pointed):
        if pointed[seat] == NONE or seat in position.sitting:
            continue
        tile = position.spread[pointed[seat]]
        key = "right" if tile == called else "wrong"
        events.append(Event(key, seat, () if tile is None else (tile,), pointed[seat], crowns=int(scores[seat])))
    if not any(event.key == "right" for event in events):
        later = cast(PerceptionPosition, after.position(0))
        key = "again" if later.calls[:1] == [called] and not after.done[0] else "nobody"
        events.append(Event(key, None, (called,)))
    return events


def _stolen(before: RuibalGame, after: RuibalGame, thief: int, person: int) -> tuple[int, ...]:
    """The tile stolen, if the person is its thief or its owner (RINFO-1)."""
    owner = (thief - 1) % before.rules.players
    if person == owner:
        return tuple((_rack(before, person) - _rack(after, person)).elements())
    if person != thief:
        return ()
    fields = [Counter(dict(enumerate(_view(game, person).field("stolen")[0].tolist()))) for game in (before, after)]
    return tuple((fields[1] - fields[0]).elements())


def _rack(game: RuibalGame, seat: int) -> Counter[int]:
    return +Counter(dict(enumerate(_view(game, seat).field("rack")[0].tolist())))


def _view(game: RuibalGame, seat: int) -> View:
    return game.view(seats=[seat])


__all__ = ["happened"]
