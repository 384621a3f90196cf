"""A running table for the tests of its page: the server in a thread, on any free port."""

from __future__ import annotations

import json
import threading
import urllib.error
import urllib.request
from typing import Any

import uvicorn

from experiments.play.server import HOST, TableServer, configured, listen
from experiments.play.session import Session


class Site:
    """A table that is served, and what a page asks of it."""

    def __init__(self, session: Session, port: int = 0) -> None:
        self.session = session
        self.listener = listen(port)
        self.port = self.listener.getsockname()[1]
        config = configured(TableServer(session), timeout_graceful_shutdown=1)
        self.server = uvicorn.Server(config)
        self.thread = threading.Thread(target=self.server.run, kwargs={"sockets": [self.listener]}, daemon=True)
        self.thread.start()

    @property
    def address(self) -> str:
        return f"http://{HOST}:{self.port}"

    def ask(self, path: str, body: Any = None, **headers: str) -> tuple[int, Any, dict[str, str]]:
        """Status, JSON or text, and headers."""
        data = None if body is None else json.dumps(body).encode()
        sent = {"Content-Type": "application/json"} if data else {}
        request = urllib.request.Request(f"{self.address}{path}", data, {**sent, **headers})
        try:
            with urllib.request.urlopen(request, timeout=20) as answer:
                raw, status, found = answer.read(), answer.status, dict(answer.headers)
        except urllib.error.HTTPError as error:
            raw, status, found = error.read(), error.code, dict(error.headers)
        text = raw.decode()
        return status, json.loads(text) if text.startswith("{") else text, found

    def stop(self) -> None:
        """Stop serving; the session goes on."""
        self.server.should_exit = True
        with self.session.changed:
            self.session.changed.notify_all()
        self.thread.join(timeout=10)
        self.listener.close()

    def close(self) -> None:
        """Stop serving and end the session."""
        self.session.close()
        self.stop()
