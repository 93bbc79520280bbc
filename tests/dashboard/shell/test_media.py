"""Files that a page has let go of can be had for a while."""

from __future__ import annotations

import pytest
from streamlit.runtime.media_file_storage import MediaFileKind, MediaFileStorageError

from dashboard.shell import media
from dashboard.shell.media import Files


def _load(files: Files, content: bytes) -> str:
    return files.load_and_get_id(content, "image/png", MediaFileKind.MEDIA)


def test_a_file_outlives_the_page_that_showed_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The last ones stay within their room; one that is shown again has gone nowhere."""
    monkeypatch.setattr(media, "MOST_KEPT", 8)
    files = Files("/media")
    first, second, third = (_load(files, content) for content in (b"1111", b"2222", b"3333"))
    for file in (first, second):
        files.delete_file(file)
        assert files.get_file(f"{file}.png").content
    assert _load(files, b"1111") == first
    files.delete_file(third)
    assert files.get_file(f"{first}.png").content == b"1111"
    files.delete_file(first)
    with pytest.raises(MediaFileStorageError):
        files.get_file(f"{second}.png")
    assert files.get_file(f"{third}.png").content == b"3333"
    files.delete_file("unknown")
