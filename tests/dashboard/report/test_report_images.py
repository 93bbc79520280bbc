"""Images of cases in a report: small, bounded, without anything but their pixels; faults are said."""

from __future__ import annotations

import io
import re
from base64 import b64decode
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from dicom_files import dicom_file, ramp
from PIL import Image

from core.cli import main, sample_folder
from core.study.model import Study
from core.study.reading.folder import read_study
from dashboard.report import images, page
from dashboard.report.__main__ import main as write
from dashboard.report.blocks import Gallery, Text
from dashboard.report.collect import Content, Section, collect
from dashboard.report.images import SHOW_A_PERSON, gallery
from dashboard.report.page import html
from dashboard.report.settings import Contents

CASES = {
    "large": "large.jpg", "turned": "turned.jpg", "clear": "clear.png", "deep": "deep.png", "ct": "ct.dcm",
    "gone": "none.png", "words": "words.png", "outside": "link.png", "nothing": "",
    "many": ";".join(f"{i}.png" for i in range(6)),
}  # fmt: skip


def _noise(width: int, height: int) -> Image.Image:
    return Image.fromarray(np.random.default_rng(1).integers(0, 255, (height, width, 3), np.uint8))


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    """Cases with images of every kind, and some that are none."""
    folder = tmp_path_factory.mktemp("images") / "study"
    folder.mkdir()
    (folder / "annotations.csv").write_text(
        "case_id,rater_id,label\n" + "".join(f"{case},r1,x\n{case},r2,y\n" for case in CASES)
    )
    (folder / "cases.csv").write_text(
        "case_id,image\n" + "".join(f"{case},{image}\n" for case, image in CASES.items())
    )
    said = Image.Exif()
    said[0x010E], said[0x0112] = "Jane Doe", 6  # what it shows, and that it lies on its side
    _noise(900, 600).save(folder / "large.jpg")
    _noise(90, 60).save(folder / "turned.jpg", exif=said)
    Image.new("RGBA", (8, 8), (0, 0, 0, 0)).save(folder / "clear.png")
    Image.fromarray(np.full((4, 4), 32_768, np.uint16)).save(folder / "deep.png")
    (folder / "ct.dcm").write_bytes(dicom_file(ramp(), PatientName="Nobody^Never"))
    (folder / "words.png").write_text("no image")
    (folder.parent / "outside.png").write_bytes((folder / "clear.png").read_bytes())
    for i in range(6):
        Image.new("L", (5, 5), i).save(folder / f"{i}.png")
    found = read_study(folder)
    (folder / "link.png").symlink_to(folder.parent / "outside.png")  # made once the study is open
    return found


def _opened(of: Any) -> Image.Image:
    return Image.open(io.BytesIO(b64decode(of.address.split(",")[1])))


def test_images_are_small_and_nothing_but_pixels(study: Study) -> None:
    """Scaled, turned as they say, white where transparent, of eight bits, DICOM as the page has it."""
    *_, found = gallery(study, [*CASES])
    assert isinstance(found, Gallery)
    by_case = {one.of: one for one in found.images}
    assert (by_case["case large"].width, by_case["case large"].height) == (512, 341)
    assert _opened(by_case["case large"]).format == "JPEG"
    assert (by_case["case turned"].width, by_case["case turned"].height) == (60, 90)
    assert _opened(by_case["case clear"]).getpixel((1, 1)) == (255, 255, 255)
    assert _opened(by_case["case deep"]).getpixel((1, 1)) == 127
    assert (by_case["case ct"].width, by_case["case ct"].height) == (64, 48)
    everything = b"".join(b64decode(one.address.split(",")[1]) for one in found.images)
    assert b"Jane" not in everything
    assert b"Nobody" not in everything
    assert [one for one in by_case if one.startswith("case many")] == [
        f"case many, {i} of 4" for i in range(1, 5)
    ]
    assert found.left_out == 2


def test_what_is_not_there_is_said(study: Study) -> None:
    """And what is no image; without the names of files."""
    said = [one.text for one in gallery(study, [*CASES]) if isinstance(one, Text)]
    assert said[1:] == [
        "Not there, or outside of the study: images of gone, outside.",
        "Cannot be shown: images of words.",
    ]
    cases = study.cases.assign(image="")
    assert [*gallery(replace(study, cases=cases), ["large"])][-1] == Text("This study names no images.")


def _content(study: Study) -> Content:
    return Content("S", "", {}, (Section("cases", "Cases", {}, (*gallery(study, [*CASES]),)),), ())


def test_a_report_stays_within_its_size(study: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first images that fit; how many were left out is said; all of it again is the same."""
    whole = html(_content(study))
    assert len(whole.encode()) <= page.MOST_BYTES
    assert whole.count("<img ") == 9
    assert set(re.findall(r'<img src="(.*?);', whole)) == {"data:image/png", "data:image/jpeg"}
    assert "2 further images left out" in whole
    assert html(_content(study)) == whole
    monkeypatch.setattr(page, "MOST_BYTES", len(whole.encode()) - 2_000)
    less = html(_content(study))
    assert len(less.encode()) <= page.MOST_BYTES
    assert 0 < less.count("<img ") < 9
    assert f"{11 - less.count('<img ')} further images left out" in less
    monkeypatch.setattr(images, "MOST_BYTES", 10)
    *_, found = gallery(study, [*CASES])
    assert isinstance(found, Gallery)
    assert len(found.images) == 1


def test_images_come_only_where_they_are_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With cases, of one study, and with a warning."""
    folder = sample_folder("mixed_digits")
    asked = Contents(folder, "?model=label-counts", ("checklist",), 3, images=True)
    found = collect(asked)
    assert SHOW_A_PERSON in found.warnings
    assert html(found).count("<img ") == 3
    assert "<img " not in html(collect(replace(asked, images=False)))
    with pytest.raises(ValueError, match="say how many cases"):
        Contents(folder, images=True)
    out = str(tmp_path / "report.html")
    assert main(["report", str(folder), "--out", out, "--images"]) == 1
    assert "give --cases N" in capsys.readouterr().err
    with pytest.raises(SystemExit, match="report of one study"):
        write([str(folder), out, "--second", str(folder), "--cases", "2", "--images"])
