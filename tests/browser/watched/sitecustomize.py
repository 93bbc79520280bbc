"""Writes down every address that this process, or one that it starts, asks for outside this computer.

Python imports a module of this name when it starts: who has this folder on PYTHONPATH is watched.
"""

from __future__ import annotations

import os
import sys
from typing import Any

_SENDS = ("socket.connect", "socket.sendto", "socket.sendmsg")
_LOOKS_UP = ("socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr", "socket.getnameinfo")


def _is_here(host: object) -> bool:
    """Whether an address is this computer's, or the name of a file."""
    name = host.decode() if isinstance(host, bytes) else host
    return name in (None, "", "localhost", "::1", "0.0.0.0", "::") or str(name).startswith("127.")


def _watch(event: str, given: tuple[Any, ...]) -> None:
    if event not in _SENDS and event not in _LOOKS_UP:
        return
    place = given[1] if event in _SENDS else given[0]
    if event in _SENDS and not isinstance(place, tuple):
        return
    host = place[0] if isinstance(place, tuple) else place
    # A child of a process that is watched may have been given variables of its own.
    asked = os.environ.get("LOUPE_TEST_ASKED")
    if asked is not None and not _is_here(host):
        with open(asked, "a", encoding="utf-8") as log:
            log.write(f"{event} {place}\n")


if "LOUPE_TEST_ASKED" in os.environ:
    sys.addaudithook(_watch)
