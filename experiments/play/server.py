"""The local page of a table: one page, and a few questions it asks in JSON.

    GET /            the page, with style and script in it
    GET /state       the situation, as `PlayTable.situation`
    POST /act        {"number": 12, "action": "draw stock"}; as do /undo, /hint and /next, it answers with the situation
    GET /record      the record of a game that is over

A refused move is answered with status 409, `{"error": {"en": ..., "es": ...}, "state": situation}`.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from burako_env.records import format_record
from burako_env.render.html import asset, fill_page
from burako_env.render.words import action_words
from experiments.play.table import PlayTable, Refused

HOST: Final = "127.0.0.1"
# A page of another site cannot ask under these names (its own would be sent), nor post JSON: the browser asks us first.
_NAMES: Final = [HOST, "localhost"]
_FOLDER: Final = Path(__file__).parent


def make_app(table: PlayTable, *, ended: Callable[[PlayTable], None] = lambda table: None) -> Starlette:
    """The application of a table; `ended` is called with it each time its game has come to an end."""

    def act(number: int, body: dict[str, Any]) -> dict[str, Any]:
        table.act(number, str(body.get("action", "")))
        if table.over:
            ended(table)
        return {}

    def undo(number: int, body: dict[str, Any]) -> dict[str, Any]:
        table.undo(number)
        return {}

    def hint(number: int, body: dict[str, Any]) -> dict[str, Any]:
        text = table.hint(number)
        return {"hint": {"text": text, "words": action_words(text)}}

    def next_deal(number: int, body: dict[str, Any]) -> dict[str, Any]:
        table.next_deal(number)
        return {}

    def state(request: Request) -> Response:
        with table.lock:
            return _json(table.situation())

    def record(request: Request) -> Response:
        with table.lock:
            if not table.over:
                return PlainTextResponse("The record shows every card: it is there once the game is over.", 409)
            name = f"{table.name}-{table.seed}-{table.deal}.jsonl"
            return PlainTextResponse(
                format_record(table.record()) + "\n",
                headers={"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"},
            )

    moves = {"/act": act, "/undo": undo, "/hint": hint, "/next": next_deal}
    routes = [
        Route("/", lambda request: HTMLResponse(play_page())),
        Route("/state", state),
        Route("/record", record),
        *(Route(path, _answer(table, move), methods=["POST"]) for path, move in moves.items()),
    ]
    return Starlette(routes=routes, middleware=[Middleware(TrustedHostMiddleware, allowed_hosts=_NAMES)])


def play_page() -> str:
    """The page; it holds nothing of the game."""
    own = {name: (_FOLDER / name).read_text(encoding="utf-8") for name in ("play.html", "play.css", "play.js")}
    return fill_page(
        own["play.html"],
        style=f"{asset('table.css')}\n{own['play.css']}",
        script=f"{asset('table.js')}\n{own['play.js']}",
    )


def _answer(table: PlayTable, move: Callable[[int, dict[str, Any]], dict[str, Any]]) -> Callable[[Request], Any]:
    """The endpoint of a move."""

    async def endpoint(request: Request) -> Response:
        body = await _body(request)
        if body is None:
            return PlainTextResponse('A move is JSON: {"number": 1, ...}', 400)
        return await run_in_threadpool(play, body)

    def play(body: dict[str, Any]) -> Response:
        with table.lock:
            try:
                more = move(body["number"], body)
            except Refused as refused:
                return _json({"error": refused.words, "state": table.situation()}, 409)
            return _json({**table.situation(), **more})

    return endpoint


async def _body(request: Request) -> dict[str, Any] | None:
    """The JSON of a move; None for anything else."""
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        return None
    try:
        body = json.loads(await request.body())
    except ValueError:
        return None
    if not isinstance(body, dict) or not isinstance(body.get("number"), int):
        return None
    return body


def _json(values: dict[str, Any], status: int = 200) -> Response:
    return JSONResponse(values, status, headers={"Cache-Control": "no-store"})


__all__ = ["HOST", "make_app", "play_page"]
