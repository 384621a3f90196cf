"""The table in a browser: a page on this machine and a few addresses it asks.

    GET  /                 the page
    GET  /api/table        the table; with `after=N` it waits until something has happened since version N
    POST /api/places       where chosen cards may go
    POST /api/lay          bring chosen cards to a place
    POST /api/act          an action without cards
    POST /api/undo, /api/hint, /api/next, /api/pace

Everything that is posted names the version of the table it answers. Only this machine is listened to, and only pages of
this server are answered: the name that was asked for, the origin and the kind of content are checked, so that no other
site in the same browser can play or look.
"""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Awaitable, Callable
from typing import Any, Final

import anyio
import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.base import BaseHTTPMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from burako_env.errors import UserError
from burako_env.render.words import LANGUAGES, Words
from experiments.play.happenings import Refused
from experiments.play.page import hint_line, languages, play_page, state
from experiments.play.session import Session

HOST: Final = "127.0.0.1"
NAMES: Final = (HOST, "localhost")
PACES: Final = {"slow": 1.4, "normal": 0.7, "fast": 0.2}
# Seconds that a question for news is kept open, and the largest answer of a page.
_PATIENCE: Final = 20.0
_LARGEST: Final = 10_000
_COOKIE: Final = "burako-language"
_HEADERS: Final = {
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
}

Endpoint = Callable[[Request], Awaitable[Response]]


class BadRequest(ValueError):
    """An answer that no page of this server gives; the message says what is wrong with it."""


class TableServer:
    """The addresses of one session. `language` is that of a browser that asks for none of the known ones."""

    def __init__(self, session: Session, language: str = "en") -> None:
        self.session, self.language = session, language
        self.words = languages(session.setup.game)
        self.token = str(time.time_ns())
        posts = {
            "places": self.places,
            "lay": self.lay,
            "act": self.act,
            "undo": self.undo,
            "hint": self.hint,
            "next": self.next,
            "pace": self.pace,
        }
        self.app = Starlette(
            routes=[
                Route("/", self.page),
                Route("/api/table", self.table),
                *(Route(f"/api/{name}", self._post(answer), methods=["POST"]) for name, answer in posts.items()),
            ],
            middleware=[Middleware(BaseHTTPMiddleware, dispatch=self.guard)],
        )

    # Addresses.

    async def page(self, request: Request) -> Response:
        """The page, in the language that the address, the cookie or the browser asks for."""
        chosen = request.query_params.get("lang")
        words = self._words(request)
        answer = HTMLResponse(play_page(self.session.setup, words))
        if chosen in LANGUAGES:
            answer.set_cookie(_COOKIE, words.language, max_age=31_536_000, samesite="strict", httponly=True)
        return answer

    async def table(self, request: Request) -> Response:
        """The table as it stands, or once something has happened."""
        after = request.query_params.get("after", "")
        if after.isdigit() and request.query_params.get("game") == self.token:
            await anyio.to_thread.run_sync(self.session.wait, int(after), _PATIENCE, abandon_on_cancel=True)
        return JSONResponse({"game": self.token, **state(self.session, self._words(request))})

    def places(self, body: dict[str, Any], words: Words) -> dict[str, Any]:
        """Places that take the chosen cards or tiles."""
        with self.session.changed:
            if _version(body) != self.session.version or not self.session.yours:
                return {"places": []}
            return self.session.family.places(self.session.hand, self._pieces(body), words)

    def lay(self, body: dict[str, Any], words: Words) -> dict[str, Any]:
        """Bring chosen cards or tiles to a place."""
        place = body.get("place")
        if not self.session.family.is_place(place):
            raise BadRequest("place is none of this table")
        self.session.lay(_version(body), self._pieces(body), place, theirs=bool(body.get("theirs")))
        return {}

    def act(self, body: dict[str, Any], words: Words) -> dict[str, Any]:
        """An action by its id, or by the name of its kind."""
        version, kind, action = _version(body), body.get("kind"), body.get("action")
        if isinstance(kind, str):
            action = self.session.family.action(self.session.hand, kind)
        if isinstance(action, bool) or not isinstance(action, int) or not 0 <= action < self.session.hand.num_actions:
            raise BadRequest("action is an id of the action table")
        self.session.act(version, action)
        return {}

    def undo(self, body: dict[str, Any], words: Words) -> dict[str, Any]:
        """Take back the last lay."""
        self.session.undo(_version(body))
        return {}

    def hint(self, body: dict[str, Any], words: Words) -> dict[str, Any]:
        """An agent's advice."""
        spec = str(body.get("agent"))
        try:
            action = self.session.hint(_version(body), spec)
        except Refused:
            raise
        except UserError as error:
            return {"text": words("hint.failed", agent=spec, why=error)}
        return hint_line(self.session, action, spec, words)

    def next(self, body: dict[str, Any], words: Words) -> dict[str, Any]:
        """After a hand, the next."""
        self.session.go_on(_version(body))
        return {}

    def pace(self, body: dict[str, Any], words: Words) -> dict[str, Any]:
        """How fast the agents play."""
        if body.get("pace") not in PACES:
            raise BadRequest(f"pace is {', '.join(PACES)}")
        self.session.pace = PACES[body["pace"]]
        return {}

    # What is common to them.

    async def guard(self, request: Request, following: Endpoint) -> Response:
        """Answer pages of this server only."""
        host = request.headers.get("host", "").rpartition(":")[0] or request.headers.get("host", "")
        origin = request.headers.get("origin")
        if host not in NAMES or (origin is not None and origin != f"http://{request.headers.get('host')}"):
            return JSONResponse({"error": "this table is for this machine only"}, status_code=403)
        answer = await following(request)
        answer.headers.update(_HEADERS)
        return answer

    def _post(
        self, answer: Callable[[dict[str, Any], Words], dict[str, Any]]
    ) -> Callable[[Request], Awaitable[Response]]:
        async def endpoint(request: Request) -> Response:
            words = self._words(request)
            try:
                body = await _read(request)
                found = await anyio.to_thread.run_sync(answer, body, words)
            except BadRequest as error:
                return JSONResponse({"error": str(error)}, status_code=400)
            except Refused as refused:
                return JSONResponse({"refused": self._refusal(refused, words)}, status_code=409)
            return JSONResponse(found)

        return endpoint

    def _refusal(self, refused: Refused, words: Words) -> str:
        if refused.reason is None:
            return words(refused.key)
        return self.session.family.reason_text(refused.reason, words)

    def _pieces(self, body: dict[str, Any]) -> list[int]:
        """The chosen cards or tiles."""
        names = body.get("cards")
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise BadRequest("cards is a list of names")
        try:
            return [self.session.family.piece(name) for name in names]
        except (ValueError, UserError) as error:
            raise BadRequest(str(error)) from None

    def _words(self, request: Request) -> Words:
        asked = (request.query_params.get("lang"), request.cookies.get(_COOKIE))
        browser = [part.strip()[:2] for part in request.headers.get("accept-language", "").split(",")]
        for language in (*asked, *browser):
            if language in LANGUAGES:
                return self.words[language]
        return self.words[self.language]


async def _read(request: Request) -> dict[str, Any]:
    """The posted mapping. Only JSON is read: other sites cannot post that without asking first."""
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        raise BadRequest("expected application/json")
    raw = await request.body()
    try:
        body = json.loads(raw) if len(raw) <= _LARGEST else None
    except ValueError:
        body = None
    if not isinstance(body, dict):
        raise BadRequest("expected a JSON object")
    return body


def _version(body: dict[str, Any]) -> int:
    version = body.get("version")
    if isinstance(version, bool) or not isinstance(version, int):
        raise BadRequest("version is the number of the table this answers")
    return version


class _Server(uvicorn.Server):
    """Lets waiting questions go when it is told to stop."""

    def __init__(self, config: uvicorn.Config, session: Session) -> None:
        super().__init__(config)
        self.session = session

    def handle_exit(self, sig: int, frame: Any) -> None:
        self.session.close()
        super().handle_exit(sig, frame)


def listen(port: int) -> socket.socket:
    """A socket on this machine only; `UserError` if the port cannot be had. 0 is any free one."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((HOST, port))
        # From here on whoever comes waits until the server is there.
        listener.listen()
    except OSError as error:
        listener.close()
        raise UserError(f"port {port} cannot be used ({error.strerror}): choose another one with --port") from None
    return listener


def serve(session: Session, listener: socket.socket, language: str = "en") -> None:
    """Serve the session until interrupted; the agents play in a thread of their own."""
    table = TableServer(session, language)
    config = uvicorn.Config(table.app, log_level="warning", lifespan="off", timeout_graceful_shutdown=2)
    threading.Thread(target=session.run, name="agents", daemon=True).start()
    try:
        _Server(config, session).run(sockets=[listener])
    finally:
        session.close()
        listener.close()
