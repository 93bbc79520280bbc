"""Images of the cases that a report lists: made small, as many as there is room for."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

import numpy as np
from PIL import Image, ImageOps

from core.study.brief import first_names
from core.study.images import image_paths, is_dicom
from core.study.model import Study
from dashboard.report.blocks import Block, Gallery, Heading, Text, Thumbnail
from dashboard.report.settings import MOST_BYTES
from dashboard.views.cases import dicom
from dashboard.views.cases.image import images_of

MOST_SIDE = 512
"""Pixels of the longer side."""
MOST_OF_A_CASE = 4
"""Images of one case."""
SMALL = 40_000
"""Bytes up to which an image stays without loss."""
QUALITY = 85
"""Of JPEG, for what is larger."""
SHOW_A_PERSON = (
    "This report holds images of cases. They can show who somebody is: a face, or a name that is burned into "
    "the picture. Hand it on only to those who may see them."
)
_DAMAGED = (OSError, SyntaxError, ValueError, Image.DecompressionBombError)
"""What a file that is no image, or far too large, makes the libraries raise."""


@dataclass
class _Found:
    """Images so far, and what was not shown."""

    thumbnails: list[Thumbnail]
    missing: list[str]
    damaged: list[str]
    left_out: int = 0
    size: int = 0


def gallery(study: Study, case_ids: Sequence[str]) -> Iterator[Block]:
    """Images of cases, under a heading, with what is not there and what cannot be shown.

    Parameters
    ----------
    study : Study
        From a folder, or in memory with its images.
    case_ids : sequence of str
        In their order; images are taken until a report could hold no more (`MOST_BYTES`), at most
        `MOST_OF_A_CASE` of a case. Of a DICOM file the window that the pages begin with.
    """
    yield Heading("Images")
    if "image" not in study.cases or not any(map(image_paths, study.cases["image"])):
        yield Text("This study names no images.")
        return
    position = {case_id: i for i, case_id in enumerate(study.case_ids)}
    found = _Found([], [], [])
    for case_id in case_ids:
        _take(study, case_id, position[case_id], found)
    yield Text(
        f"Made small, to {MOST_SIDE} pixels at most, and no more than {MOST_OF_A_CASE} of a case.",
        "note",
    )
    if found.missing:
        yield Text(f"Not there, or outside of the study: images of {first_names(found.missing)}.", "warning")
    if found.damaged:
        yield Text(f"Cannot be shown: images of {first_names(found.damaged)}.", "warning")
    yield Gallery(tuple(found.thumbnails), found.left_out)


def _take(study: Study, case_id: str, index: int, found: _Found) -> None:
    """Add the images of one case."""
    shots = images_of(study, index)
    if {*image_paths(study.cases["image"].iloc[index])} - {one.name for one in shots}:
        found.missing.append(case_id)
    found.left_out += max(len(shots) - MOST_OF_A_CASE, 0)
    shots = shots[:MOST_OF_A_CASE]
    for number, shot in enumerate(shots, start=1):
        if found.size > MOST_BYTES:
            found.left_out += 1
            continue
        try:
            one = _thumbnail(shot)
        except _DAMAGED:
            if case_id not in found.damaged[-1:]:
                found.damaged.append(case_id)
            continue
        which = f"case {case_id}" + (f", {number} of {len(shots)}" if len(shots) > 1 else "")
        found.thumbnails.append(Thumbnail(which, *one))
        found.size += len(one[0])


def _thumbnail(shot: dicom.Shot) -> tuple[str, int, int]:
    """An image as an address that holds it, with its width and height; nothing of the file but its pixels.

    Raises
    ------
    OSError, SyntaxError, ValueError, DecompressionBombError
        If it cannot be shown.
    """
    source = shot.source
    if is_dicom(shot.name):
        source = dicom.rendered(shot, dicom.first_window(shot), MOST_SIDE)
    with Image.open(Path(source) if isinstance(source, str) else BytesIO(source)) as opened:
        # A large JPEG is read at a fraction of its size.
        opened.draft("RGB", (2 * MOST_SIDE, 2 * MOST_SIDE))
        image = _plain(ImageOps.exif_transpose(opened))
    image.thumbnail((MOST_SIDE, MOST_SIDE))
    kind, content = "png", _saved(image, "PNG")
    if len(content) > SMALL:
        kind, content = "jpeg", _saved(image, "JPEG", quality=QUALITY)
    return f"data:image/{kind};base64,{b64encode(content).decode()}", *image.size


def _plain(image: Image.Image) -> Image.Image:
    """Grey or in colours, of eight bits, what is transparent white: as a browser shows it on paper."""
    if image.mode.startswith(("I", "F")):
        # Of sixteen bits the upper eight, as browsers have it; others have no usual range.
        values = np.asarray(image, np.float64)
        low, high = (0, 65_535) if image.mode.startswith("I;16") else (values.min(), values.max())
        return Image.fromarray(np.uint8((values - low) * 255 / max(high - low, 1)))
    if image.has_transparency_data:
        image = image.convert("RGBA")
        white = Image.new("RGBA", image.size, "white")
        return Image.alpha_composite(white, image).convert("RGB")
    return image.convert("L" if image.mode in ("1", "L") else "RGB")


def _saved(image: Image.Image, form: str, **how: int) -> bytes:
    """Write an image, without what the file said beside it."""
    image.info.clear()
    buffer = BytesIO()
    image.save(buffer, form, **how)
    return buffer.getvalue()
