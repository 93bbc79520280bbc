"""Images of cases: from a folder or an upload, and files that hold none."""

from __future__ import annotations

import io
import os
import zipfile
from pathlib import Path

import numpy as np
import pytest
from dicom_files import dicom_file, ramp
from PIL import Image
from streamlit.testing.v1 import AppTest

from core.study.images import Window, read_picture, shades
from core.study.model import Study
from core.study.problems import StudyError
from core.study.reading.folder import read_study, read_zip
from dashboard.views.cases import dicom
from dashboard.views.cases.dicom import Shot
from dashboard.views.cases.image import images_of

ANNOTATIONS = "case_id,rater_id,label\na,r1,x\na,r2,y\nb,r1,x\nc,r1,y\n"
CASES = "case_id,image\na,images/a.png\nb,images/none.png\nc,\n"


def _picture() -> bytes:
    buffer = io.BytesIO()
    Image.new("RGB", (3, 2), "navy").save(buffer, "PNG")
    return buffer.getvalue()


@pytest.fixture(params=["folder", "upload"])
def study(request: pytest.FixtureRequest, tmp_path: Path) -> Study:
    """Three cases: with an image, with one that is not there, and without."""
    files = {"annotations.csv": ANNOTATIONS.encode(), "cases.csv": CASES.encode(), "images/a.png": _picture()}
    if request.param == "upload":
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w") as archive:
            for name, content in files.items():
                archive.writestr(name, content)
        return read_zip(buffer.getvalue())
    (tmp_path / "images").mkdir()
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    return read_study(tmp_path)


def test_the_image_of_a_case(study: Study) -> None:
    """The same picture from both; none where there is none."""
    (shot,) = images_of(study, 0)
    content = shot.source if isinstance(shot.source, bytes) else Path(shot.source).read_bytes()
    assert content == _picture()
    assert images_of(study, 1) == images_of(study, 2) == ()


@pytest.mark.parametrize("as_folder", [True, False])
def test_a_case_has_several_images(as_folder: bool, tmp_path: Path) -> None:
    """Every picture of every file that is there, in the order of the cell."""
    content = dicom_file(np.stack([ramp(), ramp(), ramp()]))
    files = {
        "annotations.csv": b"case_id,rater_id,label\na,r,x\na,s,y\n",
        "cases.csv": b"case_id,image\na,one.png; none.png;two.dcm\n",
        "one.png": _picture(),
        "two.dcm": content,
    }
    if as_folder:
        for name, one in files.items():
            (tmp_path / name).write_bytes(one)
        study = read_study(tmp_path)
    else:
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w") as archive:
            for name, one in files.items():
                archive.writestr(name, one)
        study = read_zip(buffer.getvalue())
    assert [(shot.name, shot.frame) for shot in images_of(study, 0)] == [
        ("one.png", 0),
        ("two.dcm", 0),
        ("two.dcm", 1),
        ("two.dcm", 2),
    ]
    assert any("none.png" in str(problem) for problem in study.notes)


def test_every_path_of_a_cell_has_to_lie_in_the_study(tmp_path: Path) -> None:
    """The one at fault is named, though the others are right."""
    (tmp_path / "annotations.csv").write_text("case_id,rater_id,label\na,r,x\n")
    (tmp_path / "cases.csv").write_text("case_id,image\na,one.png;../two.png\n")
    with pytest.raises(StudyError, match=r"inside the study folder, got \"\.\./two\.png\""):
        read_study(tmp_path)


def _shown(image: str | bytes, name: str) -> None:
    from types import SimpleNamespace

    from dashboard.views.cases.dicom import Shot
    from dashboard.views.cases.image import show_images

    show_images((Shot(image, name),), SimpleNamespace(fingerprint="f"), "a")  # type: ignore[arg-type]


@pytest.mark.parametrize("content", [b"", b"no picture", b"<svg/>", b"\x89PNG\r\n\x1a\n"])
@pytest.mark.parametrize("name", ["a.png", "a.dcm"])
@pytest.mark.parametrize("as_file", [True, False])
def test_a_file_without_an_image_is_named_in_words(
    content: bytes, name: str, as_file: bool, tmp_path: Path
) -> None:
    """No traceback: the page says what is wrong and how to mend it."""
    path = tmp_path / name
    path.write_bytes(content)
    test = AppTest.from_function(_shown, args=(str(path) if as_file else content, name)).run()
    assert not test.exception
    assert "The image of this case cannot be shown" in test.get("html")[0].proto.body
    assert not test.button


@pytest.mark.parametrize(("content", "name"), [(_picture(), "a.png"), (dicom_file(ramp()), "a.dcm")])
def test_an_image_is_shown_with_its_button(content: bytes, name: str) -> None:
    """From memory, as an upload's."""
    test = AppTest.from_function(_shown, args=(content, name)).run()
    assert not test.exception
    assert not test.get("html")
    assert [button.label for button in test.button] == ["Enlarge"]


def _png(content: bytes, window: Window | None, width: int | None = None) -> np.ndarray:
    return np.asarray(Image.open(io.BytesIO(dicom.rendered(Shot(content, "a.dcm"), window, width))))


def test_a_dicom_picture_is_drawn_as_its_window_says() -> None:
    """Shades of the core, with square pixels, and no larger than asked for."""
    values = ramp(high=900)
    content = dicom_file(values)
    picture = read_picture(content)
    for window in (None, Window(100, 50)):
        np.testing.assert_array_equal(_png(content, window), shades(picture, window))
    assert _png(content, None, 32).shape == (24, 32)
    assert _png(dicom_file(values, PixelSpacing=[2, 1]), None).shape == (96, 64)
    assert _png(dicom_file(values, PixelSpacing=[1, 2]), None).shape == (48, 128)


def test_a_changed_file_is_read_anew(tmp_path: Path) -> None:
    """Though its name is the same."""
    path = tmp_path / "a.dcm"
    shot = Shot(str(path), "a.dcm")
    seen = []
    for when, content in enumerate((ramp(), ramp()[:, ::-1])):
        path.write_bytes(dicom_file(content))
        os.utime(path, (when, when))
        seen.append(dicom.rendered(shot, None, None))
    assert seen[0] != seen[1]
