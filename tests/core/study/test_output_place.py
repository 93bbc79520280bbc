"""No result is written into a study, around one, or where nothing can be written."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from core.study.output_place import require_apart, require_around_nothing, require_writable


@pytest.fixture
def study(tmp_path: Path) -> Path:
    """Folder that looks like a study."""
    folder = tmp_path / "data" / "study"
    folder.mkdir(parents=True)
    (folder / "annotations.csv").write_text("")
    return folder


@pytest.mark.parametrize(
    "place", ["study", "study/tables", "study/../study/a/b", "link", "link/tables", "other/../study"]
)
def test_a_study_is_left_alone(study: Path, place: str) -> None:
    """Itself and whatever is inside, whichever way the path goes."""
    (study.parent / "link").symlink_to(study)
    (study.parent / "other").mkdir()
    with pytest.raises(ValueError, match=r"the study folder .*study, which is never changed"):
        require_apart(study.parent / place)


@pytest.mark.parametrize("mark", ["study.toml", "annotations.parquet"])
def test_any_study_counts(tmp_path: Path, mark: str) -> None:
    """Not only the one that is read."""
    (tmp_path / mark).write_text("")
    with pytest.raises(ValueError, match="lies inside"):
        require_apart(tmp_path / "tables")


def test_what_is_read_counts_though_it_does_not_look_like_a_study(tmp_path: Path) -> None:
    """A folder to import from; a file to import from may have neighbours."""
    (tmp_path / "release").mkdir()
    (tmp_path / "release" / "counts.npy").write_bytes(b"")
    with pytest.raises(ValueError, match="is the folder that is read"):
        require_apart(tmp_path / "release", sources=[tmp_path / "release"])
    require_apart(tmp_path / "release" / "study", sources=[tmp_path / "release" / "counts.npy"])


def test_a_folder_beside_a_study_is_fine(study: Path) -> None:
    """As is one that is not there."""
    require_apart(study.parent / "tables", sources=[study])
    require_around_nothing(study.parent / "tables", sources=[study])
    require_writable(study.parent / "tables" / "evaluate")


def test_a_folder_that_holds_a_study_is_not_for_results(study: Path, tmp_path: Path) -> None:
    """The study that is read at any depth, others directly."""
    for sources in ([], [study]):
        with pytest.raises(ValueError, match="holds the study folder"):
            require_around_nothing(study.parent, sources=sources)
    with pytest.raises(ValueError, match="holds the study folder"):
        require_around_nothing(tmp_path, sources=[study])
    require_around_nothing(tmp_path)


def test_what_cannot_be_written_is_known_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file, a path through one, a long name, links in a circle, a folder that is not one's own."""
    (tmp_path / "file").write_text("")
    (tmp_path / "round").symlink_to("about")
    (tmp_path / "about").symlink_to("round")
    for place in ("file", "file/a/b", "x" * 300, "round", "round/a"):
        with pytest.raises(OSError, match=r"Expected a folder|too long|symbolic links"):
            require_writable(tmp_path / place)
    (tmp_path / "own").mkdir()
    with monkeypatch.context() as patch:
        patch.setattr(os.path, "ismount", lambda path: path == tmp_path / "own")
        with pytest.raises(OSError, match="file system begins here"):
            require_writable(tmp_path / "own")
    monkeypatch.setattr(os, "access", lambda path, _: path != tmp_path)
    with pytest.raises(PermissionError):
        require_writable(tmp_path / "own")
    require_writable(tmp_path / "own" / "new")
    with pytest.raises(PermissionError):
        require_writable(tmp_path / "new")
