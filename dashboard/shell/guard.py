"""Who is answered: pages that this server itself has sent, and nobody else; what those pages may do."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable
from hashlib import sha256

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

NAMES = ("127.0.0.1", "localhost")
"""Names of this computer that the server is reached by."""
_MEDIA = "/media/"
_INLINE = re.compile(r"<script>(.*?)</script>", re.DOTALL)
_HEADERS = {
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
_NOTHING = {
    "default-src": "'none'",
    "style-src": "'unsafe-inline'",
    "base-uri": "'none'",
    "form-action": "'none'",
    "frame-ancestors": "'none'",
}
"""Policy of what belongs to a study, such as an image with scripts in it: it may do nothing."""


def page_policy(scripts: Iterable[str]) -> str:
    """Content security policy of pages: code, style and data of this server, and of no other.

    Parameters
    ----------
    scripts : iterable of str
        Scripts that stand in a page itself, letter by letter; no other such script runs.

    Notes
    -----
    ``blob:`` among the scripts is how Streamlit runs the code of components (second version); inline styles
    are how it and Vega write theirs. Images in ``data:`` are icons. Nothing is evaluated: Vega is told by
    Streamlit to interpret its expressions.
    """
    hashes = " ".join(f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'" for text in scripts)
    return _written(
        _NOTHING
        | {
            "script-src": f"'self' blob: {hashes}".strip(),
            "style-src": "'self' 'unsafe-inline'",
            "img-src": "'self' data:",
            "font-src": "'self' data:",
            "connect-src": "'self'",
        }
    )


def inline_scripts(html: str) -> list[str]:
    """Scripts that stand in a document."""
    return _INLINE.findall(html)


class Guard:
    """Stands before the whole server: refuses strangers, and writes on every answer what it may do.

    Parameters
    ----------
    app : ASGI application
        Answers who is not refused.
    policy : str
        Content security policy of pages.

    Notes
    -----
    A request has to name this computer and the port that is served, in its only Host header; so a name of
    somebody else's that is made to lead here leads nowhere. Its Origin, if there is one, has to be the same
    place. A request without it may only read; and a browser that says that another page asks is refused,
    unless somebody followed a link. A websocket needs its Origin: browsers always give it.
    """

    def __init__(self, app: ASGIApp, policy: str) -> None:
        self._app = app
        self._policy = policy

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, refuse, or hand on what is no request."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        policy = _written(_NOTHING) if scope["path"].startswith(_MEDIA) else self._policy

        async def send_guarded(message: Message) -> None:
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                headers = MutableHeaders(raw=message.setdefault("headers", []))
                for name, value in {**_HEADERS, "Content-Security-Policy": policy}.items():
                    headers[name] = value
                message["headers"] = headers.raw
            await send(message)

        if is_welcome(scope):
            await self._app(scope, receive, send_guarded)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
        else:
            await _refusal(_port(scope))(scope, receive, send_guarded)


def is_welcome(scope: Scope) -> bool:
    """Whether a request comes from a page of this server, or from somebody at this computer."""
    headers = Headers(scope=scope)
    hosts, origins = headers.getlist("host"), headers.getlist("origin")
    if len(hosts) != 1 or hosts[0] not in _places(_port(scope)) or not scope["path"].startswith("/"):
        return False
    if origins:
        return origins == [f"http://{hosts[0]}"]
    if scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD"):
        return False
    asked_by = headers.get("sec-fetch-site", "none")
    follows_link = headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest") == "document"
    return asked_by in ("none", "same-origin") or follows_link


def _port(scope: Scope) -> int:
    """Port that the request came in by: what is really served, whatever the request says."""
    server = scope.get("server")
    return int(server[1]) if server is not None and server[1] is not None else 0


def _places(port: int) -> set[str]:
    """Every Host that is this server; browsers leave out the port that HTTP has by default."""
    return {f"{name}:{port}" for name in NAMES} | (set(NAMES) if port == 80 else set())


def _refusal(port: int) -> PlainTextResponse:
    """Say where Loupe is to be found."""
    words = f"Loupe answers only on this computer, at http://{NAMES[0]}:{port} or http://{NAMES[1]}:{port}.\n"
    return PlainTextResponse(words, status_code=403)


def _written(policy: dict[str, str]) -> str:
    """Write a policy as the header has it."""
    return "; ".join(f"{name} {sources}" for name, sources in policy.items())
