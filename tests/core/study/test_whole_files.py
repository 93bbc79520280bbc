"""Files are written whole or not at all."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.study import whole_files
from core.study.whole_files import replace_files, write_folder

FILES = [("a.csv", "x\n1\n"), ("in/b.json", b"{}"), ("c.txt", iter(["one ", "two"]))]


def contents(folder: Path) -> dict[str, bytes]:
    """All files below a folder, hidden ones too, by relative path."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


def full_disk() -> Iterator[str]:
    """Content that no longer fits."""
    yield "half a "
    raise OSError(errno.ENOSPC, "No space left on device")


def test_a_folder_comes_with_all_its_files(tmp_path: Path) -> None:
    """Text as UTF-8 with its line ends, bytes, and text in pieces, in folders made for it; nothing else."""
    write_folder(tmp_path / "new" / "one", [("ü.csv", "ü\r\n"), *FILES])
    assert contents(tmp_path) == {
        "new/one/ü.csv": b"\xc3\xbc\r\n",
        "new/one/a.csv": b"x\n1\n",
        "new/one/in/b.json": b"{}",
        "new/one/c.txt": b"one two",
    }


def test_an_empty_folder_is_as_good_as_none(tmp_path: Path) -> None:
    """Also where a link leads to it."""
    (tmp_path / "one").mkdir()
    (tmp_path / "link").symlink_to("one")
    write_folder(tmp_path / "link", [("a", "1")])
    assert contents(tmp_path / "one") == {"a": b"1"}
    assert (tmp_path / "link").is_symlink()


@pytest.mark.parametrize("there", [None, "empty", "full"])
def test_a_full_disk_leaves_what_was_there(tmp_path: Path, there: str | None) -> None:
    """Neither half a file nor half a folder; the error names the file as it would have been called."""
    folder = tmp_path / "deep" / "one"
    if there:
        folder.mkdir(parents=True)
    if there == "full":
        (folder / "old.csv").write_text("old")
    before = contents(tmp_path), sorted(tmp_path.rglob("*"))
    with pytest.raises(OSError, match="No space left") as refused:
        write_folder(folder, [("a.csv", "x"), ("b.csv", full_disk())], overwrite=True)
    assert refused.value.errno == errno.ENOSPC
    assert refused.value.filename == str(folder / "b.csv")
    assert (contents(tmp_path), sorted(tmp_path.rglob("*"))) == before


@pytest.mark.skipif(os.name != "posix", reason="limits of POSIX")
def test_a_file_that_may_not_grow_leaves_what_was_there(tmp_path: Path) -> None:
    """The system itself stops the writing, in the midst of the second file."""
    import resource

    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "old.csv").write_text("old")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, hard))
    try:
        with pytest.raises(OSError, match="File too large"):
            write_folder(tmp_path / "one", [("a", "x"), ("b", "y" * 10_000)], overwrite=True)
        with pytest.raises(OSError, match="File too large"):
            replace_files(tmp_path / "one", [("old.csv", "new"), ("b", "y" * 10_000)])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert contents(tmp_path) == {"one/old.csv": b"old"}


def test_nothing_is_replaced_unasked(tmp_path: Path) -> None:
    """A folder with a file in it, and a file."""
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "mine").write_text("mine")
    for folder in (tmp_path / "one", tmp_path / "one" / "mine"):
        with pytest.raises(FileExistsError, match="new or empty"):
            write_folder(folder, FILES)
    assert contents(tmp_path) == {"one/mine": b"mine"}


def test_a_folder_takes_the_place_of_another(tmp_path: Path) -> None:
    """All of it: no file of the earlier one is left among the new ones."""
    write_folder(tmp_path / "one", [("old.csv", "old"), ("a.csv", "old")])
    write_folder(tmp_path / "one", [("a.csv", "new")], overwrite=True)
    assert contents(tmp_path) == {"one/a.csv": b"new"}


def test_a_folder_that_cannot_be_moved_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the new one does not arrive, the old one comes back."""
    write_folder(tmp_path / "one", [("a.csv", "old")])
    rename = Path.rename

    def refuse(self: Path, target: Path) -> Path:
        if (self / "a.csv").is_file() and (self / "a.csv").read_text() == "new":
            raise OSError(errno.EIO, "Input/output error")
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", refuse)
    with pytest.raises(OSError, match="Input/output"):
        write_folder(tmp_path / "one", [("a.csv", "new")], overwrite=True)
    assert contents(tmp_path) == {"one/a.csv": b"old"}


def test_an_interrupted_writing_leaves_nothing(tmp_path: Path) -> None:
    """Ctrl+C in the midst of a file."""

    def interrupted() -> Iterator[str]:
        yield "x"
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_folder(tmp_path / "new" / "one", [("a", interrupted())])
    assert list(tmp_path.iterdir()) == []


def test_files_reach_the_disk_before_they_get_their_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every file is synchronised while the folder is not yet there."""
    synced: list[bool] = []
    monkeypatch.setattr(whole_files.os, "fsync", lambda _: synced.append((tmp_path / "one").exists()))
    write_folder(tmp_path / "one", [("a", "1"), ("b", "2")])
    assert synced[:2] == [False, False]
    assert synced[-1]


def test_files_are_replaced_beside_others(tmp_path: Path) -> None:
    """What is not replaced stays, and nothing is left of the work."""
    (tmp_path / "mine").write_text("mine")
    (tmp_path / "a.csv").write_text("old")
    replace_files(tmp_path, FILES[:2])
    assert contents(tmp_path) == {"mine": b"mine", "a.csv": b"x\n1\n", "in/b.json": b"{}"}
    with pytest.raises(OSError, match="No space left"):
        replace_files(tmp_path, [("a.csv", "newer"), ("new/b", full_disk())])
    assert contents(tmp_path) == {"mine": b"mine", "a.csv": b"x\n1\n", "in/b.json": b"{}"}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.csv", "in", "mine"]
