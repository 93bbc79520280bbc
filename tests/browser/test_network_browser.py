"""Nothing leaves this computer, and pages of other sites get nothing from it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from browser.outside import Outside, outside
from browser.server import free_port
from browser.visit import Visit

pytestmark = pytest.mark.browser

ASKS = """
import socket, urllib.request
from streamlit import net_util
net_util.get_external_ip()
net_util.get_internal_ip()
try:
    socket.getaddrinfo("loupe.example", 80)
except OSError:
    pass
"""
TRIES = """async url => {
  const said = {};
  const attempt = async (name, what) => { said[name] = await what().catch(error => error.name); };
  await attempt("fetch", async () => (await fetch(url + "/_stcore/health")).status);
  await attempt("blind", async () => (await fetch(url + "/", {mode: "no-cors"})).type);
  const upload = url + "/_stcore/upload_file/a/b";
  await attempt("upload", async () => (await fetch(upload, {method: "PUT"})).status);
  await attempt("image", () => new Promise((done) => {
    const image = new Image();
    image.onload = () => done("shown"); image.onerror = () => done("refused");
    image.src = url + "/favicon.png";
  }));
  await attempt("socket", () => new Promise((done) => {
    const wire = new WebSocket(url.replace("http", "ws") + "/_stcore/stream");
    wire.onopen = () => done("open"); wire.onerror = () => done("refused");
  }));
  return said;
}"""


@pytest.fixture(scope="module")
def elsewhere() -> Iterator[str]:
    """Address of another site; this computer's too, but by another port."""

    class Site(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            """Answer with an empty page."""
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(b"<title>Elsewhere</title><body>")

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", free_port()), Site) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


@pytest.fixture
def stranger(context: Any, elsewhere: str) -> Any:
    """An open page of another site."""
    page = context.new_page()
    page.goto(elsewhere)
    return page


def test_whoever_asks_is_seen(tmp_path: Path) -> None:
    """The watch itself works: by the proxy, past it, and by name, in Python and in the browser."""
    with outside(tmp_path) as world:
        subprocess.run([sys.executable, "-c", ASKS], env=os.environ | world.environment, check=True)
        asked = "\n".join(world.asked())
        assert "GET http://checkip.amazonaws.com" in asked
        assert "socket.connect ('8.8.8.8', 1)" in asked
        assert "socket.getaddrinfo loupe.example" in asked


def test_a_browser_that_asks_is_seen(context: Any, world: Outside) -> None:
    """The browser of all tests is watched: what it asks of an outside name is written down."""
    context.new_page().evaluate(
        """() => new Promise((done) => {
          const image = new Image();
          image.onload = image.onerror = done;
          image.src = "http://watch.loupe.example/";
        })"""
    )
    # This was meant to be seen; whatever else is written down is not.
    world.requests.remove("GET http://watch.loupe.example/ HTTP/1.1")


def test_other_pages_get_nothing(stranger: Any, address: str) -> None:
    """Another port of this computer is another site: no answer, no image, no session, no upload."""
    assert stranger.evaluate(TRIES, address) == {
        "fetch": "TypeError",
        "blind": "TypeError",
        "upload": "TypeError",
        "image": "refused",
        "socket": "refused",
    }


def test_other_pages_cannot_frame_or_send_forms(stranger: Any, address: str) -> None:
    """In a frame of another page Loupe is not shown, and what a form sends is refused."""
    stranger.evaluate(
        """url => new Promise((done) => {
          const frame = document.createElement("iframe");
          frame.onload = done; frame.src = url; document.body.append(frame);
        })""",
        address,
    )
    assert stranger.frames[1].locator(".stApp").count() == 0
    with stranger.expect_navigation() as sent:
        stranger.evaluate(
            """url => {
              const form = document.createElement("form");
              form.method = "post"; form.action = url + "/cases"; document.body.append(form); form.submit();
            }""",
            address,
        )
    assert sent.value.status == 403


def test_a_link_from_elsewhere_is_followed(context: Any, elsewhere: str, address: str) -> None:
    """A link on another page, such as one in a message, opens the view that it names."""
    visit = Visit(context)
    visit.page.goto(elsewhere)
    visit.page.evaluate("url => { location.href = url; }", f"{address}/?study=toy_three_labels")
    visit.page.locator(".st-key-footer").wait_for(timeout=240_000)
    assert visit.complaints == []


def test_by_its_name_it_is_the_same(context: Any, address: str) -> None:
    """At localhost pages work as at 127.0.0.1."""
    visit = Visit(context)
    visit.page.goto(f"{address.replace('127.0.0.1', 'localhost')}/?study=toy_three_labels")
    visit.page.locator(".st-key-footer").wait_for(timeout=240_000)
    assert visit.complaints == []
