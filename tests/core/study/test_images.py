"""Images of cases: paths in a cell, and the grey values of DICOM files."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from dicom_files import dicom_file, ramp
from PIL import Image
from pydicom import dcmread
from pydicom.pixels import apply_windowing
from pydicom.uid import DeflatedExplicitVRLittleEndian, JPEGLosslessSV1

from core.study.images import (
    CT_WINDOWS,
    ImageError,
    Picture,
    Window,
    count_pictures,
    image_paths,
    read_picture,
    shades,
)


@pytest.mark.parametrize(
    ("cell", "paths"),
    [
        ("a.png", ["a.png"]),
        ("a.png; b c.dcm ;", ["a.png", "b c.dcm"]),
        ("", []),
        (" ; ", []),
        (None, []),
        (float("nan"), []),
    ],
)
def test_a_cell_names_several_images(cell: object, paths: list[str]) -> None:
    """Between semicolons, spaces around them left out."""
    assert image_paths(cell) == paths


@pytest.mark.parametrize("function", ["LINEAR", "LINEAR_EXACT", "SIGMOID"])
@pytest.mark.parametrize("window", [Window(40, 400), Window(-600, 1500), Window(10, 2), Window(0.5, 900.5)])
@pytest.mark.parametrize("as_file", [True, False])
def test_a_window_maps_as_the_standard_says(
    function: str, window: Window, as_file: bool, tmp_path: Path
) -> None:
    """Against pydicom's own mapping, with a modality transformation before it."""
    content = dicom_file(
        ramp(),
        WindowCenter=window.level,
        WindowWidth=window.width,
        VOILUTFunction=function,
        RescaleSlope="1",
        RescaleIntercept="-24",
    )
    path = tmp_path / "a.dcm"
    path.write_bytes(content)
    picture = read_picture(path if as_file else content)
    assert picture.windows == (window,)
    with np.errstate(over="ignore"):
        expected = apply_windowing(ramp().astype(float) - 24, dcmread(io.BytesIO(content)))
    low, high = -(2**15) - 24, 2**15 - 1 - 24  # pydicom's darkest and brightest move with the values.
    shown = shades(picture, window)
    assert shown.dtype == np.uint8
    np.testing.assert_allclose(shown, (expected - low) / (high - low) * 255, atol=0.51)


def test_low_values_may_be_bright() -> None:
    """MONOCHROME1 is the same picture, light for dark."""
    picture = read_picture(dicom_file(ramp()))
    negative = read_picture(dicom_file(ramp(), PhotometricInterpretation="MONOCHROME1"))
    np.testing.assert_array_equal(shades(negative, None), 255 - shades(picture, None))


def test_the_whole_range_leaves_padding_out() -> None:
    """Darkest and brightest are the extremes that were measured."""
    values = ramp()
    values[-1] = -2000
    picture = read_picture(
        dicom_file(values, PixelPaddingValue=-2000, RescaleSlope="2", RescaleIntercept="1")
    )
    window = picture.full_window()
    assert (window.level, window.width) == (1.5, 4001)
    shown = shades(picture, window)
    assert shown[-2].min() == 0
    assert shown.max() == 255
    np.testing.assert_array_equal(shown, shades(picture, None))


def test_windows_of_the_file_come_first_and_nonsense_goes() -> None:
    """A window of no width, or with no number, is none; computed tomography has the usual ones too."""
    picture = read_picture(
        dicom_file(
            ramp(),
            Modality="CT",
            WindowCenter=[50, 3, 7],
            WindowWidth=[350, 0, 9],
            WindowCenterWidthExplanation=["MED", "NONE", "TINY"],
        )
    )
    assert picture.windows == (Window(50, 350, "MED"), Window(7, 9, "TINY"))
    assert picture.usual_windows() == CT_WINDOWS
    assert read_picture(dicom_file(ramp(), Modality="MR")).usual_windows() == ()


def test_pictures_of_one_file() -> None:
    """Each by its number, as many as the file holds."""
    content = dicom_file(np.stack([ramp(), ramp()[:, ::-1], ramp(low=0)]))
    assert count_pictures(content) == 3
    np.testing.assert_array_equal(read_picture(content, 1).values, ramp()[:, ::-1])


@pytest.mark.parametrize("depth", [np.uint8, np.uint16])
def test_colours_stay_colours(depth: Any) -> None:
    """No window is offered; any depth comes as bytes."""
    most = np.iinfo(depth).max
    values = np.array([[[0, most, most // 2]]], depth).repeat(4, 0).repeat(5, 1)
    picture = read_picture(dicom_file(values))
    assert not picture.is_gray
    assert picture.windows == picture.usual_windows() == ()
    np.testing.assert_array_equal(shades(picture, None)[2, 3], [0, 255, 127])


def test_jpeg_is_unpacked() -> None:
    """As most files from the web are packed."""
    from pydicom.encaps import encapsulate
    from pydicom.uid import JPEGBaseline8Bit

    values = np.full((16, 24, 3), (200, 40, 90), np.uint8)
    buffer = io.BytesIO()
    Image.fromarray(values).save(buffer, "JPEG", quality=95)
    content = dicom_file(
        values,
        packed=JPEGBaseline8Bit,
        PhotometricInterpretation="YBR_FULL_422",
        PixelData=encapsulate([buffer.getvalue()]),
    )
    np.testing.assert_allclose(read_picture(content).values, values, atol=4)


def _claiming(size: int) -> bytes:
    return dicom_file(ramp(), Rows=size, Columns=size)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "no DICOM file"),
        (b"\x89PNG\r\n\x1a\n" * 100, "no DICOM file"),
        (dicom_file(ramp())[:300], "no picture|no DICOM file|cannot be unpacked"),
        (dicom_file(ramp())[:-200], "cannot be unpacked"),
        (_claiming(60_000), "60,000 × 60,000 pixels"),
        (dicom_file(ramp(), packed=DeflatedExplicitVRLittleEndian), "Save it unpacked"),
    ],
)
def test_a_file_that_cannot_be_shown_is_refused_in_words(content: bytes, words: str, tmp_path: Path) -> None:
    """From memory and from a folder: no other error, and no memory for what the file only claims."""
    path = tmp_path / "a.dcm"
    path.write_bytes(content)
    for source in (content, path):
        with pytest.raises(ImageError, match=words):
            read_picture(source)


def test_an_unknown_packing_says_what_to_do() -> None:
    """Lossless JPEG needs code that Loupe does not bring."""
    from pydicom.encaps import encapsulate

    content = dicom_file(ramp(), packed=JPEGLosslessSV1, PixelData=encapsulate([b"\xff\xd8\xff\xd9"]))
    with pytest.raises(ImageError, match="dcmdjpeg"):
        read_picture(content)


def test_nothing_of_the_person_is_read_out() -> None:
    """The picture has no name."""
    picture = read_picture(dicom_file(ramp()))
    assert isinstance(picture, Picture)
    assert "Nobody" not in repr(vars(picture))
