"""Connections of browsers: waiting costs no thread, ends when the browser goes, and never shuts anybody else out."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Final

import anyio
from starlette.responses import Response
from starlette.types import Receive
from uvicorn.protocols.http.h11_impl import H11Protocol

from experiments.play.session import Session

# Open connections. A browser keeps about six to one address; systems give a process as few as 256 files.
CONNECTIONS: Final = 100


class Connection(H11Protocol):
    """One of at most `CONNECTIONS`. A further one closes the one that has been silent longest.

    So neither forgotten tabs nor connections that never ask for anything keep the person from the table.
    """

    heard: float

    def connection_made(self, transport: Any) -> None:
        """A new connection."""
        self.heard = self.loop.time()
        super().connection_made(transport)
        if len(self.connections) > CONNECTIONS:
            silent: Any = min(self.connections, key=lambda one: one.heard)  # type: ignore[union-attr]
            self.connections.discard(silent)
            silent.transport.abort()

    def data_received(self, data: bytes) -> None:
        """A part of a request."""
        self.heard = self.loop.time()
        super().data_received(data)


async def while_there(receive: Receive, work: Callable[[], Awaitable[Response]]) -> Response:
    """The answer of `work`, which must not raise; if it waits, it ends once the browser has gone.

    The request's body must have been read before.
    """
    answer = Response()

    async def watch(scope: anyio.CancelScope) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        scope.cancel()

    async with anyio.create_task_group() as group:
        group.start_soon(watch, group.cancel_scope)
        answer = await work()
        group.cancel_scope.cancel()
    return answer


async def wait_for_news(session: Session, after: int, seconds: float) -> None:
    """Wait until the session's version is later than `after`, it is closed or the time is over; needs no thread."""
    news, loop = asyncio.Event(), asyncio.get_running_loop()

    def tell() -> None:
        loop.call_soon_threadsafe(news.set)

    session.listeners.add(tell)
    try:
        with anyio.move_on_after(seconds):
            while session.version <= after and not session.closed:
                await news.wait()
                news.clear()
    finally:
        session.listeners.discard(tell)


__all__ = ["CONNECTIONS", "Connection", "wait_for_news", "while_there"]
