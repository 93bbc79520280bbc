"""Pictures by name for a journal: found on their pages, with data and provenance, or refused in words."""

from __future__ import annotations

import ast
import json
from io import BytesIO
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from PIL import Image
from toy_pictures import toy_pictures

from core.analysis.picture_form import PictureForm
from core.cli import main as cli
from core.cli import sample_folder
from core.settings import entries
from dashboard import figures
from dashboard.components.painting import LEAST_POINTS, in_columns
from dashboard.pictures import PAGES

TOY = sample_folder("toy_three_labels")
SVG = "{http://www.w3.org/2000/svg}"
VIEWS = Path(figures.__file__).parent / "views"


def test_every_picture_is_looked_for_on_its_page() -> None:
    """The names that the pages give their pictures, as far as they are written out there."""
    for page in PAGES:
        named = {
            keyword.value.value
            for path in (VIEWS / page).glob("*.py")
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "picture"
            for keyword in node.keywords
            if keyword.arg == "name" and isinstance(keyword.value, ast.Constant)
        }
        assert named <= set(figures.ON_PAGE[page]), page


def test_pictures_are_written_with_data_and_what_made_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """In the form that is asked for; title, caption and width stand beside the picture, not on it."""
    given = ["dots", "--query", "?reliability=3", "--format", "png", "--width", "two", "--dpi", "600"]
    figures.main([str(TOY), *given, "--folder", str(tmp_path / "out")])
    printed = capsys.readouterr()
    assert printed.out.split() == [str(tmp_path / "out" / "dots.png")]
    assert printed.err.splitlines() == ["Drawing the page Cases …"]
    assert {path.name for path in (tmp_path / "out").iterdir()} >= {
        "dots.png",
        "dots.csv",
        "columns.json",
        "dots.provenance.json",
    }
    said = json.loads((tmp_path / "out" / "dots.provenance.json").read_text())["settings"]
    assert said["reliability"] == "3"
    assert said["width of the picture"] == "178 mm"
    assert said["pixels in an inch"] == "600"
    assert said["picture"].startswith("Of 100 plausible truths")
    assert "plausible truth" in said["how to read it"]


def test_all_pictures_of_a_linked_page_are_found() -> None:
    """As the address says, none of another page."""
    found = figures.wanted(TOY, [], link="/cases?reliability=3")
    assert {"dots", "simplex", "plausibility"} <= set(found)
    assert "workload" not in found


def test_a_picture_that_the_page_does_not_show_is_refused() -> None:
    """With the names of those that it shows."""
    with pytest.raises(
        ValueError, match=r"/study shows no picture called dots of this study; there are .*agreement"
    ):
        figures.wanted(TOY, ["dots"], link="/study")


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ([], "give --out DIR for the pictures, or --list"),
        (["dots", "--all", "--out", "OUT"], "--all takes neither names nor a page"),
        (
            ["--out", "OUT"],
            "give the name of a picture (--list lists them), --link for all of a page, or --all",
        ),
    ],
)
def test_the_command_says_what_is_missing(
    given: list[str], words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Before anything is drawn."""
    assert cli(["figure", str(TOY), *[part.replace("OUT", str(tmp_path)) for part in given]]) != 0
    assert words in capsys.readouterr().err


def test_the_form_of_a_picture_is_checked() -> None:
    """What it is not is refused; the fineness of pixels is said of pixels alone."""
    assert entries(PictureForm("two", "pdf", 600)) == {"width of the picture": "178 mm"}
    for wrong in ({"width": "three"}, {"format": "jpg"}, {"dpi": 72}, {"dpi": True}):
        with pytest.raises(ValueError, match="must be"):
            PictureForm(**wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("page", ["models", "raters", "reliability"])
def test_no_picture_is_cut_or_too_small_to_read_at_one_column(page: str) -> None:
    """Nothing stands at the edges of the paper, and no letter is smaller than seven points."""
    for name, (figure, title, *_) in toy_pictures(page).items():
        told: dict[str, Any] = {"title": title, "provenance": {}}
        image = np.asarray(
            Image.open(BytesIO(in_columns(figure, PictureForm("one", "png"), **told))).convert("L")
        )
        assert image[:, [0, -1]].min() > 250, name
        assert image[[0, -1], :].min() > 200, name
        root = ET.fromstring(in_columns(figure, PictureForm("one", "svg"), **told))
        points = 85 / 25.4 * 72 / float(root.get("viewBox", "").split()[2])
        sizes = [float(text.get("font-size", "99px").removesuffix("px")) for text in root.iter(f"{SVG}text")]
        assert min(sizes) * points >= LEAST_POINTS - 0.01, name
