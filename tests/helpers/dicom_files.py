"""DICOM files made up for tests: no person was ever in front of a device."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import numpy as np
import numpy.typing as npt
from pydicom import Dataset
from pydicom.dataset import FileMetaDataset
from pydicom.uid import ExplicitVRLittleEndian, generate_uid


def dicom_file(values: npt.NDArray[Any], *, packed: str = ExplicitVRLittleEndian, **elements: Any) -> bytes:
    """Write grey values of shape ([frames,] height, width), or colours (height, width, 3), as DICOM."""
    is_color = values.ndim == 3 and values.shape[-1] == 3
    frames = 1 if values.ndim == 2 or is_color else len(values)
    height, width = values.shape[:2] if is_color else values.shape[-2:]
    header = Dataset()
    header.file_meta = FileMetaDataset()
    header.file_meta.TransferSyntaxUID = packed
    header.file_meta.MediaStorageSOPClassUID = header.SOPClassUID = "1.2.840.10008.5.1.4.1.1.7"
    header.file_meta.MediaStorageSOPInstanceUID = header.SOPInstanceUID = generate_uid(entropy_srcs=["loupe"])
    header.PatientName = "Nobody^Never"
    header.Rows, header.Columns, header.NumberOfFrames = height, width, frames
    header.SamplesPerPixel = 3 if is_color else 1
    header.PhotometricInterpretation = "RGB" if is_color else "MONOCHROME2"
    if is_color:
        header.PlanarConfiguration = 0
    bits = 8 * values.dtype.itemsize
    header.BitsAllocated = header.BitsStored = bits
    header.HighBit = bits - 1
    header.PixelRepresentation = int(values.dtype.kind == "i")
    header.PixelData = values.tobytes()
    for name, value in elements.items():
        setattr(header, name, value)
    buffer = BytesIO()
    header.save_as(buffer, enforce_file_format=True)
    return buffer.getvalue()


def ramp(height: int = 48, width: int = 64, low: int = -1000, high: int = 1000) -> npt.NDArray[np.int16]:
    """Grey values that rise from left to right, a bright square in the upper left corner."""
    values = np.linspace(low, high, width).round().astype(np.int16)[None, :].repeat(height, 0)
    values[: height // 4, : height // 4] = high
    return values
