"""The replay page: one file with the cards, the drawn positions and a little script; it opens from disk, offline."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from burako_env.records.format import Record
from burako_env.render.page import page, script_json, table_script
from burako_env.render.texts import Texts
from experiments.play.page import template
from experiments.play.texts import text_tables
from experiments.watch.frames import Frame, Frames
from experiments.watch.opinions import Opinion

STATIC: Final = Path(__file__).parent / "static"
WATCH_TEXTS: Final = text_tables(Path(__file__).parent)["page"]


def replay_page(frames: Frames, opinions: Mapping[int, Sequence[Opinion]], notes: Sequence[str] = ()) -> str:
    """The page of a record whose frames are drawn; `opinions` by number of the frame."""
    words, record, players = frames.words, frames.record, frames.pen.players
    views = [
        words("all.racks" if "all.racks" in words else "all.hands"),
        *(words("sees", name=player.name) for player in players),
    ]
    data = {
        "parts": list(frames.parts),
        "frames": [_frame(frames, number, opinions.get(number, ())) for number in range(len(frames.frames))],
        "turns": _turns(frames.frames, words, several=len(record.parts) > 1),
    }
    body = template(STATIC, "watch.html").render(
        words=words, title=_title(record, words), views=views, notes=notes, last=len(frames.frames) - 1
    )
    script = (STATIC / "watch.js").read_text(encoding="utf-8")
    texts = {key: words(f"go.{key}") for key in ("run", "stop")}
    filled = script.replace("/*DATA*/", script_json(data)).replace("/*TEXTS*/", script_json(texts))
    style = (STATIC / "watch.css").read_text(encoding="utf-8")
    return page(
        frames.game.family,
        f"{words('replay')}: {_title(record, words)}",
        body,
        words.language,
        styles=[style],
        scripts=[table_script(), filled],
    )


def _title(record: Record, words: Texts) -> str:
    sides = len(record.result.scores)
    teams = [list(dict.fromkeys(record.agents[side::sides])) for side in range(sides)]
    parts = [" - ".join(", ".join(team) for team in teams)] if record.agents else []
    parts += [record.game, words("deal.number", deal=record.deal_id)]
    if record.turned:
        parts.append(words("turned", count=record.turned))
    return ", ".join([*parts, *([words("swapped")] if record.swapped else [])])


def _frame(frames: Frames, number: int, opinions: Sequence[Opinion]) -> dict[str, Any]:
    """A frame as the script takes it: short names, as there are many."""
    frame, words = frames.frames[number], frames.words
    told: dict[str, Any] = {"v": frame.views, "a": frame.text}
    if frame.seat is not None:
        told["n"], told["s"] = frames.pen.players[frame.seat].name, int(frames.game.side_of[frame.seat])
    if frame.sheet is not None:
        told["sheet"] = frame.sheet
    shown = [_opinion(opinion, frame, words) for opinion in opinions]
    if shown:
        told["o"] = shown
    return told


def _opinion(opinion: Opinion, frame: Frame, words: Texts) -> dict[str, Any]:
    """An opinion in words; the bars of its best actions are shares of the distance between best and worst."""
    lines = [words("would", agent=opinion.agent, move=frame.choices.get(opinion.choice, "?"))]
    if opinion.expects is not None:
        lines.append(words("expects", points=f"{opinion.expects:+.0f}"))
    worst = min((value for _, value in opinion.top), default=0.0)
    width = max((value for _, value in opinion.top), default=0.0) - worst or 1.0
    return {
        "t": ", ".join(lines),
        "d": words("appeal", agent=opinion.agent),
        "same": opinion.choice == frame.action,
        "top": [
            [frame.choices[action], f"{value:.2f}", round(100 * (value - worst) / width), action == frame.action]
            for action, value in opinion.top
        ],
    }


def _turns(frames: Sequence[Frame], words: Texts, *, several: bool) -> list[tuple[int, str]]:
    """The first frame of every turn, and of every end."""
    found: list[tuple[int, str]] = []
    before = None
    for number, frame in enumerate(frames):
        key = (frame.hand, frame.turn, frame.seat is None)
        if key != before:
            hand = f"{words('hand.number', number=frame.hand + 1)}, " if several else ""
            what = words("over") if frame.seat is None else words("turn", turn=frame.turn)
            found.append((number, hand + what))
        before = key
    return found
