"""What reaches the table's server in bad shape: one sentence and a 4xx status, and nothing changes."""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator
from typing import Any

import pytest

from experiments.play.command import PlaySettings
from experiments.play.server import HOST
from experiments.play.session import Session
from tests.tools.play_site import Site

POSTS = ("places", "lay", "act", "undo", "hint", "next", "pace")


@pytest.fixture(scope="module", params=["burako-4", "ruibal-1", "ruibal-2", "ruibal-3"])
def site(request: pytest.FixtureRequest) -> Iterator[Site]:
    session = Session(PlaySettings(game=request.param, agents=("random",), seed=4).setup())
    session.play_agents()
    found = Site(session)
    yield found
    found.close()


def send(
    site: Site, path: str, raw: bytes | Iterator[bytes] | None, content: str = "application/json"
) -> tuple[int, Any]:
    """Status and JSON of a request with just these bytes; an iterator is sent in chunks, without a length."""
    connection = http.client.HTTPConnection(HOST, site.port, timeout=20)
    try:
        method = "GET" if raw is None else "POST"
        connection.request(method, path, raw, {"Content-Type": content}, encode_chunked=isinstance(raw, Iterator))
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read())
    finally:
        connection.close()


def expect_refusal(site: Site, path: str, raw: Any, status: int = 400, said: str = "") -> None:
    version = site.session.version
    found, answer = send(site, path, raw)
    sentence = answer.get("error", answer.get("refused"))
    assert found == status, (path, raw, answer)
    assert said in sentence
    assert 5 < len(sentence) < 200
    assert "\n" not in sentence
    assert "Traceback" not in sentence
    assert site.session.version == version


@pytest.mark.parametrize("path", POSTS)
@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"", "JSON"),
        (b"[" * 9000, "nested"),
        (b'{"version":' * 900, "JSON"),
        (b'{"version":' + b"[" * 4000 + b"]" * 4000 + b"}", "nested"),
        (b"\xff\xfe{}", "UTF-8"),
        ('{"version": 0, "agent": "ñ"}'.encode("latin-1"), "UTF-8"),
        (b"null", "JSON object"),
        (b"[]", "JSON object"),
        (b'"version"', "JSON object"),
        (b'{"version": NaN}', "NaN"),
        (b'{"version": -Infinity}', "Infinity"),
        (b'{"version": 1e999}', "version"),
        (b'{"version": 0, "version": 1}', "twice"),
        (b'{"version": {"a": 1, "a": 2}}', "twice"),
        (b'{"version": ' + b"9" * 9000 + b"}", ""),
        (b'{"version": 1' + b"0" * 400 + b"}", "version"),
        (b'{"version": -1}', "version"),
        (b'{"version": 1.0}', "version"),
        (b'{"version": "1"}', "version"),
        (b'{"version": true}', "version"),
        (b'{"version": null}', "version"),
        (b'{"version": []}', "version"),
        (b'{"version": 0, "colour": "red"}', ""),
        (b'{"version": 0, "\\ud800": 1}', ""),
    ],
)
def test_bodies_that_are_none(site: Site, path: str, raw: bytes, said: str) -> None:
    expect_refusal(site, f"/api/{path}", raw, said=said)


@pytest.mark.parametrize(
    ("path", "body", "said"),
    [
        ("pace", {"pace": []}, "pace"),
        ("pace", {"pace": {}}, "pace"),
        ("pace", {"pace": 1}, "pace"),
        ("pace", {"pace": None}, "pace"),
        ("pace", {}, "pace"),
        ("act", {"action": []}, "action"),
        ("act", {"action": True}, "action"),
        ("act", {"action": 1.5}, "action"),
        ("act", {"action": -1}, "action"),
        ("act", {"action": 10**30}, "action"),
        ("act", {"kind": "FLY"}, "action"),
        ("act", {"kind": "UNUSED"}, "action"),
        ("act", {"kind": []}, "kind"),
        ("act", {"kind": "\ud800"}, "kind"),
        ("undo", {"colour": "red"}, "colour"),
        ("lay", {"cards": [[]], "place": "new"}, "cards"),
        ("lay", {"cards": {"9S": 1}, "place": "new"}, "cards"),
        ("lay", {"cards": ["\ud800"], "place": "new"}, ""),
        ("lay", {"cards": ["x" * 4000], "place": "new"}, "cards"),
        ("lay", {"cards": ["JK"] * 1000, "place": "new"}, "cards"),
        ("lay", {"cards": [], "place": []}, "place"),
        ("lay", {"cards": [], "place": {}}, "place"),
        ("lay", {"cards": [], "place": None}, "place"),
        ("lay", {"cards": [], "place": True}, "place"),
        ("lay", {"cards": [], "place": 1.5}, "place"),
        ("lay", {"cards": [], "place": -1}, "place"),
        ("lay", {"cards": [], "place": 10**30}, "place"),
        ("lay", {"cards": [], "place": 500}, "place"),
        ("lay", {"cards": [], "place": "place:٣"}, "place"),
        ("lay", {"cards": [], "place": "lay", "theirs": "no"}, "theirs"),
        ("places", {"cards": "9S"}, "cards"),
        ("places", {}, "cards"),
        ("hint", {"agent": []}, "agent"),
        ("hint", {"agent": None}, "agent"),
        ("hint", {}, "agent"),
        ("hint", {"agent": "experiments.cli:main"}, "agent"),
    ],
)
def test_values_of_another_kind(site: Site, path: str, body: dict[str, Any], said: str) -> None:
    raw = json.dumps({"version": site.session.version, **body}).encode()
    expect_refusal(site, f"/api/{path}", raw, said=said)


def test_bodies_are_bounded_while_they_are_read(site: Site) -> None:
    """With a length or without one: 413, and no more than a few kilobytes of it are kept."""
    large = b'{"version": 0, "cards": "' + b"x" * 200_000 + b'"}'
    expect_refusal(site, "/api/act", large, 413, "10000 bytes")
    sent = 0

    def chunks() -> Iterator[bytes]:
        nonlocal sent
        for _ in range(400):
            sent += 50_000
            yield b" " * 50_000

    expect_refusal(site, "/api/act", chunks(), 413, "10000 bytes")
    assert sent == 20_000_000, "the rest is read and thrown away, so that the browser hears the answer"


def test_a_body_without_an_end_is_answered(site: Site) -> None:
    """The answer comes before the body has ended."""
    connection = http.client.HTTPConnection(HOST, site.port, timeout=20)
    connection.putrequest("POST", "/api/act")
    connection.putheader("Content-Type", "application/json")
    connection.putheader("Transfer-Encoding", "chunked")
    connection.endheaders()
    for _ in range(3):
        connection.send(b"1388\r\n" + b" " * 5000 + b"\r\n")
    answer = connection.getresponse()
    assert answer.status == 413
    connection.close()


@pytest.mark.parametrize("after", ["²", "1" * 5000, "-1", "1.5", "x", "1e3", "", "٣"])
def test_versions_that_are_none(site: Site, after: str) -> None:
    from urllib.parse import quote

    _, table, _ = site.ask("/api/table")
    expect_refusal(site, f"/api/table?game={table['game']}&after={quote(after)}", None, 400, "after")


def test_other_languages_and_contents(site: Site) -> None:
    _, table, _ = site.ask("/api/table?lang=%F0%9F%98%80&game=x")
    assert table["version"] == site.session.version
    assert send(site, "/api/act", b"{}", "text/plain; charset=\xff")[0] == 400


def test_every_action_is_answered(site: Site) -> None:
    """Every id that is not legal is refused with a reason, the unused ones too."""
    session = site.session
    for action in sorted({*range(0, session.hand.num_actions, 3), session.hand.num_actions - 1} - set(session.legal())):
        raw = json.dumps({"version": session.version, "action": action}).encode()
        status, answer = send(site, "/api/act", raw)
        assert status in (400, 409)
        assert answer.get("refused", answer.get("error"))
