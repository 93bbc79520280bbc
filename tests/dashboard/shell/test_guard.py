"""Who is answered: own pages and somebody at this computer, by every name, port and way of asking."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from dashboard.shell.guard import Guard, inline_scripts, is_welcome, page_policy

PORT = 8642
HERE = ("127.0.0.1:8642", "localhost:8642")
POLICY = page_policy(["let x = 1"])

STRANGE_HOSTS = [
    "",
    "evil.example",
    "evil.example:8642",
    "127.0.0.1",
    "localhost",
    "127.0.0.1:8641",
    "127.0.0.1:80",
    "127.0.0.1:08642",
    "127.0.0.1:8642 ",
    "127.0.0.1:8642,evil.example",
    "127.0.0.1:8642@evil.example",
    "evil.example@127.0.0.1:8642",
    "127.0.0.1:8642/evil",
    "127.0.0.1.evil.example:8642",
    "localhost.evil.example:8642",
    "evil.localhost:8642",
    "LOCALHOST:8642",
    "localhost.:8642",
    "127.0.0.1.:8642",
    "127.1:8642",
    "0.0.0.0:8642",
    "2130706433:8642",
    "[::1]:8642",
    "[::ffff:127.0.0.1]:8642",
    "10.0.0.7:8642",
]
STRANGE_ORIGINS = [
    "",
    "null",
    "http://evil.example",
    "http://127.0.0.1",
    "http://127.0.0.1:8641",
    "https://127.0.0.1:8642",
    "ws://127.0.0.1:8642",
    "http://localhost:8642",
    "http://LOCALHOST:8642",
    "http://127.0.0.1:8642/",
    "http://127.0.0.1:8642.evil.example",
    "http://127.0.0.1:8642@evil.example",
    "http://127.0.0.1.:8642",
    "http://localhost.evil.example:8642",
    "http://[::1]:8642",
    "file://",
    "chrome-extension://abc",
    "127.0.0.1:8642",
]


def scope(
    *headers: tuple[str, str], kind: str = "http", method: str = "GET", path: str = "/", port: int = PORT
) -> dict[str, Any]:
    """What a server is told of a request."""
    raw = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers]
    return {"type": kind, "method": method, "path": path, "headers": raw, "server": ("127.0.0.1", port)}


def answered(request: dict[str, Any], messages: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """What a browser gets when the guarded application answers with ``messages``."""
    sent: list[dict[str, Any]] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        for message in messages:
            await send(message)

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> dict[str, str]:
        return {"type": "http.request"}

    # In a thread of its own: where tests of a browser came before, this one has a loop that is running.
    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, Guard(app, POLICY)(request, receive, send)).result()
    return sent


def headers_of(message: dict[str, Any]) -> dict[str, str]:
    """Headers of the beginning of an answer, none of them twice."""
    names = [name.decode().lower() for name, _ in message["headers"]]
    assert len(names) == len(set(names))
    return {name.decode().lower(): value.decode() for name, value in message["headers"]}


@pytest.mark.parametrize("host", HERE)
@pytest.mark.parametrize("kind", ["http", "websocket"])
def test_own_pages_are_welcome(host: str, kind: str) -> None:
    """Both names of this computer, with the port that is served, and the origin that goes with the name."""
    assert is_welcome(scope(("Host", host), ("Origin", f"http://{host}"), kind=kind))


@pytest.mark.parametrize("host", STRANGE_HOSTS)
@pytest.mark.parametrize("kind", ["http", "websocket"])
def test_every_other_host_is_refused(host: str, kind: str) -> None:
    """Names made to lead here, other ports and ways of writing, with or without an origin that agrees."""
    assert not is_welcome(scope(("Host", host), kind=kind))
    assert not is_welcome(scope(("Host", host), ("Origin", f"http://{host}"), kind=kind))


@pytest.mark.parametrize("origin", STRANGE_ORIGINS)
@pytest.mark.parametrize(
    ("kind", "method"), [("http", "GET"), ("http", "POST"), ("http", "OPTIONS"), ("websocket", "GET")]
)
def test_every_other_origin_is_refused(origin: str, kind: str, method: str) -> None:
    """No page of another site or port is answered, whatever it asks for; nor one without a name."""
    assert not is_welcome(scope(("Host", HERE[0]), ("Origin", origin), kind=kind, method=method))


def test_one_host_and_one_origin() -> None:
    """Headers that come twice are refused, the right one first or last."""
    own, other = ("Host", HERE[0]), ("Host", "evil.example")
    for hosts in ((own, other), (other, own), (own, own), ()):
        assert not is_welcome(scope(*hosts))
    here, there = ("Origin", f"http://{HERE[0]}"), ("Origin", "http://evil.example")
    assert not is_welcome(scope(own, here, there))
    assert not is_welcome(scope(own, there, here))


def test_without_an_origin_one_may_read() -> None:
    """Opening a page gives no origin; what changes something, and a websocket, has to have one."""
    own = ("Host", HERE[0])
    assert is_welcome(scope(own))
    assert is_welcome(scope(own, method="HEAD"))
    for method in ("POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE"):
        assert not is_welcome(scope(own, method=method))
    assert not is_welcome(scope(own, kind="websocket"))


@pytest.mark.parametrize(
    ("site", "mode", "kind", "welcome"),
    [
        ("none", "navigate", "document", True),
        ("same-origin", "cors", "empty", True),
        ("cross-site", "navigate", "document", True),
        ("cross-site", "navigate", "iframe", False),
        ("cross-site", "navigate", "object", False),
        ("cross-site", "no-cors", "image", False),
        ("cross-site", "no-cors", "script", False),
        ("same-site", "no-cors", "image", False),
        ("same-site", "cors", "empty", False),
        ("strange", "no-cors", "image", False),
    ],
)
def test_browsers_say_who_asks(site: str, mode: str, kind: str, welcome: bool) -> None:
    """Following a link is fine; images, scripts, frames and fetches are for own pages alone."""
    said = (("Sec-Fetch-Site", site), ("Sec-Fetch-Mode", mode), ("Sec-Fetch-Dest", kind))
    assert is_welcome(scope(("Host", HERE[0]), *said)) is welcome


@pytest.mark.parametrize("path", ["http://127.0.0.1:8642/", "http://evil.example/", "*", ""])
def test_a_path_is_a_path(path: str) -> None:
    """Addresses of proxies and the star of OPTIONS are no paths."""
    assert not is_welcome(scope(("Host", HERE[0]), path=path))


def test_port_of_http_goes_without_saying() -> None:
    """Browsers leave 80 out, of host and origin."""
    assert is_welcome(scope(("Host", "localhost"), ("Origin", "http://localhost"), port=80))
    assert is_welcome(scope(("Host", "localhost:80"), port=80))
    assert not is_welcome(scope(("Host", "localhost:8642"), port=80))


def test_an_unknown_port_is_nobodys() -> None:
    """Where the server cannot say by which port a request came, nobody is let in."""
    for server in (None, ("/run/socket", None)):
        assert not is_welcome(scope(("Host", "127.0.0.1:8642")) | {"server": server})
        assert not is_welcome(scope(("Host", "127.0.0.1")) | {"server": server})


def test_refusals_say_where_loupe_is() -> None:
    """A refusal is short, in words, and as well guarded as an answer; a websocket is not opened."""
    start, body = answered(scope(("Host", "evil.example")), [])
    assert start["status"] == 403
    assert headers_of(start)["content-security-policy"] == POLICY
    assert b"http://127.0.0.1:8642" in body["body"]
    closed = answered(scope(("Host", HERE[0]), ("Origin", "null"), kind="websocket"), [])
    assert closed == [{"type": "websocket.close", "code": 1008}]


@pytest.mark.parametrize("status", [200, 404, 500])
def test_every_answer_says_what_it_may_do(status: int) -> None:
    """Whatever the application answers, and whatever it says itself."""
    wide = [(b"content-security-policy", b"default-src *"), (b"x-frame-options", b"SAMEORIGIN")]
    start, _ = answered(
        scope(("Host", HERE[0]), path="/_stcore/upload_file/a/b"),
        [
            {"type": "http.response.start", "status": status, "headers": wide},
            {"type": "http.response.body", "body": b""},
        ],
    )
    headers = headers_of(start)
    assert headers["content-security-policy"] == POLICY
    assert headers["x-frame-options"] == "DENY"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cross-origin-resource-policy"] == headers["cross-origin-opener-policy"] == "same-origin"


def test_files_of_a_study_may_do_nothing() -> None:
    """An image with a script in it, opened by itself, has no scripts, not even those of this server."""
    start = answered(
        scope(("Host", HERE[0]), path="/media/a.svg"), [{"type": "http.response.start", "status": 200}]
    )[0]
    policy = headers_of(start)["content-security-policy"]
    assert policy.startswith("default-src 'none'; ")
    assert "script-src" not in policy
    assert "'self'" not in policy


def test_other_messages_pass() -> None:
    """Nothing is added to what is no answer, and nothing is asked of what is no request."""
    life = {"type": "lifespan.startup.complete"}
    assert answered({"type": "lifespan"}, [life]) == [life]
    opened = {"type": "websocket.accept", "headers": []}
    own = (("Host", HERE[0]), ("Origin", f"http://{HERE[0]}"))
    assert answered(scope(*own, kind="websocket"), [opened]) == [opened]


def test_no_other_host_and_nothing_evaluated() -> None:
    """No directive names a host or a scheme of the net; text is never run as code."""
    parts = {part.split()[0]: part.split()[1:] for part in POLICY.split("; ")}
    assert {name: sources for name, sources in parts.items() if name != "script-src"} == {
        "default-src": ["'none'"],
        "style-src": ["'self'", "'unsafe-inline'"],
        "base-uri": ["'none'"],
        "form-action": ["'none'"],
        "frame-ancestors": ["'none'"],
        "img-src": ["'self'", "data:"],
        "font-src": ["'self'", "data:"],
        "connect-src": ["'self'"],
    }
    assert parts["script-src"][:2] == ["'self'", "blob:"]
    # echo -n 'let x = 1' | openssl dgst -sha256 -binary | base64
    assert parts["script-src"][2:] == ["'sha256-+9RIDzvx0TGl4PMcwUdjIf3oi5QYiuHS1C+f52uNBBc='"]


def test_scripts_of_a_document_are_found() -> None:
    """Scripts that stand in it, letter by letter; those that are fetched are not among them."""
    html = '<script>a\n</script><script type="module" src="./x.js"></script><script>b</script>'
    assert inline_scripts(html) == ["a\n", "b"]
