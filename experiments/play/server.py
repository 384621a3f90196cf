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

import json
import re
import socket
import threading
import time
from collections.abc import Callable
from typing import Any, Final, TypeVar

import anyio
import uvicorn
from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from burako_env.errors import UserError
from burako_env.render.texts import LANGUAGES, Texts
from experiments.play.connections import CONNECTIONS, Connection, wait_for_news, while_there
from experiments.play.happenings import Refused
from experiments.play.page import hint_line, languages, play_page, refusal, state
from experiments.play.requests import Act, BadRequest, Chosen, Hint, Lay, Pace, Posted, SetPace, read
from experiments.play.session import Session

HOST: Final = "127.0.0.1"
NAMES: Final = (HOST, "localhost")
PACES: Final[dict[Pace, float]] = {"slow": 1.4, "normal": 0.7, "fast": 0.2}
# Seconds that a question for news is kept open.
_PATIENCE: Final = 20.0
_VERSION: Final = re.compile(r"[0-9]{1,15}")
_COOKIE: Final = "burako-language"
_HEADERS: Final = {
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
}

P = TypeVar("P", bound=Posted)


class TableServer:
    """The addresses of one session. `language` is for browsers that ask for none of the known languages."""

    def __init__(self, session: Session, language: str = "en") -> None:
        self.session, self.language = session, language
        self.words = languages(session.setup.game)
        self.token = str(time.time_ns())
        # The table as it was last told, by language: version and JSON.
        self._told: dict[str, tuple[int, bytes]] = {}
        self._telling = anyio.Lock()
        # Threads: hints may take their time and are given one by one, so that they never keep moves waiting.
        self._moves, self._hints = anyio.CapacityLimiter(4), anyio.CapacityLimiter(1)
        posts = [
            self._post("places", Chosen, self.places),
            self._post("lay", Lay, self.lay),
            self._post("act", Act, self.act),
            self._post("undo", Posted, lambda body, _: session.undo(body.version)),
            self._post("hint", Hint, self.hint),
            self._post("next", Posted, lambda body, _: session.go_on(body.version)),
            self._post("pace", SetPace, self.pace),
        ]
        gets = [Route("/", self.page), Route("/api/table", self.table)]
        self.app = Starlette(routes=[*gets, *posts], middleware=[Middleware(Guard)])

    # Addresses.

    async def page(self, request: Request) -> Response:
        """The page, in the language that the address, the cookie or the browser asks for."""
        words = self._words(request)
        answer = HTMLResponse(play_page(self.session.setup, words))
        if request.query_params.get("lang") in LANGUAGES:
            answer.set_cookie(_COOKIE, words.language, max_age=31_536_000, samesite="strict", httponly=True)
        return answer

    async def table(self, request: Request) -> Response:
        """The table as it stands; with `after`, once something has happened."""
        after, words = request.query_params.get("after"), self._words(request)
        if after is not None and not _VERSION.fullmatch(after):
            return _json({"error": "after must be the number of a version of the table"}, 400)

        async def news() -> Response:
            if after is not None and request.query_params.get("game") == self.token:
                await wait_for_news(self.session, int(after), _PATIENCE)
            return Response(await self._table(words), media_type="application/json")

        return await while_there(request.receive, news)

    def places(self, body: Chosen, words: Texts) -> dict[str, Any]:
        """Places that take the chosen cards or tiles."""
        pieces = self._pieces(body)
        with self.session.changed:
            if body.version != self.session.version or not self.session.yours:
                return {"places": []}
            return self.session.family.places(self.session.hand, pieces, words)

    def lay(self, body: Lay, words: Texts) -> None:
        """Bring chosen cards or tiles to a place."""
        if not self.session.family.is_place(self.session.hand, body.place):
            raise BadRequest("place must be a place of this table")
        self.session.lay(body.version, self._pieces(body), body.place, theirs=body.theirs)

    def act(self, body: Act, words: Texts) -> None:
        """An action by its id, or by the name of its kind."""
        action, hand = body.action, self.session.hand
        if body.kind is not None and action is None:
            action = self.session.family.action(hand, body.kind)
        # Kind 0 fills the rows of the table that no action has.
        if action is None or action >= hand.num_actions or not hand.table.rows["kind"][action]:
            raise BadRequest("action must be an id of the action table, or kind the name of one that needs no cards")
        self.session.act(body.version, action)

    def hint(self, body: Hint, words: Texts) -> dict[str, Any]:
        """An agent's advice."""
        if body.agent not in self.session.setup.hints:
            raise BadRequest(f"agent must be one of {', '.join(self.session.setup.hints)}")
        try:
            action = self.session.hint(body.version, body.agent)
        except Refused:
            raise
        except UserError as error:
            return {"text": words("hint.failed", agent=body.agent, why=error)}
        with self.session.changed:
            # The sentence is about the table that the agent was asked about.
            self.session.expect(body.version)
            return hint_line(self.session, action, body.agent, words)

    def pace(self, body: SetPace, words: Texts) -> None:
        """How fast the agents play."""
        self.session.pace = PACES[body.pace]

    # What is common to them.

    def _post(self, name: str, form: type[P], answer: Callable[[P, Texts], dict[str, Any] | None]) -> Route:
        """An address that is posted to; the answer is found in a thread."""
        threads = self._hints if form is Hint else self._moves

        async def endpoint(request: Request) -> Response:
            words = self._words(request)
            try:
                body = await read(request, form)
            except BadRequest as error:
                return _json({"error": str(error)}, error.status)
            except ClientDisconnect:
                return Response()

            async def work() -> Response:
                try:
                    found = await anyio.to_thread.run_sync(answer, body, words, limiter=threads)
                    return _json(found or {})
                except BadRequest as error:
                    return _json({"error": str(error)}, error.status)
                except Refused as refused:
                    return _json({"refused": refusal(refused, self.session, words)}, 409)

            return await while_there(request.receive, work)

        return Route(f"/api/{name}", endpoint, methods=["POST"])

    async def _table(self, words: Texts) -> bytes:
        """The table as JSON, drawn once for every version however many ask."""
        async with self._telling:
            version, text = self._told.get(words.language, (-1, b""))
            if version != self.session.version:
                version, text = await anyio.to_thread.run_sync(self._draw, words)
                self._told[words.language] = version, text
        return text

    def _draw(self, words: Texts) -> tuple[int, bytes]:
        told = {"game": self.token, **state(self.session, words)}
        return told["version"], _bytes(told)

    def _pieces(self, body: Chosen) -> list[int]:
        """The chosen cards or tiles."""
        try:
            return [self.session.family.piece(name) for name in body.cards]
        except (ValueError, UserError) as error:
            raise BadRequest(str(error)) from None

    def _words(self, request: Request) -> Texts:
        browser = [part.strip()[:2] for part in request.headers.get("accept-language", "").split(",")]
        asked = [request.query_params.get("lang"), request.cookies.get(_COOKIE), *browser]
        return self.words[next((one for one in asked if one in LANGUAGES), self.language)]


class Guard:
    """Answers pages of this server only, and tells browsers what they may load."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(_HEADERS)
            await send(message)

        headers = Headers(scope=scope)
        named = headers.get("host", "")
        ours = (named.rpartition(":")[0] or named) in NAMES and headers.get("origin") in (None, f"http://{named}")
        app = self.app if ours else _json({"error": "this table is for this machine only"}, 403)
        await app(scope, receive, answer)


def _bytes(content: Any) -> bytes:
    """JSON in ASCII: whatever text somebody has posted can be sent back."""
    return json.dumps(content, separators=(",", ":")).encode("ascii")


def _json(content: dict[str, Any], status: int = 200) -> Response:
    return Response(_bytes(content), status, media_type="application/json")


def configured(table: TableServer, **more: Any) -> uvicorn.Config:
    """How the table is served."""
    return uvicorn.Config(
        table.app, http=Connection, ws="none", backlog=CONNECTIONS, lifespan="off", log_level="warning", **more
    )


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
    config = configured(table, timeout_graceful_shutdown=2)
    threading.Thread(target=session.run, name="agents", daemon=True).start()
    try:
        _Server(config, session).run(sockets=[listener])
    finally:
        session.close()
        listener.close()
