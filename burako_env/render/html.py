"""Pages of the card game that need nothing but a browser: a position, or a record to step through.

The page holds its data as JSON, its style and its scripts, all in one file; nothing is fetched. What a seat may not
know is not in a page made for that seat.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from burako_env.batch import BatchGame
from burako_env.burako.rules import PRESETS
from burako_env.errors import UserError
from burako_env.playback import moments
from burako_env.records import Record
from burako_env.render.scene import Scene, game_scene, seat_scene
from burako_env.render.words import action_words

ASSETS: Final = Path(__file__).parent / "assets"
_PLACE: Final = re.compile(r"@@([a-z]+)@@")
# The parts of a scene that seldom change from one moment to the next; a page holds each only once.
_SHARED: Final = ("seats", "teams")


def game_page(game: BatchGame, index: int = 0) -> str:
    """One position with every hand open."""
    pool = _Pool()
    frame = pool.frame(game_scene(game, index))
    hands = [{"number": 1, "start": 0, "scores": None, "reason": None}]
    return _page(game.name, {"game": game.name, "agents": [], "hands": hands, "words": {}, "frames": [frame]}, pool)


def replay_page(record: Record, *, seat: int | None = None, hands: Sequence[int] | None = None) -> str:
    """A record to step through.

    Args:
        seat: whose View it shows; None opens every hand.
        hands: numbers, from 0, of the hands of a match to show; None: all.
    """
    if record.game not in PRESETS:
        raise UserError(f"{record.game} has no pictures: they show {', '.join(PRESETS)}")
    pool = _Pool()
    frames: list[dict[str, Any]] = []
    starts: dict[int, int] = {}
    texts: set[str] = set()
    for moment in moments(record):
        if hands is not None and moment.hand not in hands:
            continue
        starts.setdefault(moment.hand, len(frames))
        scene = game_scene(moment.game) if seat is None else seat_scene(moment.game, seat)
        frames.append({**pool.frame(scene), "hand": len(starts) - 1, "action": moment.action, "by": moment.seat})
        texts |= {moment.action} if moment.action else set()
    data = {
        "game": record.game,
        "agents": list(record.agents),
        "hands": [
            {
                "number": number + 1,
                "start": start,
                "scores": record.parts[number].result.scores,
                "reason": record.parts[number].result.reason,
            }
            for number, start in starts.items()
        ],
        "words": {text: action_words(text) for text in sorted(texts)},
        "frames": frames,
        "seed": record.root_seed,
        "deal": record.deal_id,
    }
    return _page(f"{record.game}, {record.kind} {record.deal_id}", data, pool)


class _Pool:
    """Parts of scenes, each kept once."""

    def __init__(self) -> None:
        self.parts: dict[str, int] = {}

    def frame(self, scene: Scene) -> dict[str, Any]:
        """The scene with numbers of parts in their places."""
        shared: Mapping[str, Any] = scene
        return {**scene, **{name: [self._number(part) for part in shared[name]] for name in _SHARED}}

    def _number(self, part: Any) -> int:
        return self.parts.setdefault(json.dumps(part, ensure_ascii=False, separators=(",", ":")), len(self.parts))

    def text(self) -> str:
        """All parts as a JSON list."""
        return f"[{','.join(self.parts)}]"


def _page(title: str, data: Mapping[str, Any], pool: _Pool) -> str:
    body = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return fill_page(
        asset("replay.html"),
        title=html.escape(title),
        style=asset("table.css"),
        script="\n".join(asset(name) for name in ("table.js", "replay.js")),
        # No text of the data can end the element it stands in.
        data=f'{{"pool":{pool.text()},"data":{body}}}'.replace("<", "\\u003c"),
    )


def fill_page(template: str, **parts: str) -> str:
    """A template with its places `@@name@@` filled, in one pass: what is put in is not looked at again."""
    return _PLACE.sub(lambda place: parts[place[1]], template)


def asset(name: str) -> str:
    """A file of the pages: `table.css` and `table.js` draw a scene on any page."""
    return (ASSETS / name).read_text(encoding="utf-8")


__all__ = ["asset", "fill_page", "game_page", "replay_page"]
