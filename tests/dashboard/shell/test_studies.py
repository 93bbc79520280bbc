"""What can be opened."""

from __future__ import annotations

import errno
import os
import re
import shutil
from pathlib import Path

import pytest

from core.cli import sample_folder
from dashboard.shell import studies


def test_samples_are_found_wherever_it_runs() -> None:
    """The bundled samples are there, the main one first."""
    assert studies.samples()[0].key == studies.SAMPLE


def test_only_added_folders_can_be_opened(tmp_path: Path) -> None:
    """A folder is known after somebody asked for it, not before."""
    assert str(tmp_path.resolve()) not in studies.sources()
    studies.add_folder(tmp_path)
    assert studies.sources()[str(tmp_path.resolve())].folder == tmp_path.resolve()


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("", "Write the path of a study folder."),
        ("  ", "Write the path of a study folder."),
        ("nul\0inside", "“nul\\x00inside” holds characters that no path can have."),
        ("half\ud800", "“half\\ud800” holds characters that no path can have."),
        ("n" * 256, "is longer than this computer allows."),
        ("n/" * 5000, "There is no folder “n/n/n/"),
        ("~no-such-account/study", "There is no home folder for “~no-such-account/study”"),
        ("no/such/folder", "There is no folder “no/such/folder” on this computer."),
        ("circle", "“circle” leads round in a circle of links"),
        ("a.zip", "“a.zip” is a file, or leads through one"),
        ("a.zip/study", "“a.zip/study” is a file, or leads through one"),
        ("\x1b[31mred", "There is no folder “\\x1b[31mred” on this computer."),
    ],
)
def test_what_is_no_folder_is_refused_in_words(
    path: str, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A sentence says what is wrong with the path, short and without characters that steer anything."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "circle").symlink_to(tmp_path / "round")
    (tmp_path / "round").symlink_to(tmp_path / "circle")
    (tmp_path / "a.zip").touch()
    before = studies.sources()
    with pytest.raises(ValueError, match=re.escape(reason)) as refused:
        studies.add_folder(path)
    assert len(str(refused.value)) < 420
    assert str(refused.value).isprintable()
    assert studies.sources().keys() == before.keys()


def test_a_folder_that_may_not_be_read_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Said where it is asked for, not on every page afterwards."""

    def refuse(path: Path) -> None:
        raise PermissionError(errno.EACCES, "Permission denied", str(path))

    monkeypatch.setattr(os, "scandir", refuse)
    with pytest.raises(ValueError, match="cannot be read by this account"):
        studies.add_folder(tmp_path)


def test_a_study_is_listed_once(tmp_path: Path) -> None:
    """By whatever path it is opened, as a sample or as a copy of one; folders of one name are told apart."""
    toy = sample_folder("toy_three_labels")
    assert studies.add_folder(toy).key == "toy_three_labels"
    assert str(toy) not in studies.sources()
    # What is asked for goes before what is only there: the first is what a start opens.
    assert list(studies.sources()).index("toy_three_labels") < list(studies.sources()).index(studies.SAMPLE)
    (tmp_path / "link").symlink_to(tmp_path / "a" / "study")
    for place in ("a", "b"):
        (tmp_path / place / "study").mkdir(parents=True)
    first = studies.add_folder(tmp_path / "a" / "study")
    assert studies.add_folder(tmp_path / "link") is first
    second = studies.add_folder(tmp_path / "b" / "study")
    titles = {source.title for source in studies.listed(first.key).values()}
    assert {f"study (in {tmp_path / place})" for place in "ab"} <= titles
    assert "study" not in titles
    copy = Path(shutil.copytree(toy, tmp_path / "mine"))
    own = studies.add_folder(copy)
    assert "toy_three_labels" not in studies.listed(second.key)
    assert own.key in studies.listed(second.key)
    assert own.key not in studies.listed("toy_three_labels")
    assert "toy_three_labels" in studies.sources()
    with (copy / "annotations.csv").open("r+b") as table:
        table.seek(-2, os.SEEK_END)
        table.write(b"X")
    assert {own.key, "toy_three_labels"} <= set(studies.listed(own.key))


def test_uploads_are_bounded() -> None:
    """The oldest upload goes when there are too many."""
    keys = [studies.add_upload("x.zip", bytes([i])).key for i in range(studies.MOST_UPLOADS + 1)]
    known = studies.sources()
    assert keys[0] not in known
    assert all(key in known for key in keys[1:])
