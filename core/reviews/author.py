"""Who writes at this computer: asked once, and kept for the next time."""

from __future__ import annotations

from contextlib import suppress

from core.reviews.event import author_name
from core.study.own_folder import own_folder


def known_author() -> str | None:
    """Name that was last given at this computer; None where none was, or it cannot be read."""
    try:
        return author_name((own_folder("data") / "author").read_text(encoding="utf-8"))
    except (OSError, RuntimeError, ValueError):
        return None


def remember_author(name: str) -> None:
    """Keep a name for its owner's eyes, if it can be kept."""
    with suppress(OSError, RuntimeError):
        file = own_folder("data") / "author"
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        file.touch(mode=0o600)
        file.chmod(0o600)
        file.write_text(f"{name}\n", encoding="utf-8")
