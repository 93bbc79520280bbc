"""What people do with Loupe, done in a real browser from the first click to the last."""

from __future__ import annotations

import json
import re
import shutil
from hashlib import sha256
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from browser.conftest import Link
from browser.odd_studies import HOSTILE, write_refused
from browser.visit import SETTLED, Visit

from core.analysis.cases.worklist import worklist
from core.plausibility.aggregate import aggregate
from core.plausibility.settings import Aggregation
from core.study.reading.folder import read_study
from dashboard.shell import studies
from dashboard.shell.uploads import UNNAMED

pytestmark = pytest.mark.browser

CHANGED = "old => ![old, undefined].includes(document.querySelector('.loupe-sentence')?.innerText)"
SAYS = "([css, text]) => document.querySelector(css)?.innerText === text"
ROWS = ".st-key-worklist tr[data-row]"
CASE_IS = "id => new URLSearchParams(location.search).get('case') === id"
SENTENCE = ".loupe-sentence"
VIEW = {"model": "prirn", "reliability": 3}


def elsewhere(browser: Any, url: str) -> Any:
    """The address in another browser, that knows nothing of the first."""
    return Visit(browser.new_context()).open(url)


def downloaded(page: Any, css: str) -> tuple[dict[str, str], pd.DataFrame]:
    """Download the data of a picture and what made them; return the settings, and the table."""
    page.locator(f"{css} button").first.click()
    files = []
    for name in ("Download CSV", "Provenance"):
        with page.expect_download() as download:
            page.get_by_role("button", name=name).click()
        files.append(download.value)
    table, made_by = (Path(file.path()) for file in files)
    content = json.loads(made_by.read_text(encoding="utf-8"))
    assert content["table"] == files[0].suggested_filename
    assert files[1].suggested_filename == content["table"].replace(".csv", ".provenance.json")
    assert content["sha256"] == sha256(table.read_bytes()).hexdigest()
    return content["settings"], pd.read_csv(table)


def test_the_most_uncertain_high_risk_case_is_found(context: Any, link: Link) -> None:
    """The least certain, filtered by high risk, and the first row clicked: it is what the core finds."""
    page = Visit(context).open(link("cases", studies.SAMPLE, sort="certainty", **VIEW))
    page.locator(".st-key-filter button").click()
    page.get_by_label("Risk of the leading label").click()
    page.get_by_role("option", name="high", exact=True).click()
    page.keyboard.press("Escape")
    page.wait_for_function("location.search.includes('risk=high')")
    page.keyboard.press("Escape")
    study = read_study(str(studies.sources()[studies.SAMPLE].folder))
    task = next(iter(study.tasks.values()))
    cases = worklist(study, task, aggregate(study, task, Aggregation("prirn", 3.0)))
    wanted = cases.loc[cases["risk"] == "high", "certainty"].idxmin()
    page.locator(ROWS).first.get_by_text(wanted, exact=True).click()
    page.wait_for_function(CASE_IS, arg=wanted)
    page.locator(".st-key-case-title", has_text=wanted).wait_for()
    assert "high risk" in page.locator(SENTENCE).inner_text()


def test_a_click_opens_that_row(context: Any, link: Link) -> None:
    """A click on a row of the worklist opens the case that stands there, whatever column it falls in."""
    page = Visit(context).open(link("cases", studies.SAMPLE, **VIEW))
    for column in range(page.locator(ROWS).nth(2).locator("td").count()):
        row = page.locator(ROWS).nth(2 + column)
        wanted = row.locator("td").first.inner_text()
        row.locator("td").nth(column).click()
        page.wait_for_function(CASE_IS, arg=wanted)
        page.locator(".st-key-case-title", has_text=wanted).wait_for()


def test_settings_survive_a_change_of_page(context: Any, link: Link) -> None:
    """Study, model, reliability and case stay when another page is opened."""
    visit = Visit(context)
    page = visit.open(link("cases", studies.SAMPLE, **VIEW, case="derm-004"))
    visit.follow("Study")
    page.wait_for_function("location.search.includes('case=derm-004')")
    assert "reliability=3" in page.url


def test_a_link_to_a_case_with_an_added_reading(browser: Any, context: Any, link: Link) -> None:
    """An added reading moves the sentence; its link shows the same elsewhere, and it can be undone."""
    visit = Visit(context)
    page = visit.open(
        link("cases", studies.SAMPLE, **VIEW, case="stutz-2025-fig-5", risk="high", case_part="why"),
        painted=False,
    )
    before = page.locator(SENTENCE).inner_text()
    visit.show_part("What if")
    page.get_by_role("button", name="Add a reading").click()
    field = page.locator("[class*=st-key-editor-] [role=combobox]").first
    field.click()
    field.fill("melanom")
    page.get_by_role("option", name="Melanoma (H)", exact=True).click()
    page.wait_for_function(CHANGED, arg=before)
    page.wait_for_function("location.search.includes('what_if=')")
    page.wait_for_function(SETTLED)
    other = elsewhere(browser, page.url)
    for css in (SENTENCE, ".loupe-warning", ".st-key-case-title", ".loupe-brief"):
        other.wait_for_function(SAYS, arg=[css, page.locator(css).first.inner_text()])
    other.get_by_text("Only: ").first.wait_for()
    other.locator(".loupe-warning", has_text="not the study's readings").wait_for()
    other.get_by_role("button", name="Back to the study's readings").click()
    other.wait_for_function(SAYS, arg=[SENTENCE, before])
    assert visit.complaints == []


def test_a_link_to_reliability(browser: Any, context: Any, link: Link) -> None:
    """Model, reliability, the other model and every picture are the same elsewhere."""
    page = Visit(context).open(link("reliability", studies.SAMPLE, **VIEW))
    page.get_by_label("Compared with").click()
    page.get_by_role("option", name="Mean frequency", exact=True).click()
    page.wait_for_function("location.search.includes('against=')")
    page.wait_for_function(SETTLED)
    other = elsewhere(browser, page.url)
    for words in ("Uncertainty-adjusted top-1 accuracy", "Certainty of each case under"):
        drawn = page.locator(f".stVegaLiteChart[aria-label^='{words}']")
        drawn.wait_for(timeout=240_000)
        said = drawn.get_attribute("aria-label")
        other.locator(f".stVegaLiteChart[aria-label='{said}']").wait_for(timeout=240_000)
    said = page.get_by_text(re.compile("Each dot is a case")).inner_text()
    other.get_by_text(said, exact=True).wait_for()
    assert other.url == page.url


def test_a_downloaded_table_holds_the_numbers_of_the_page(context: Any, link: Link) -> None:
    """A file beside the CSV says what made it, and pandas reads from it what the page shows."""
    page = Visit(context).open(link("cases", studies.SAMPLE, **VIEW, case="stutz-2025-fig-5"))
    made_by, table = downloaded(page, ".st-key-data-dots")
    assert made_by["reliability"] == "3"
    assert made_by["case"] == "stutz-2025-fig-5"
    assert {"made by", "study", "fingerprint", "seed", "task", "aggregation model"} <= set(made_by)
    assert made_by["notice"].startswith("Research use")
    said = page.locator(".stVegaLiteChart[aria-label^=Of]").first.get_attribute("aria-label")
    for label, truths in zip(table["label"], table["truths"], strict=True):
        assert f"{label} leads in {truths}" in said
    page.keyboard.press("Escape")
    _, cases = downloaded(page, ".st-key-data-worklist")
    drawn = page.locator(ROWS)
    heads = page.locator(".st-key-worklist th").all_inner_texts()
    place = next(place for place, words in enumerate(heads) if words.startswith("Certainty"))
    for line in (drawn.first, drawn.nth(5), drawn.last):
        row = int(str(line.get_attribute("data-row")))
        cells = line.locator("td").all_inner_texts()
        case, certainty = cells[0], cells[place]
        assert case == cases["case_id"][row]
        assert float(certainty.rstrip("\u00a0%")) == round(100 * cases["certainty"][row])


def test_what_is_dropped_is_opened(context: Any, address: str, tmp_path: Path) -> None:
    """A zip file of a study folder; a single table, as it is; predictions later; errors say what to mend."""
    folder = studies.sources()["toy_three_labels"].folder
    assert folder is not None
    packed = shutil.make_archive(str(tmp_path / "toy"), "zip", folder)
    visit = Visit(context)
    page = visit.open(f"{address}/raters?study=scores", painted=False)
    page.get_by_role("button", name="Open your own").click()
    visit.arrive("Study")
    drop = page.locator("input[type=file]")
    drop.set_input_files(packed)
    page.wait_for_function("location.search.includes('study=upload-')")
    page.get_by_role("heading", name="Toy problem with three labels").wait_for()
    page.locator(".st-key-about-study summary").click()
    page.locator("[aria-label='About this study']").get_by_text("uploaded").wait_for()
    readings, predictions = tmp_path / "annotations.csv", tmp_path / "predictions.csv"
    readings.write_text("case_id,rater_id,diagnosis\nc1,A,x\n")
    drop.set_input_files(readings)
    page.get_by_role("heading", name="This study needs mending").wait_for()
    page.get_by_text("Rename the column", exact=False).wait_for()
    visit.settle()
    readings.write_text(f'case_id,rater_id,label\nc1,A,x\nc1,B,"{HOSTILE}"\nc2,A,x\n')
    drop.set_input_files(readings)
    page.get_by_role("heading", name=UNNAMED).wait_for()
    visit.settle()
    visit.show_part("All")
    page.get_by_role("cell", name="Predictions", exact=True).wait_for()
    predictions.write_text("case_id,model,label,probability\nc1,net,x,1\nc2,net,x,1\n")
    drop.set_input_files(predictions)
    page.locator("[aria-label='Where the study comes from']").get_by_text("net", exact=True).wait_for()
    assert visit.complaints == visit.strangers == []


def test_a_refused_folder_shows_what_to_mend(context: Any, address: str, tmp_path: Path) -> None:
    """A folder named on the Study page is opened; where it is refused, the page says why."""
    visit = Visit(context)
    page = visit.open_folder(address, write_refused(tmp_path))
    page.get_by_role("heading", name="This study needs mending").wait_for()
    assert visit.complaints == []
