"""Uploaded archives, honest and hostile."""

from __future__ import annotations

import io
import stat
import zipfile

import pytest
from study_files import CHOICE

from core.study.problems import StudyError
from core.study.reading import archive as archive_module
from core.study.reading.folder import read_zip


def _zip(files: dict[str, str | bytes], compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", compression) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()


@pytest.mark.parametrize("top", ["", "my study/"])
def test_study_at_the_top_or_in_a_folder(top):
    """Both ways of zipping a folder; what some systems add is passed over."""
    files = {
        f"{top}study.toml": 'name = "Zipped"',
        f"{top}annotations.csv": CHOICE,
        f"{top}cases.csv": "case_id,image\n1,images/a.png\n2,\n",
        f"{top}images/a.png": b"picture",
        "__MACOSX/._x": b"",
        f"{top}.DS_Store": b"",
    }
    study = read_zip(_zip(files))
    assert (study.name, study.n_cases, study.notes) == ("Zipped", 2, ())
    assert study.root is None
    assert study.images == {"images/a.png": b"picture"}


def test_an_upload_is_in_memory_only(monkeypatch, tmp_path):
    """Nothing of it stays on the disk once it is read; an image that is not there is none."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    cases = "case_id,image\n1,images/a.png\n2,images/none.png\n"
    files = {"study.toml": "", "annotations.csv": CHOICE, "cases.csv": cases, "images/a.png": b"picture"}
    study = read_zip(_zip(files | {"images/unused.png": b"other"}))
    assert list(tmp_path.iterdir()) == []
    assert study.images == {"images/a.png": b"picture"}


def test_folder_goes_after_a_refusal(monkeypatch, tmp_path):
    """A refused upload leaves nothing behind."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with pytest.raises(StudyError):
        read_zip(_zip({"annotations.csv": "x"}))
    assert list(tmp_path.iterdir()) == []


def test_bomb():
    """Zeros that pack a thousand to one stop at the limit, whatever the directory says."""
    data = _zip({"annotations.csv": b"0" * 30_000_000})
    assert len(data) < 100_000
    with pytest.raises(StudyError, match="unpacks to more than 1 MB"):
        read_zip(data, limit_bytes=1024**2)


def test_too_large():
    """The archive itself counts too."""
    with pytest.raises(StudyError, match="larger than"):
        read_zip(_zip({"a": b"x" * 1000}, zipfile.ZIP_STORED), limit_bytes=500)


def test_too_many_files(monkeypatch):
    """So does the number of files."""
    monkeypatch.setattr(archive_module, "LARGEST_COUNT", 3)
    with pytest.raises(StudyError, match="4 files; at most 3"):
        read_zip(_zip({f"{i}.png": b"" for i in range(4)}))


@pytest.mark.parametrize("name", ["../x.csv", "/etc/x.csv", "a/../../x.csv", "a\\..\\x.csv", "C:/x.csv"])
def test_paths_that_lead_out(name, tmp_path):
    """No path leaves the folder."""
    with pytest.raises(StudyError) as caught:
        read_zip(_zip({name: b"x", "annotations.csv": CHOICE}))
    assert [problem.file for problem in caught.value.problems] == [name]


def test_link():
    """No links in archives."""
    link = zipfile.ZipInfo("images/a.png")
    link.create_system = 3
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("annotations.csv", CHOICE)
        archive.writestr(link, "/etc/passwd")
    with pytest.raises(StudyError, match="got a link"):
        read_zip(buffer.getvalue())


@pytest.mark.parametrize("data", [b"", b"PK\3\4", b"not a zip at all", CHOICE.encode()])
def test_no_archive(data):
    """Something else under the name of an archive."""
    with pytest.raises(StudyError, match="cannot be unpacked"):
        read_zip(data)


def test_file_in_place_of_a_folder():
    """Two members that cannot both exist."""
    with pytest.raises(StudyError, match="cannot be unpacked"):
        read_zip(_zip({"a": b"x", "a/b": b"y"}))
