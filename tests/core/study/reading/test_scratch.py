"""Readings that were unpacked do not stay: not after reading, not after a kill, and nobody else's go."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import zipfile
from io import BytesIO
from pathlib import Path

import pytest

from core.study.problems import StudyError
from core.study.reading import scratch
from core.study.reading.folder import read_zip

pytestmark = pytest.mark.skipif(os.name != "posix", reason="folders are locked on POSIX")

ROOT = Path(__file__).parents[4]
HELD = """
import sys
from core.study.reading import folder

def wait(path, **_):
    print(path, flush=True)
    sys.stdin.read()

folder.read_study = wait
folder.read_zip(open(sys.argv[1], "rb").read())
"""


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A temporary folder of the test's own."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def zipped() -> bytes:
    """A small study in a zip file."""
    content = BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr("annotations.csv", "case_id,rater_id,label\nc1,A,x\nc1,B,y\n")
    return content.getvalue()


def left(folder: Path) -> list[str]:
    """Names in a folder."""
    return sorted(path.name for path in folder.iterdir())


def test_nothing_stays_after_reading(temporary: Path) -> None:
    """The folder is private while it is there, and gone after reading and after a failure."""
    with scratch.scratch_folder() as folder:
        assert folder.parent == temporary
        assert folder.stat().st_mode & 0o077 == 0
    assert read_zip(zipped()).n_cases == 1
    with pytest.raises(StudyError):
        read_zip(zipped()[:-30])
    assert left(temporary) == []


def test_a_killed_process_leaves_what_the_next_one_clears(temporary: Path, tmp_path: Path) -> None:
    """While another process reads, its folder stays; when it was killed, its readings go."""
    upload = tmp_path / "upload.zip"
    upload.write_bytes(zipped())
    with subprocess.Popen(
        [sys.executable, "-c", HELD, str(upload)],
        env=os.environ | {"PYTHONPATH": str(ROOT), "TMPDIR": str(temporary)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as reader:
        assert reader.stdout is not None
        unpacked = Path(reader.stdout.readline().strip())
        scratch.clear_left_behind()
        assert left(unpacked) == ["annotations.csv"]
        reader.kill()
        reader.wait()
        assert left(unpacked) == ["annotations.csv"]
        scratch.clear_left_behind()
    assert left(temporary) == []


def test_only_own_folders_go(temporary: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Links, files and other names stay, and so do folders of other accounts, and where links lead."""
    other = tmp_path / "readings"
    other.mkdir()
    (other / "annotations.csv").touch()
    (temporary / f"{scratch.PREFIX}link").symlink_to(other)
    (temporary / f"{scratch.PREFIX}file").touch()
    (temporary / "loupe-else").mkdir()
    killed = temporary / f"{scratch.PREFIX}killed"
    killed.mkdir()
    (killed / "link").symlink_to(other)
    with monkeypatch.context() as account:
        account.setattr(os, "geteuid", lambda: killed.stat().st_uid + 1)
        scratch.clear_left_behind()
    assert len(left(temporary)) == 4
    scratch.clear_left_behind()
    assert killed.name not in left(temporary)
    assert len(left(temporary)) == 3
    assert left(other) == ["annotations.csv"]


def test_a_folder_cleared_before_it_is_locked_is_made_anew(
    temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process that starts in the moment between making and locking takes nothing away."""
    make, made = tempfile.mkdtemp, []

    def make_and_lose(**given: str) -> str:
        made.append(make(**given))
        if len(made) < 3:
            scratch.clear_left_behind()
        return made[-1]

    monkeypatch.setattr(tempfile, "mkdtemp", make_and_lose)
    with scratch.scratch_folder() as folder:
        assert str(folder) == made[2]
        assert folder.is_dir()


def test_without_a_temporary_folder_an_upload_is_refused_in_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It says what to set; clearing finds nothing to do."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "nowhere"))
    scratch.clear_left_behind()
    with pytest.raises(StudyError, match="Set TMPDIR to a folder that can be written"):
        read_zip(zipped())
