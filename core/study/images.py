"""Images of cases: which files a case names, and the grey values of DICOM files.

Nothing of a DICOM file but its picture is read out: names, dates and numbers of patients stay in the file.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from pydicom import Dataset

SEPARATOR = ";"
"""Between the paths of several images of a case."""
IMAGE_ENDINGS = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".bmp", ".dcm", ".dicom")
DICOM_ENDINGS = (".dcm", ".dicom")
MOST_VALUES = 100_000_000
"""Of one picture: a file may claim any size in a few bytes."""
SHADES = 255
_DEFLATED = b"1.2.840.10008.1.2.1.99"
"""Transfer syntax that packs the whole file, which may unpack to any size."""
_META = 4096
"""Bytes at the beginning of a file that name the transfer syntax."""


class ImageError(ValueError):
    """An image cannot be shown; its words say why, and what to do."""


@dataclass(frozen=True)
class Window:
    """The grey values between black and white.

    Attributes
    ----------
    level : float
        The middle, in the units of the file (Hounsfield units in computed tomography).
    width : float
        From black to white, in the same units, above 0.
    name : str
        What the file calls it; may be empty.
    """

    level: float
    width: float
    name: str = ""


CT_WINDOWS = (
    Window(40, 400, "Soft tissue"),
    Window(-600, 1500, "Lung"),
    Window(400, 1800, "Bone"),
    Window(40, 80, "Brain"),
)
"""In Hounsfield units."""


@dataclass(frozen=True, eq=False)
class Picture:
    """One picture of a DICOM file.

    Attributes
    ----------
    values : ndarray
        Of shape (height, width) in the units of the file, or (height, width, 3) from 0 to 255 in colours.
    windows : tuple of Window
        Those that the file proposes, the first of them first; none in colours.
    is_inverted : bool
        Whether low values are bright (photometric interpretation MONOCHROME1).
    function : str
        How a window maps values to shades: LINEAR, LINEAR_EXACT or SIGMOID (DICOM PS3.3 C.11.2.1.3).
    padding : tuple of float
        Lowest and highest value that stands for no measurement; empty where the file has none.
    aspect : float
        Height of a pixel over its width.
    modality : str
        What took it, such as CT.
    """

    values: npt.NDArray[Any]
    windows: tuple[Window, ...] = ()
    is_inverted: bool = False
    function: str = "LINEAR"
    padding: tuple[float, ...] = ()
    aspect: float = 1.0
    modality: str = ""

    @property
    def is_gray(self) -> bool:
        """Whether it has grey values that a window can be laid on."""
        return self.values.ndim == 2

    def usual_windows(self) -> tuple[Window, ...]:
        """Return the windows that computed tomography is usually read in; none of other pictures."""
        return CT_WINDOWS if self.is_gray and self.modality == "CT" else ()

    def full_window(self) -> Window:
        """Return the window from the lowest to the highest value that was measured."""
        values = self.values
        if self.padding:
            measured = values[(values < self.padding[0]) | (values > self.padding[-1])]
            values = measured if measured.size else values
        low, high = float(values.min()), float(values.max())
        return Window((low + high + 1) / 2, max(high - low + 1, 1), "Whole range")


def image_paths(given: object) -> list[str]:
    """Paths that a cell of the column ``image`` names, one or several between semicolons.

    Parameters
    ----------
    given : object
        The cell; anything but text names none.
    """
    if not isinstance(given, str):
        return []
    return [path for path in map(str.strip, given.split(SEPARATOR)) if path]


def is_dicom(name: str) -> bool:
    """Whether a file is DICOM by its ending."""
    return name.lower().endswith(DICOM_ENDINGS)


def count_pictures(source: Path | bytes) -> int:
    """Number of pictures (frames) in a DICOM file.

    Raises
    ------
    ImageError
        If it is no DICOM file, or none with pictures.
    """
    return max(int(_header(source).get("NumberOfFrames", 1) or 1), 1)


def read_picture(source: Path | bytes, number: int = 0) -> Picture:
    """Read one picture of a DICOM file in the units of the file (modality transformation applied).

    Parameters
    ----------
    source : Path or bytes
        The file, or its content.
    number : int
        Which picture, from 0.

    Raises
    ------
    ImageError
        If the file is damaged, too large, or packed in a way that cannot be unpacked here.

    Notes
    -----
    Modality LUT, VOI LUT and windows as DICOM PS3.3 C.11.1 and C.11.2 have them. Values are unpacked by
    pydicom, with Pillow where they are packed as JPEG or JPEG 2000.
    """
    from pydicom.pixels import apply_color_lut, apply_modality_lut, apply_voi_lut, pixel_array

    header = _header(source)
    size = [int(header.get(name, 1) or 1) for name in ("Rows", "Columns", "SamplesPerPixel")]
    if np.prod(size, dtype=float) > MOST_VALUES:
        raise ImageError(
            f"the picture has {size[1]:,} × {size[0]:,} pixels; at most {MOST_VALUES:,} values are shown. "
            "Save it smaller."
        )
    with _in_words("it cannot be unpacked"):
        values = pixel_array(_opened(source), index=number)
        kind = str(header.get("PhotometricInterpretation", ""))
        if kind == "PALETTE COLOR":
            values = apply_color_lut(values, header)
            return Picture(_in_bytes(values, 16 if values.dtype.itemsize > 1 else 8), aspect=_aspect(header))
        if values.ndim == 3:
            return Picture(_in_bytes(values, int(header.get("BitsStored", 8))), aspect=_aspect(header))
        padding = _numbers(header, "PixelPaddingValue") + _numbers(header, "PixelPaddingRangeLimit")
        padded = np.isin(values, padding) if padding else None
        gray = np.asarray(apply_modality_lut(values, header), np.float32)
        if padded is not None and padded.any():
            padding = [float(gray[padded].min()), float(gray[padded].max())]
        windows = tuple(_windows(header))
        if not windows and "VOILUTSequence" in header:
            gray = np.asarray(apply_voi_lut(values, header), np.float32)
    return Picture(
        gray,
        windows,
        is_inverted=kind == "MONOCHROME1",
        function=str(header.get("VOILUTFunction", "") or "LINEAR"),
        padding=tuple(sorted(padding)),
        aspect=_aspect(header),
        modality=str(header.get("Modality", "")),
    )


def shades(picture: Picture, window: Window | None) -> npt.NDArray[np.uint8]:
    """Map values to shades of grey; a picture in colours stays as it is.

    Parameters
    ----------
    picture : Picture
    window : Window or None
        None is the whole range.

    Returns
    -------
    ndarray of uint8
        Of the picture's shape, from 0 (black) to 255 (white).

    Notes
    -----
    DICOM PS3.3 C.11.2.1.2.1 (LINEAR), C.11.2.1.3.2 (LINEAR_EXACT) and C.11.2.1.3.1 (SIGMOID).
    """
    if not picture.is_gray:
        return picture.values.astype(np.uint8)
    window = window or picture.full_window()
    level, width = window.level, window.width
    values = picture.values.astype(np.float32)
    if picture.function == "SIGMOID":
        bright = 1 / (1 + np.exp(np.clip(-4 * (values - level) / width, -80, 80)))
    elif picture.function == "LINEAR_EXACT":
        bright = (values - level) / width + 0.5
    else:
        # Between the middles of the first and the last grey value, which are one unit apart from the edges.
        bright = (values - (level - 0.5)) / max(width - 1, 1e-6) + 0.5
    bright = np.clip(bright, 0, 1)
    if picture.is_inverted:
        bright = 1 - bright
    return np.rint(bright * SHADES).astype(np.uint8)


@contextmanager
def _in_words(what: str) -> Iterator[None]:
    """Tell in words what a damaged file makes the library raise, which may be any kind of error."""
    try:
        yield
    except ImageError:
        raise
    except Exception as error:
        raise ImageError(f"{what}: {_reason(error)}") from error


def _reason(error: Exception) -> str:
    from pydicom.errors import InvalidDicomError

    if isinstance(error, InvalidDicomError):
        return "it does not begin as one"
    words = str(error).strip().rstrip(".").splitlines()
    if isinstance(error, RuntimeError) and "missing dependencies" in str(error):
        return (
            "it is packed in a way that Loupe does not unpack. Save it unpacked, as JPEG 2000 or as PNG, "
            "for instance with dcmdjpeg or dcmdjpls"
        )
    return f"{words[0][:200]}" if words else type(error).__name__


def _beginning(source: Path | bytes) -> bytes:
    """Of a file, where it says how it is packed."""
    if isinstance(source, bytes):
        return source[:_META]
    with source.open("rb") as file:
        return file.read(_META)


def _opened(source: Path | bytes) -> Path | BytesIO:
    return BytesIO(source) if isinstance(source, bytes) else source


def _header(source: Path | bytes) -> Dataset:
    """All of a DICOM file but its picture."""
    from pydicom import dcmread

    with _in_words("it is no DICOM file that can be read"):
        if _DEFLATED in _beginning(source):
            raise ImageError("the file is packed as a whole (deflated). Save it unpacked")
        header = dcmread(_opened(source), stop_before_pixels=True)
        if "Rows" not in header or "Columns" not in header:
            raise ImageError("the file holds no picture")
    return header


def _windows(header: Dataset) -> Iterator[Window]:
    """Windows that the file proposes and that make sense, each with its name."""
    levels, widths = _numbers(header, "WindowCenter"), _numbers(header, "WindowWidth")
    named = header.get("WindowCenterWidthExplanation")
    names = [] if named is None else [named] if isinstance(named, str) else list(named)
    for i, (level, width) in enumerate(zip(levels, widths, strict=False)):
        if np.isfinite(level) and np.isfinite(width) and width > 0:
            yield Window(level, width, str(names[i]).strip()[:40] if i < len(names) else "")


def _numbers(header: Dataset, name: str) -> list[float]:
    """Numbers of an element, of which there may be none, one or several."""
    value = header.get(name)
    if value is None or value == "":
        return []
    return [float(one) for one in (value if hasattr(value, "__iter__") else [value])]


def _in_bytes(values: npt.NDArray[Any], bits: int) -> npt.NDArray[np.uint8]:
    """Colours of any depth as bytes."""
    if bits <= 8 and values.dtype.itemsize == 1:
        return values.astype(np.uint8)
    return np.rint(values.astype(np.float32) * (SHADES / (2**bits - 1))).astype(np.uint8)


def _aspect(header: Dataset) -> float:
    """Height of a pixel over its width, as the file has it."""
    for name in ("PixelSpacing", "ImagerPixelSpacing", "PixelAspectRatio"):
        sizes = _numbers(header, name)
        if len(sizes) == 2 and min(sizes) > 0 and np.isfinite(sizes).all():
            return sizes[0] / sizes[1]
    return 1.0
