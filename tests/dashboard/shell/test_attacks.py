"""Attacks on a running server: what a browser never sends, and what pages of other sites may try."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser.forked import serve

UPGRADE = (
    "Upgrade: websocket",
    "Connection: Upgrade",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
)
EVIL = "evil.example"


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """Port of a dashboard."""
    with serve(tmp_path_factory.mktemp("attacked"), "--no-browser") as url:
        yield int(url.rsplit(":", 1)[1])


def said(port: int, text: str, *, wait: float = 20) -> bytes:
    """Answer to a request; PORT in the text is the server's, and every line ends as HTTP wants it."""
    lines = text.replace("PORT", str(port)).split("\n")
    with socket.create_connection(("127.0.0.1", port), timeout=wait) as wire:
        last = [] if "Connection: Upgrade" in lines else ["Connection: close"]
        wire.sendall("\r\n".join([*lines, *last, "", ""]).encode("latin-1"))
        answer = b""
        while chunk := wire.recv(65536):
            answer += chunk
            if b" 101 " in answer[:20]:
                break
    return answer


def status(answer: bytes) -> int:
    """Status of an answer."""
    return int(answer.split()[1])


def shaking(host: str, origin: str | None = None, path: str = "/_stcore/stream") -> str:
    """Handshake of a websocket."""
    lines = [f"GET {path} HTTP/1.1", f"Host: {host}", *([] if origin is None else [f"Origin: {origin}"])]
    return "\n".join([*lines, *UPGRADE])


@pytest.mark.parametrize(
    "text",
    [
        f"GET / HTTP/1.1\nHost: {EVIL}",
        f"GET / HTTP/1.1\nHost: {EVIL}:PORT",
        f"GET / HTTP/1.1\nHost: localhost.{EVIL}:PORT",
        "GET / HTTP/1.1\nHost: localhost.:PORT",
        "GET / HTTP/1.1\nHost: 127.0.0.1:1",
        "GET / HTTP/1.1\nHost: 127.0.0.1",
        "GET / HTTP/1.1\nHost: [::1]:PORT",
        f"GET / HTTP/1.1\nHost: 127.0.0.1:PORT\nHost: {EVIL}",
        f"GET / HTTP/1.1\nHost: {EVIL}\nHost: 127.0.0.1:PORT",
        f"GET / HTTP/1.1\nHost: 127.0.0.1:PORT, {EVIL}",
        f"GET / HTTP/1.1\nHost: 127.0.0.1:PORT\n {EVIL}",
        "GET / HTTP/1.1\nX-Forwarded-Host: 127.0.0.1:PORT",
        f"GET / HTTP/1.1\nHost: {EVIL}\nX-Forwarded-Host: 127.0.0.1:PORT",
        f"GET / HTTP/1.1\nHost: {EVIL}\nForwarded: host=127.0.0.1:PORT",
        "GET / HTTP/1.0",
        f"GET http://{EVIL}/ HTTP/1.1\nHost: 127.0.0.1:PORT",
        f"GET http://127.0.0.1:PORT/ HTTP/1.1\nHost: {EVIL}",
        "GET http://127.0.0.1:PORT/ HTTP/1.1\nHost: 127.0.0.1:PORT",
        "OPTIONS * HTTP/1.1\nHost: 127.0.0.1:PORT",
        f"CONNECT {EVIL}:443 HTTP/1.1\nHost: {EVIL}:443",
        f"GET /_stcore/health HTTP/1.1\nHost: {EVIL}",
        f"GET /_stcore/metrics HTTP/1.1\nHost: {EVIL}",
        f"GET /static/js/index.js HTTP/1.1\nHost: {EVIL}",
        f"GET /media/x.png HTTP/1.1\nHost: 127.0.0.1:PORT\nOrigin: http://{EVIL}",
        "GET /media/x.png HTTP/1.1\nHost: 127.0.0.1:PORT\nSec-Fetch-Site: cross-site",
        "GET /_stcore/health HTTP/1.1\nHost: 127.0.0.1:PORT\nOrigin: null",
        "GET / HTTP/1.1\nHost: 127.0.0.1:PORT\nSec-Fetch-Site: cross-site\nSec-Fetch-Mode: navigate\n"
        "Sec-Fetch-Dest: iframe",
        f"OPTIONS /_stcore/upload_file/a/b HTTP/1.1\nHost: 127.0.0.1:PORT\nOrigin: http://{EVIL}\n"
        "Access-Control-Request-Method: PUT",
        "PUT /_stcore/upload_file/a/b HTTP/1.1\nHost: 127.0.0.1:PORT\nOrigin: http://127.0.0.1:1\n"
        "Content-Length: 0",
        "PUT /_stcore/upload_file/a/b HTTP/1.1\nHost: 127.0.0.1:PORT\nContent-Length: 0",
        "DELETE /_stcore/upload_file/a/b HTTP/1.1\nHost: 127.0.0.1:PORT\nOrigin: null",
        f"POST / HTTP/1.1\nHost: 127.0.0.1:PORT\nOrigin: http://{EVIL}\nContent-Length: 0",
        "POST /_stcore/agent/interact HTTP/1.1\nHost: 127.0.0.1:PORT\nOrigin: null\nContent-Length: 0",
    ],
)
def test_strangers_are_refused(port: int, text: str) -> None:
    """Refused, by this server or by what takes requests apart before it; no page, no cookie, no leave."""
    answer = said(port, text)
    head = answer.split(b"\r\n\r\n")[0].lower()
    assert status(answer) in (400, 403)
    assert b"<html" not in answer
    assert b"set-cookie" not in head
    assert b"access-control" not in head


@pytest.mark.parametrize(
    ("host", "origin"),
    [
        ("127.0.0.1:PORT", None),
        ("127.0.0.1:PORT", "null"),
        ("127.0.0.1:PORT", ""),
        ("127.0.0.1:PORT", f"http://{EVIL}"),
        ("127.0.0.1:PORT", "http://127.0.0.1:1"),
        ("127.0.0.1:PORT", "http://127.0.0.1"),
        ("127.0.0.1:PORT", "https://127.0.0.1:PORT"),
        ("127.0.0.1:PORT", "http://localhost:PORT"),
        ("localhost:PORT", f"http://localhost.{EVIL}:PORT"),
        ("localhost:PORT", "http://LOCALHOST:PORT"),
        ("localhost.:PORT", "http://localhost.:PORT"),
        ("LOCALHOST:PORT", "http://localhost:PORT"),
        (f"{EVIL}:PORT", f"http://{EVIL}:PORT"),
        (EVIL, f"http://{EVIL}"),
    ],
)
def test_no_session_for_strangers(port: int, host: str, origin: str | None) -> None:
    """A websocket is opened for pages of this server alone, and nobody outside is asked who they are."""
    assert status(said(port, shaking(host, origin))) == 403


@pytest.mark.parametrize("host", ["127.0.0.1:PORT", "localhost:PORT"])
def test_own_pages_get_a_session(port: int, host: str) -> None:
    """By both names of this computer."""
    assert status(said(port, shaking(host, f"http://{host}"))) == 101


def test_two_hosts_or_origins_open_nothing(port: int) -> None:
    """Not even if one of them is right."""
    right = shaking("127.0.0.1:PORT", "http://127.0.0.1:PORT")
    assert status(said(port, f"{right}\nHost: {EVIL}")) in (400, 403)
    assert status(said(port, f"{right}\nOrigin: http://{EVIL}")) in (400, 403)


@pytest.mark.parametrize(
    "path",
    [
        "/media/../../../../etc/passwd",
        "/media/..%2f..%2f..%2fetc%2fpasswd",
        "/media/%2e%2e/%2e%2e/etc/passwd",
        "/media/..%5c..%5cetc%5cpasswd",
        "/media//etc/passwd",
        "/media/%00",
        "/component/loupe/..%2f..%2f..%2fetc%2fpasswd",
        "/_stcore/bidi-components/loupe_cases/..%2f..%2f..%2fetc%2fpasswd",
        "/_stcore/bidi-components/%2fetc%2fpasswd",
        "/static/..%2f..%2f..%2f..%2fetc/passwd",
        "/static/js/%2e%2e/%2e%2e/%2e%2e/%2e%2e/%2e%2e/%2e%2e/%2e%2e/etc/passwd",
        "/app/static/app.py",
        "/..%2fapp.py",
        "//etc/passwd",
        "/%2fetc/passwd",
        "/%5c%5cevil.example%5cshare",
        "/~root/.ssh/id_rsa",
        "/.streamlit/secrets.toml",
        "/_stcore/upload_file/../../etc/passwd",
    ],
)
def test_no_path_leads_out(port: int, path: str) -> None:
    """Nothing but the server's own files is read, whatever the path is made of; each answer is guarded."""
    answer = said(port, f"GET {path} HTTP/1.1\nHost: 127.0.0.1:PORT")
    head, body = answer.split(b"\r\n\r\n", 1)
    assert b"root:" not in body
    assert b"import annotations" not in body
    assert status(answer) in (400, 403, 404, 405) or b"<title>Streamlit</title>" in body
    assert b"\r\ncontent-security-policy: default-src 'none'" in head
    assert b"location: //" not in head.lower()


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/", 200),
        ("/cases", 200),
        ("/no/such/page", 200),
        ("/no-such-file.js", 200),
        ("/cases/", 301),
        ("/media/nothing", 404),
        ("/_stcore/health", 200),
        ("/_stcore/host-config", 200),
        ("/_stcore/upload_file/a/b", 200),
        ("/_stcore/agent/mcp", 405),
        ("/component/nothing/x.js", 404),
        ("/_stcore/bidi-components/nothing/x.js", 404),
    ],
)
def test_every_answer_is_guarded(port: int, path: str, expected: int) -> None:
    """Pages, files, errors and redirections cannot be framed, guessed at, or load anything from outside."""
    answer = said(port, f"GET {path} HTTP/1.1\nHost: localhost:PORT")
    head = answer.split(b"\r\n\r\n")[0].decode().lower()
    assert status(answer) == expected
    for line in (
        "x-frame-options: deny",
        "x-content-type-options: nosniff",
        "referrer-policy: no-referrer",
        "cross-origin-resource-policy: same-origin",
    ):
        assert f"\r\n{line}" in head
    (policy,) = [line for line in head.split("\r\n") if line.startswith("content-security-policy: ")]
    assert "frame-ancestors 'none'" in policy
    assert "http" not in policy.split(":", 1)[1]
    assert "*" not in policy


def test_nobody_may_speak_to_a_page_from_outside(port: int) -> None:
    """No origin is trusted with messages that stop, rerun or redirect a page."""
    answer = said(port, "GET /_stcore/host-config HTTP/1.1\nHost: 127.0.0.1:PORT")
    config = json.loads(answer.split(b"\r\n\r\n")[1])
    assert config["allowedOrigins"] == []
    assert not config["enableCustomParentMessages"]
    assert not config["useExternalAuthToken"]
    assert config["metricsUrl"] == ""


def test_uploads_need_a_session(port: int, tmp_path: Path) -> None:
    """Even from the right origin, a file without a session's token is not taken."""
    answer = said(
        port,
        "PUT /_stcore/upload_file/a/b HTTP/1.1\nHost: 127.0.0.1:PORT\nOrigin: http://127.0.0.1:PORT\n"
        "Content-Length: 0",
    )
    assert status(answer) == 403
