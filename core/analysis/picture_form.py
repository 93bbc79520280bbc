"""How a picture is printed: width in columns of a journal, kind of file, and how fine its pixels are."""

from __future__ import annotations

from dataclasses import dataclass

from core.settings import Kind, Settings, one_of, option

COLUMNS = {"one": 85.0, "two": 178.0}
"""Width of a picture in millimetres by the columns of a journal that it takes."""
FORMATS = ("svg", "pdf", "png")
DPI = (300, 600)
"""Pixels in an inch: what journals ask of pictures, and of drawings of lines."""


@dataclass(frozen=True)
class PictureForm(Settings):
    """The form in which a picture is printed."""

    width: str = option(
        "one",
        "columns of a journal that the picture takes: one (85 mm) or two (178 mm)",
        one_of(COLUMNS),
        said="width of the picture",
        tell=lambda form: f"{COLUMNS[form.width]:g} mm",
    )
    format: str = option("pdf", "kind of file", one_of(FORMATS), said=None)
    dpi: int = option(
        300,
        "pixels in an inch of a PNG",
        Kind(
            "one of 300, 600",
            parse=int,
            allows=lambda value: type(value) is int and value in DPI,
            choices=tuple(map(str, DPI)),
        ),
        said="pixels in an inch",
        applies=lambda form: form.format == "png",
    )
