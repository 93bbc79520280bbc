"""Who writes at this computer."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from core.reviews.author import known_author, remember_author
from core.reviews.store import ReviewStore, default_address


def test_a_name_is_kept_for_its_owner_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder, the name and the reviews; also where an earlier name could be read by others."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.delenv("LOUPE_DATABASE", raising=False)
    remember_author("Ada")
    ReviewStore(default_address()).close()
    folder = tmp_path / "loupe"
    (folder / "author").chmod(0o644)
    remember_author("Ben")
    assert known_author() == "Ben"
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (folder, *folder.glob("*"))}
    assert modes.pop("loupe") == 0o700
    assert set(modes.values()) == {0o600}
