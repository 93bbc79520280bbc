"""Pictures as they are saved: on white, nothing burned in or cut off, letters as large as a journal asks."""

from __future__ import annotations

import http.server
import re
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from xml.etree import ElementTree as ET

import altair as alt
import numpy as np
import pandas as pd
import pytest
from PIL import Image

from core.analysis.export import provenance
from core.analysis.picture_form import COLUMNS, DPI, PictureForm
from dashboard.charts.cases.dots import dot_chart
from dashboard.charts.figure import Figure, figure_of
from dashboard.components.painting import (
    LEAST_POINTS,
    SLIDE_WIDTH,
    column_spec,
    in_columns,
    on_slide,
    slide_spec,
)
from dashboard.components.pdf_words import described_pdf
from dashboard.shell.theme import DARK, LIGHT

SVG = "{http://www.w3.org/2000/svg}"
SOURCE = {"made by": "Loupe 9", "seed": "7", "fingerprint": "abc", "reliability": "∞", "notice": "Two\nlines"}
INCH = 25.4


@pytest.fixture(scope="module")
def odd() -> Figure:
    """Names that are markup, a gap, and numbers of every kind."""
    frame = pd.DataFrame(
        {
            "x": np.array([1, 2, 3, 4], np.int64),
            "y": [0.25, 0.5, 0.75, np.nan],
            "name": pd.Categorical(["</svg><script>", "γ ≥ ∞ &amp;", "病", "none"]),
        }
    )
    return figure_of(alt.Chart(frame).mark_point().encode(x="x:Q", y="y:Q", shape="name:N"), LIGHT)


def _column(figure: Figure, width: str, kind: str, dpi: int = 300) -> bytes:
    return in_columns(figure, PictureForm(width, kind, dpi), title="A < B & C", provenance=SOURCE)


def _said(svg: bytes) -> list[str]:
    """All text that is painted."""
    return ["".join(text.itertext()) for text in ET.fromstring(svg).iter(f"{SVG}text")]


def test_a_picture_on_a_slide_has_its_title_and_no_provenance(odd: Figure) -> None:
    """Words about it are in the file, unseen; markup in names stays text."""
    content = on_slide(odd, "svg", title="A < B & C", provenance=SOURCE)
    root = ET.fromstring(content)
    assert root.findtext(f"{SVG}title") == "A < B & C"
    assert root.findtext(f"{SVG}desc") == "\n".join(f"{key}: {value}" for key, value in SOURCE.items())
    words = _said(content)
    assert {"A < B & C", "</svg><script>", "γ ≥ ∞ &amp;", "病"} <= set(words)
    assert not any(entry in " ".join(words) for entry in ("Loupe 9", "abc"))
    assert not list(root.iter(f"{SVG}script"))


def test_a_picture_as_wide_as_the_page_gets_a_width() -> None:
    """Its own width where it has one; none is forced upon pictures side by side."""
    chart = alt.Chart(pd.DataFrame({"x": [1]})).mark_point().encode(x="x:Q")
    single, pair = figure_of(chart, LIGHT), figure_of(chart | chart, LIGHT)
    assert slide_spec(single, title="")["width"] == SLIDE_WIDTH
    assert column_spec(single, 378)["width"] == 378
    assert "width" not in slide_spec(pair, title="")
    assert "width" not in column_spec(pair, 378)


@pytest.mark.parametrize("width", COLUMNS)
def test_a_picture_is_as_wide_as_the_columns(odd: Figure, width: str) -> None:
    """In all kinds of files, to half a pixel; a PNG knows how fine it is, a PDF has its typeface in it."""
    millimetres = COLUMNS[width]
    assert float(ET.fromstring(_column(odd, width, "svg")).get("width", "").removesuffix("mm")) == millimetres
    for dpi in DPI:
        image = Image.open(BytesIO(_column(odd, width, "png", dpi)))
        assert image.width == pytest.approx(millimetres / INCH * dpi, abs=1)
        assert image.info["dpi"][0] == pytest.approx(dpi, abs=0.1)
        assert image.text["Title"] == "A < B & C"
        assert "fingerprint: abc" in image.text["Description"]
    content = _column(odd, width, "pdf")
    box = re.search(rb"/MediaBox ?\[0 0 ([\d.]+) ", content)
    assert box is not None
    assert float(box[1]) == pytest.approx(millimetres / INCH * 72, abs=0.1)
    assert b"LiberationSans" in content
    assert b"/FontFile" in content
    told = dict(re.findall(rb"/(Title|Subject) <FEFF([0-9A-F]+)>", content))
    said = {key.decode(): bytes.fromhex(text.decode()).decode("utf-16-be") for key, text in told.items()}
    assert said["Title"] == "A < B & C"
    assert "fingerprint: abc" in said["Subject"]


def test_words_are_appended_to_a_pdf_as_an_update(odd: Figure) -> None:
    """What was there stays, byte by byte, and every place that the end names holds what it says."""
    content = _column(odd, "one", "pdf")
    place = int(content.split(b"startxref")[-1].split()[0])
    assert content[place:].startswith(b"xref\n0 1\n")
    number, at = re.findall(rb"(\d+) 1\n(\d{10}) 00000 n", content[place:])[-1]
    assert content[int(at) :].startswith(number + b" 0 obj")
    assert f"/Info {int(number)} 0 R".encode() in content[place:]
    before = re.search(rb"/Prev (\d+)", content[place:])
    assert before is not None
    assert content[int(before[1]) :].startswith(b"xref\n0 ")
    assert described_pdf(b"%PDF of another form", {"Title": "x"}) == b"%PDF of another form"


@pytest.mark.parametrize("width", COLUMNS)
def test_letters_are_large_enough_on_paper(odd: Figure, width: str) -> None:
    """No text is smaller than seven points, and none stands outside of the paper's height."""
    root = ET.fromstring(_column(odd, width, "svg"))
    across = float(root.get("viewBox", "").split()[2])
    points = COLUMNS[width] / INCH * 72 / across
    sizes = [float(text.get("font-size", "").removesuffix("px")) * points for text in root.iter(f"{SVG}text")]
    assert sizes
    assert min(sizes) >= LEAST_POINTS - 0.01
    assert "A < B & C" not in _said(_column(odd, width, "svg"))


def test_a_picture_with_a_width_of_its_own_stands_in_the_middle() -> None:
    """It is not blown up to fill two columns."""
    figure = dot_chart(
        pd.DataFrame({"label": ["a"], "risk": ["H"], "dots": [20], "truths": [100]}), tokens=LIGHT
    )
    image = np.asarray(Image.open(BytesIO(_column(figure, "two", "png"))).convert("L"))
    drawn = np.flatnonzero((image < 250).any(axis=0))
    left, right = drawn[0], image.shape[1] - drawn[-1]
    assert min(left, right) > 0.1 * image.shape[1]


def test_what_is_too_wide_for_a_column_has_another_form_there() -> None:
    """A picture with a width of its own is not shrunk until nobody can read it."""
    charts = (alt.Chart(pd.DataFrame({"x": [1]})).mark_point().encode(x="x:Q") for _ in range(2))
    narrow, wide = (
        figure_of(chart.properties(width=width), LIGHT)
        for chart, width in zip(charts, (300, 700), strict=True)
    )
    both = Figure(wide.spec, wide.data, narrow)
    assert _column(both, "one", "svg") == _column(narrow, "one", "svg") != _column(wide, "one", "svg")
    assert _column(both, "two", "svg") == _column(wide, "two", "svg")


def test_a_long_title_of_an_axis_takes_more_lines() -> None:
    """About equally long ones, all words kept; where there is room it stays on one."""
    words = "0 is luck (for shares: never), 1 is full agreement of all raters"
    chart = alt.Chart(pd.DataFrame({"x": [1]})).mark_point().encode(x=alt.X("x:Q", title=words))
    narrow, wide = (column_spec(figure_of(chart, LIGHT), width) for width in (378, 793))
    lines = narrow["encoding"]["x"]["title"]
    assert " ".join(lines) == words
    assert len(lines) == 2
    assert max(map(len, lines)) - min(map(len, lines)) < 12
    assert wide["encoding"]["x"]["title"] == words


def test_what_asks_for_its_width_is_told_it() -> None:
    """Nothing can be asked on paper; data that look like such a question stay as they are."""
    frame = pd.DataFrame({"x": [1], "name": ["containerSize()[0]"]})
    chart = alt.Chart(frame).mark_point(size=alt.ExprRef("containerSize()[0] < 520 ? 1 : 2")).encode(x="x:Q")
    spec = column_spec(figure_of(chart, LIGHT), 378.4)
    assert spec["mark"]["size"] == {"expr": "378.4 < 520 ? 1 : 2"}
    assert next(iter(spec["datasets"].values()))[0]["name"] == "containerSize()[0]"


def test_a_dark_picture_is_saved_on_white() -> None:
    """As the light mode draws it, to the last pixel."""
    table = pd.DataFrame(
        {"label": ["a", "b", "c"], "risk": ["L", "M", "H"], "dots": [8, 7, 5], "truths": [40, 35, 25]}
    )
    light, dark = (
        on_slide(dot_chart(table, tokens=tokens), "png", title="Dots", provenance=SOURCE)
        for tokens in (LIGHT, DARK)
    )
    assert dark == light
    edge = np.asarray(Image.open(BytesIO(dark)).convert("RGB"))[:10]
    assert (edge == 255).all()


@pytest.mark.parametrize("kind", ["svg", "png", "pdf"])
def test_nothing_is_fetched(kind: str) -> None:
    """Data that lie at an address are refused, and nobody was asked for them."""
    asked: list[str] = []

    class Listening(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_error(404)

    with http.server.HTTPServer(("127.0.0.1", 0), Listening) as server, ThreadPoolExecutor(1) as pool:
        pool.submit(server.serve_forever, 0.02)
        chart = alt.Chart(f"http://127.0.0.1:{server.server_port}/data.csv").mark_point().encode(x="x:Q")
        figure = Figure(chart.to_dict() | {"config": {"text": {}}}, {})
        try:
            with pytest.raises(ValueError, match="not allowed"):
                on_slide(figure, kind, title="", provenance={})
        finally:
            server.shutdown()
    assert asked == []


def test_all_that_a_download_must_carry_is_in_the_provenance() -> None:
    """Version, study, fingerprint, seed and settings."""
    from core.cli import sample_folder
    from core.plausibility.settings import default_aggregation
    from core.study.reading.folder import read_study

    study = read_study(sample_folder("toy_three_labels"))
    task = next(iter(study.tasks.values()))
    found = provenance(study, task, default_aggregation(task))
    assert {"made by", "study", "fingerprint", "seed", "aggregation model", "reliability"} <= set(found)
