"""Images of cases: from a folder or an upload, and files that hold none."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest
from PIL import Image
from streamlit.testing.v1 import AppTest

from core.study.model import Study
from core.study.reading.folder import read_study, read_zip
from dashboard.views.cases.image import image_of

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
    image = image_of(study, 0)
    assert image is not None
    assert (image if isinstance(image, bytes) else Path(image).read_bytes()) == _picture()
    assert image_of(study, 1) is None
    assert image_of(study, 2) is None


def _shown(image: str | bytes) -> None:
    from dashboard.views.cases.image import show_image

    show_image(image, "a")


@pytest.mark.parametrize("content", [b"", b"no picture", b"<svg/>", b"\x89PNG\r\n\x1a\n"])
@pytest.mark.parametrize("as_file", [True, False])
def test_a_file_without_an_image_is_named_in_words(content: bytes, as_file: bool, tmp_path: Path) -> None:
    """No traceback: the page says what is wrong and how to mend it."""
    path = tmp_path / "a.png"
    path.write_bytes(content)
    test = AppTest.from_function(_shown, args=(str(path) if as_file else content,)).run()
    assert not test.exception
    assert "The image of this case cannot be shown" in test.get("html")[0].proto.body
    assert not test.button


def test_an_image_is_shown_with_its_button() -> None:
    """From memory, as an upload's."""
    test = AppTest.from_function(_shown, args=(_picture(),)).run()
    assert not test.exception
    assert not test.get("html")
    assert [button.label for button in test.button] == ["Enlarge"]
