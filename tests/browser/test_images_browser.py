"""Images of cases in a real browser: enlarged by wheel and keys, in other grey values, each of its case."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from browser.conftest import Link
from browser.visit import Visit
from dicom_files import dicom_file, ramp

import sample_data
from core.study.reading.folder import read_study

pytestmark = pytest.mark.browser

SAMPLE = Path(sample_data.__file__).parent / "mixed_digits"
CASE_IS = "wanted => new URLSearchParams(location.search).get('case') === wanted"
SCALE = "e => new DOMMatrix(getComputedStyle(e).transform).a"
DARK = """async (image) => {
  await image.decode();
  const canvas = Object.assign(document.createElement("canvas"), {width: 64, height: 48});
  const drawing = canvas.getContext("2d");
  drawing.drawImage(image, 0, 0);
  const row = drawing.getImageData(0, 40, 64, 1).data;
  return row.filter((value, i) => i % 4 === 0 && value === 0).length;
}"""


def test_the_enlarged_image_is_that_of_the_case(context: Any, link: Link) -> None:
    """It fits into its window; wheel and keys enlarge it; Next leads it along; its dialog closes for good."""
    study = read_study(SAMPLE)
    visit = Visit(context)
    page = visit.open(link("cases", "mixed_digits", model="label-counts", sort="study"))
    page.get_by_role("button", name="Enlarge").wait_for()
    visit.settle()  # A key does what its button does once the button is there for good.
    page.keyboard.press("Alt+z")
    dialog = page.get_by_role("dialog")
    window = dialog.locator(".loupe-image .window")
    seen = []
    for key in ("", "Alt+n", "Alt+n"):
        if key:
            page.keyboard.press(key)
            page.wait_for_function(
                "old => new URLSearchParams(location.search).get('case') !== old", arg=seen[-1][0]
            )
        case = page.evaluate("new URLSearchParams(location.search).get('case')")
        dialog.get_by_text(f"Case {case}", exact=True).wait_for()
        image = dialog.get_by_role("img", name=f"Image of case {case}, enlarged")
        image.wait_for()
        visit.settle()
        page.get_by_role("img", name=f"Image of case {case}", exact=True, include_hidden=True).wait_for(
            state="attached"
        )
        sent = page.request.get(image.evaluate("e => e.currentSrc")).body()
        assert sent == (SAMPLE / study.cases["image"].iloc[study.case_ids.index(case)]).read_bytes()
        seen.append((case, image.get_attribute("src")))
        # Another case begins as a whole, however far the one before was enlarged.
        frame, box = window.bounding_box(), image.bounding_box()
        assert box["y"] >= frame["y"] - 1
        assert box["y"] + box["height"] <= frame["y"] + frame["height"] + 1
        before = image.evaluate(SCALE)
        page.mouse.move(frame["x"] + frame["width"] / 2, frame["y"] + frame["height"] / 2)
        page.mouse.wheel(0, -400)
        page.wait_for_function(
            "([e, least]) => new DOMMatrix(getComputedStyle(e).transform).a > least",
            arg=[image.element_handle(), 2 * before],
        )
    assert len({src for _, src in seen}) == 3
    window.focus()
    page.keyboard.press("0")
    assert image.evaluate(SCALE) == pytest.approx(before, rel=1e-4)
    page.keyboard.press("+")
    assert image.evaluate(SCALE) == pytest.approx(1.25 * before, rel=1e-4)
    at = image.bounding_box()["y"]
    page.keyboard.press("ArrowDown")
    assert image.bounding_box()["y"] < at
    page.keyboard.press("Escape")
    dialog.wait_for(state="detached")
    visit.settle()
    page.keyboard.press("Alt+p")
    page.wait_for_function(CASE_IS, arg=seen[1][0])
    visit.settle()
    assert dialog.count() == 0
    assert visit.complaints == []


def test_grey_values_are_chosen_and_stay_enlarged(context: Any, address: str, tmp_path: Path) -> None:
    """Windows of the file and one's own; the image stays as large as it was; the next case has its own."""
    (tmp_path / "cases.csv").write_text("case_id,image\na,a.dcm\nb,b.dcm;a.dcm\n")
    (tmp_path / "annotations.csv").write_text("case_id,rater_id,label\na,r,x\na,s,y\nb,r,x\nb,s,y\n")
    content = dicom_file(
        ramp(), WindowCenter=[500], WindowWidth=[1000], WindowCenterWidthExplanation=["<b>Upper"]
    )
    (tmp_path / "a.dcm").write_bytes(content)
    (tmp_path / "b.dcm").write_bytes(dicom_file(ramp(low=0)))
    visit = Visit(context)
    page = visit.open_folder(address, tmp_path)
    page.get_by_role("link", name="Cases").click()
    page.get_by_role("button", name="Enlarge").wait_for()
    visit.settle()
    page.keyboard.press("Alt+z")
    dialog = page.get_by_role("dialog")
    image = dialog.get_by_role("img", name="Image of case a, enlarged")
    image.wait_for()
    assert image.evaluate(DARK) == 32  # Below zero, which half of the columns are.
    dialog.get_by_role("button", name="Larger (+)").click()
    size = image.evaluate(SCALE)
    shown = "([e, old]) => e.getAttribute('src') !== old"
    old = image.get_attribute("src")
    dialog.get_by_role("combobox", name="Window").click()
    page.get_by_role("option", name="Whole range").click()
    page.wait_for_function(shown, arg=[image.element_handle(), old])
    assert image.evaluate(DARK) == 1
    dialog.get_by_role("combobox", name="Window").click()
    page.get_by_role("option", name="Own level and width").click()
    level = dialog.get_by_role("slider", name="Level")
    level.wait_for()
    visit.settle()
    level.focus()
    old = image.get_attribute("src")
    page.keyboard.press("End")
    page.wait_for_function(shown, arg=[image.element_handle(), old])
    assert image.evaluate(DARK) > 32
    visit.settle()
    assert image.evaluate(SCALE) == pytest.approx(size, rel=1e-4)
    page.keyboard.press("Alt+n")
    other = dialog.get_by_role("img", name="Image of case b (1 of 2), enlarged")
    other.wait_for()
    assert other.evaluate(DARK) == 1, "level and width were those of another file"
    dialog.get_by_role("radio", name="2").click()
    dialog.get_by_role("img", name="Image of case b (2 of 2), enlarged").wait_for()
    visit.settle()
    page.keyboard.press("Escape")
    page.get_by_role("img", name="Image of case b (2 of 2)", exact=True).wait_for()
    assert visit.complaints == []
