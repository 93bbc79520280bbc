"""Pictures and downloads that stay for a while after the page has let go of them.

Streamlit drops the files of a run with the next one. A browser that is busy asks for an image only then, is
told that there is none, and does not ask again: the image of the case stays broken, at the same address.
"""

from __future__ import annotations

from streamlit.runtime import get_instance, memory_media_file_storage
from streamlit.runtime.media_file_storage import MediaFileKind
from streamlit.runtime.memory_media_file_storage import MemoryMediaFileStorage

MOST_KEPT = 64_000_000
"""Bytes of files that nobody shows; the oldest go first."""


class Files(MemoryMediaFileStorage):
    """Files in memory; what is deleted can be had for some time yet."""

    def __init__(self, media_endpoint: str) -> None:
        super().__init__(media_endpoint)
        self._let_go: dict[str, int] = {}

    def load_and_get_id(
        self, path_or_data: str | bytes, mimetype: str, kind: MediaFileKind, filename: str | None = None
    ) -> str:
        """Take a file that is shown, perhaps once more."""
        file_id = super().load_and_get_id(path_or_data, mimetype, kind, filename)
        self._let_go.pop(file_id, None)
        return file_id

    def delete_file(self, file_id: str) -> None:
        """Let go of a file that nobody shows any more."""
        if file_id in self._files_by_id:
            self._let_go[file_id] = self._files_by_id[file_id].content_size
        while sum(self._let_go.values()) > MOST_KEPT:
            oldest = next(iter(self._let_go))
            del self._let_go[oldest]
            super().delete_file(oldest)


def install() -> None:
    """Let the server keep its files so."""
    memory_media_file_storage.MemoryMediaFileStorage = Files  # type: ignore[misc]


def address(content: str | bytes, kind: str, place: str) -> str:
    """Address on this server of a file that a component shows.

    Parameters
    ----------
    content : str or bytes
        Path of the file, or what is in it.
    kind : str
        Media type, such as ``image/png``.
    place : str
        Where on the page it stands; a file stays as long as a place shows it.
    """
    return get_instance().media_file_mgr.add(content, kind, place)
