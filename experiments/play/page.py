"""What a browser is told: the page once, then the table as it stands, as HTML parts and a few facts.

Everything comes from `Session.table()`, the legal actions of the person and what the person saw.
"""

from functools import cache
from pathlib import Path
from typing import Any, Final

from burako_env.errors import short
from burako_env.families import family_of
from burako_env.render.page import Player, page, script_json, table_script
from burako_env.render.texts import LANGUAGES, Texts
from experiments.play.families import play_family
from experiments.play.happenings import Event, Refused, Setup
from experiments.play.session import Session
from experiments.play.texts import spoken

STATIC: Final = Path(__file__).parent / "static"
# Events sent: about a round of the table.
_EVENTS: Final = 40
# Letters of an agent's name below its seat.
_NOTE: Final = 40


def play_page(setup: Setup, words: Texts) -> str:
    """The page, which asks for the table itself."""
    family = play_family(setup.game)
    body = template(STATIC, family.template).render(
        words=words,
        agents=setup.hints,
        what=f"{setup.game}, {words('match' if setup.match else 'single.hand')}",
        other=next(language for language in LANGUAGES if language != words.language),
    )
    texts = {key: words(key) for key in ("offline", "restarted", "your.lay", "do.lay") if key in words}
    scripts = [table_script(), _text("play.js"), _text(family.script).replace("/*TEXTS*/", script_json(texts))]
    about = family_of(setup.game).name
    return page(about, "Burako", body, words.language, styles=[_text("play.css")], scripts=scripts)


def state(session: Session, words: Texts) -> dict[str, Any]:
    """The table as the person may see it, with what may be done."""
    with session.changed:
        family, pen = session.family, drawing(session, words)
        return {
            "version": session.version,
            "yours": session.yours,
            "undo": session.may_undo,
            "prompt": family.prompt(session, pen),
            "html": family.parts(session, pen),
            **family.facts(session, words),
            "log": [event_line(event, session, pen) for event in session.events[-_EVENTS:]],
            "ending": None if session.ending is None else family.ending_lines(session, pen),
        }


def drawing(session: Session, words: Texts) -> Any:
    """Draws the table with the names that the person knows the seats by."""
    family, count, found = session.family, len(session.setup.players), [Player(words("you"))]
    for relative in range(1, count):
        seat = (session.seat + relative) % count
        name = family.seat_names(words, relative, count, seat)
        found.append(Player(name, short(session.setup.players[seat] or "", _NOTE)))
    return family.pen(words, [found[(seat - session.seat) % count] for seat in range(count)])


def event_line(event: Event, session: Session, pen: Any) -> dict[str, Any]:
    """An event as a name, a text and a team."""
    text = session.family.event_text(event, session.hand, pen)
    if event.seat is None:
        return {"name": "", "text": text, "team": -1}
    said = spoken(text, own=event.seat == session.seat)
    return {"name": pen.players[event.seat].name, "text": said, "team": int(session.hand.side_of[event.seat])}


def hint_line(session: Session, action: int, spec: str, words: Texts) -> dict[str, Any]:
    """An agent's advice: the sentence, and what it is about."""
    family, hand = session.family, session.hand
    move = family.advice_text(hand, action, words)
    return {"text": words("hint.says", agent=spec, move=move), "action": action, **family.hint(hand, action)}


def refusal(refused: Refused, session: Session, words: Texts) -> str:
    """Why an answer is not taken, as a sentence."""
    return words(refused.key) if refused.reason is None else session.family.reason_text(refused.reason, words)


@cache
def languages(game: str) -> dict[str, Texts]:
    """The texts of every language at a game's table."""
    return {language: play_family(game).words(language) for language in LANGUAGES}


def _text(name: str) -> str:
    return (STATIC / name).read_text(encoding="utf-8")


def template(folder: Path, name: str) -> Any:
    """A page body of a folder, to be filled by `render`."""
    import jinja2  # late: the terminal does not need it

    loader = jinja2.FileSystemLoader(folder)
    return jinja2.Environment(loader=loader, autoescape=True, undefined=jinja2.StrictUndefined).get_template(name)
