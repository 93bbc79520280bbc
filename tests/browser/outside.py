"""The world outside this computer, as tests see it: it answers everything and writes it down."""

from __future__ import annotations

import socketserver
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Thread

WATCHED = Path(__file__).with_name("watched")
"""Folder that makes a Python process write down whom it asks."""

_NOWHERE = "http://127.0.0.1:9"
_OWN_ERRANDS = (
    "--disable-domain-reliability",
    "--disable-client-side-phishing-detection",
    f"--component-updater=url-source={_NOWHERE}",
    f"--gaia-url={_NOWHERE}",
    f"--google-apis-url={_NOWHERE}",
    f"--google-base-url={_NOWHERE}",
    f"--gcm-checkin-url={_NOWHERE}",
    f"--gcm-registration-url={_NOWHERE}",
    "--gcm-mcs-endpoint=127.0.0.1:9",
)
"""Lead nowhere what Chromium asks for itself, without a page asking: updates, accounts, reports, messages."""
_OWN_UPDATES = "redirector.gvt1.com"
"""Where Chromium looks for updates of its own parts now and then, whatever the flags."""


@dataclass(frozen=True)
class Outside:
    """A proxy that stands for every outside name.

    Attributes
    ----------
    port : int
        Of this computer, that it listens on.
    log : Path
        Where processes write down whom they ask past the proxy.
    requests : list of str
        First lines of what it was asked.
    """

    port: int
    log: Path
    requests: list[str] = field(default_factory=list)

    @property
    def environment(self) -> dict[str, str]:
        """Variables that send a process to the proxy, and watch what it does otherwise."""
        proxy = f"http://127.0.0.1:{self.port}"
        names = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY")
        return {
            **{spelt: proxy for name in names for spelt in (name, name.lower())},
            "NO_PROXY": "",
            "no_proxy": "",
            "LOUPE_TEST_ASKED": str(self.log),
            "PYTHONPATH": str(WATCHED),
        }

    @property
    def flags(self) -> tuple[str, ...]:
        """Flags that send Chromium to the proxy; this computer itself it reaches without one."""
        return (
            f"--proxy-server=http://127.0.0.1:{self.port}",
            "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1 , EXCLUDE localhost",
            *_OWN_ERRANDS,
        )

    def asked(self) -> list[str]:
        """Everything that was asked of the outside."""
        past = self.log.read_text(encoding="utf-8").splitlines() if self.log.exists() else []
        return [asked for asked in (*self.requests, *past) if _OWN_UPDATES not in asked]


@contextmanager
def outside(folder: Path) -> Iterator[Outside]:
    """Listen for whatever is asked of the outside; a folder keeps what is asked past the proxy."""
    requests: list[str] = []

    class Answer(socketserver.StreamRequestHandler):
        """Answer one request, and go."""

        timeout = 10

        def handle(self) -> None:
            """Write down what is asked, and say that it is well."""
            requests.append(self.rfile.readline(2000).decode("latin-1").strip())
            self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\nConnection: close\r\n\r\n192.0.2.1")

    class Server(socketserver.ThreadingTCPServer):
        daemon_threads = True
        allow_reuse_address = True

    with Server(("127.0.0.1", 0), Answer) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield Outside(server.server_address[1], folder / "asked.log", requests)
        server.shutdown()
