"""What a browser is told: the page once, then the table as it stands, as HTML parts and a few facts.

Everything comes from `Session.table()`, the legal actions of the person and what everybody saw.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, Final

from burako_env.burako.actions import NONE, Kind
from burako_env.cards import card_name
from burako_env.render.html import Drawing, Player, page, script_json, table_script
from burako_env.render.table import Table
from burako_env.render.words import Words
from experiments.play.happenings import Ending, Event, Setup
from experiments.play.session import Session
from experiments.play.words import PAGE, action_text, advice_text, play_words

STATIC: Final = Path(__file__).parent / "static"
# Events sent: about a round of the table.
_EVENTS: Final = 40
_NOTE: Final = 42
_LAYING: Final = (Kind.LAY, Kind.DISCARD)


def play_page(setup: Setup, words: Words) -> str:
    """The page, which asks for the table itself."""
    said = {
        "words": words,
        "agents": setup.hints,
        "what": f"{setup.game}, {words('match' if setup.match else 'single.hand')}",
        "other": "es" if words.language == "en" else "en",
    }
    body = template(STATIC, "play.html").render(**said)
    texts = {key: words(key) for key in ("offline", "restarted", "your.lay") if key in PAGE}
    script = (STATIC / "play.js").read_text(encoding="utf-8").replace("/*TEXTS*/", script_json(texts))
    return page("Burako", body, words.language, styles=[_text("play.css")], scripts=[table_script(), script])


def state(session: Session, words: Words) -> dict[str, Any]:
    """The table as the person may see it, with what may be done."""
    with session.changed:
        table, legal, pen = session.table(), session.legal(), drawing(session, words)
        rows = session.hand.table.rows
        plain = [_button(session, action, words) for action in legal if rows["kind"][action] not in _LAYING]
        theirs, ours = pen.sides(table)
        own = table.seats[0]
        return {
            "version": session.version,
            "yours": session.yours,
            "phase": table.phase,
            "undo": session.may_undo,
            "prompt": prompt(session, table, pen),
            "html": {
                "status": pen.status(table),
                "seats": "".join(map(pen.seat, table.seats[1:])),
                "theirs": pen.team(table, theirs),
                "middle": pen.middle(table),
                "ours": pen.team(table, ours),
                "hand": pen.hand(table, own),
                "own": pen.seat_line(own),
            },
            "layable": _cards_of(rows, legal, Kind.LAY),
            "discardable": _cards_of(rows, legal, Kind.DISCARD),
            "actions": [button for button in plain if f"do.{button['kind']}" in words],
            # Kinds that the page has no words for, such as the infractions of sanctions play: a list, as in records.
            "others": [button for button in plain if f"do.{button['kind']}" not in words],
            "log": [event_line(event, session, pen) for event in session.events[-_EVENTS:]],
            "ending": None if session.ending is None else ending_lines(session.ending, session, pen),
        }


def drawing(session: Session, words: Words) -> Drawing:
    """Draws the table with the names that the person knows the seats by."""
    players, count = session.setup.players, len(session.setup.players)
    named = {1: "seat.next", 2: "seat.partner", 3: "seat.last"} if count == 4 else {}
    found = []
    for seat, spec in enumerate(players):
        relative = (seat - session.seat) % count
        if spec is None:
            found.append(Player(words("you")))
        else:
            name = words(named[relative]) if relative in named else words("player", seat=seat)
            found.append(Player(name, spec if len(spec) <= _NOTE else spec[: _NOTE - 3] + "..."))
    return Drawing(words, found)


def prompt(session: Session, table: Table, pen: Drawing) -> str:
    """What the person is asked for, or whom he waits for."""
    words, phase = pen.words, table.phase
    actor = table.actor
    if session.ending is not None or actor is None:
        return words("over")
    if not session.yours:
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
    laying = {int(session.hand.table.rows["kind"][action]) for action in session.legal()} & set(map(int, _LAYING))
    return words("your.lay" if laying else "your.stuck")


def event_line(event: Event, session: Session, pen: Drawing) -> dict[str, Any]:
    """An event as a name, a text and a team."""
    words = pen.words
    key, text = f"event.{event.key}", event.text
    if key in words:
        text = action_text(key, words, event.cards, event.group, session.hand.rules.run_slots, why=event.why)
    if event.closed:
        text += ", " + words("event.closed", kind=words(event.closed))
    if event.burako:
        text += ", " + words("event.burako")
    if event.seat is None:
        return {"name": "", "text": text, "team": -1}
    return {"name": pen.players[event.seat].name, "text": text, "team": event.seat % 2}


def hint_line(session: Session, action: int, spec: str, words: Words) -> dict[str, Any]:
    """An agent's advice: the sentence, the card and the group it is about."""
    kind, card, group = (int(value) for value in session.hand.table.rows[action])
    return {
        "text": words("hint.says", agent=spec, move=advice_text(session.hand, action, words)),
        "action": action,
        "card": None if card == NONE else card_name(card),
        "group": None if group == NONE else group,
        "kind": Kind(kind).name,
    }


def ending_lines(ending: Ending, session: Session, pen: Drawing) -> dict[str, Any]:
    """A hand that is over in words: what came of it, for whom."""
    words, ours = pen.words, session.seat % 2
    own, other = ending.scores[ours], ending.scores[1 - ours]
    key = "won" if own > other else "lost" if own < other else "even"
    title = words(f"result.hand.{key}")
    if ending.match_over:
        title = words("result.stopped" if ending.winner < 0 else f"result.{'won' if ending.winner == ours else 'lost'}")
    name = "" if ending.out is None else pen.players[ending.out].name
    rows = [{"name": words("us"), "points": own}, {"name": words("them"), "points": other}]
    if ending.totals is not None:
        rows[0]["total"], rows[1]["total"] = ending.totals[ours], ending.totals[1 - ours]
    again = ending.totals is None or ending.match_over
    return {
        "title": title,
        "text": words(f"result.{ending.reason}", name=name, turns=ending.turns),
        "rows": rows,
        "next": words("do.again" if again else "do.next"),
    }


def languages() -> dict[str, Words]:
    """The words of every language."""
    return {language: _words(language) for language in ("en", "es")}


@cache
def _words(language: str) -> Words:
    return play_words(language)


def _cards_of(rows: Any, legal: list[int], kind: Kind) -> list[str]:
    """Names of the cards that a kind of action is legal with."""
    return sorted({card_name(int(rows["card"][action])) for action in legal if rows["kind"][action] == kind})


def _button(session: Session, action: int, words: Words) -> dict[str, Any]:
    """A button for an action that is not about a chosen card; one without words of its own says its text."""
    name = Kind(int(session.hand.table.rows["kind"][action])).name
    key = f"do.{name}"
    return {"id": action, "kind": name, "text": words(key) if key in words else session.hand.action_text(action)}


def _text(name: str) -> str:
    return (STATIC / name).read_text(encoding="utf-8")


def template(folder: Path, name: str) -> Any:
    """A page body of a folder, to be filled by `render`."""
    import jinja2  # late: the terminal does not need it

    loader = jinja2.FileSystemLoader(folder)
    return jinja2.Environment(loader=loader, autoescape=True, undefined=jinja2.StrictUndefined).get_template(name)
