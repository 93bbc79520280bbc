"""Study in a real browser: its bars lead to the cases that they count, and back."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from browser.axe import faults
from browser.conftest import Link
from browser.kept import Kept
from browser.line import Line
from browser.visit import Visit

from dashboard.shell import studies

pytestmark = pytest.mark.browser

TIP = "#vg-tooltip-element"
UNFOLDED = """async () => {
  const height = () => document.querySelector(".stMain").scrollHeight;
  for (let still = 0, last = height(); still < 30; last = height()) {
    await new Promise(requestAnimationFrame);
    still = height() === last ? still + 1 : 0;
  }
}"""
"""Waits until what was unfolded stands where it stays."""
PICTURES = ("certainty", "risk", "readings-per-case", "labels-per-case")
"""Pictures whose bars open cases."""


def _listed(page: Any) -> str:
    """How many cases the worklist says that it has."""
    return page.locator(".loupe-listed").inner_text().removeprefix("All ").split()[0].replace(",", "")


def _point(page: Any, name: str) -> str:
    """Point at the last bar of a picture, and return how many cases its tooltip says."""
    bars = page.locator(
        f"[class*=st-key-chart-{name}] svg.marks path[aria-roledescription$='mark'], "
        f"[class*=st-key-chart-{name}] svg.marks path[aria-roledescription=bar]"
    )
    bars.last.scroll_into_view_if_needed()
    # A bar of one case is a pixel high: what lies around it answers for it.
    bars.last.hover(force=True)
    page.locator(f"{TIP}.visible").wait_for()
    return page.locator(TIP).inner_text().split("Cases")[-1].strip().replace(",", "")


def test_a_page_is_come_to_at_its_top_or_where_a_button_leads(context: Any, link: Link) -> None:
    """However far down the page was that led there."""
    visit = Visit(context)
    page = visit.open(link("tour", studies.SAMPLE))
    visit.settle()
    onward = page.get_by_role("button", name="See what the example’s labels support")
    onward.scroll_into_view_if_needed()
    assert page.evaluate("document.querySelector('.stMain').scrollTop") > 1000
    onward.click()
    visit.arrive("Study")
    assert page.evaluate("document.querySelector('.stMain').scrollTop") == 0
    page.get_by_role("button", name="What more readings change").click()
    visit.arrive("Raters")
    page.wait_for_function(
        """() => {
          const place = document.querySelector(".st-key-panel-certainty-grid, .st-key-planning");
          const {top} = place.getBoundingClientRect();
          return top > 0 && top < 300;
        }"""
    )


def test_what_more_readings_change_is_the_map_itself(context: Any, link: Link) -> None:
    """Unfolded, on top, with the keyboard at it; what comes above it later moves nothing; Back is Study."""
    visit = Visit(context)
    line = Line(visit.page)
    page = visit.open(link("", "toy_three_labels", model="label-counts", reliability=1))
    visit.settle()
    page.evaluate("addEventListener('wheel', () => { window.turned = true; })")
    line.slow()
    page.get_by_role("button", name="What more readings change").click()
    # Whoever is impatient, before anything of the map has come, does not lose the way.
    page.mouse.wheel(0, 50)
    page.wait_for_function("window.turned")
    line.mend()
    # What was pressed may have the keyboard for longer than it takes the map to come.
    page.evaluate(
        """() => {
          const pressed = document.createElement("button");
          pressed.id = "pressed";
          document.body.append(pressed);
          pressed.focus();
        }"""
    )
    visit.arrive("Raters")
    panel = page.locator(".st-key-panel-certainty-grid")
    panel.locator(".contourlayer path").first.wait_for(timeout=240_000)
    page.evaluate("document.querySelector('#pressed').remove()")
    on_top = """() => {
      const {top} = document.querySelector(".st-key-panel-certainty-grid").getBoundingClientRect();
      return top > 0 && top < 300;
    }"""
    page.wait_for_function(on_top)
    page.wait_for_function("document.activeElement.matches('.st-key-panel-certainty-grid summary')")
    page.evaluate(
        """() => {
          const late = document.createElement("div");
          late.style.height = "700px";
          document.querySelector(".st-key-planning").before(late);
          document.querySelector(".stMain").style.overflowAnchor = "none";
        }"""
    )
    page.wait_for_timeout(500)
    page.wait_for_function(on_top)
    page.mouse.move(700, 500)
    page.mouse.wheel(0, -600)
    page.wait_for_timeout(500)
    assert not page.evaluate(on_top), "whoever scrolls is let go"
    page.go_back()
    visit.arrive("Study")
    assert visit.complaints == []


def test_every_way_on_leads_there(kept: Kept, link: Link) -> None:
    """From the foot of the verdict, and of what follows it: no page is missing."""
    visit = kept.look(link("", studies.SAMPLE, model="prirn"))
    page = visit.page
    for name, title in (
        ("Compare the models", "Models"),
        ("What more readings change", "Raters"),
        ("Least certain cases", "Cases"),
    ):
        visit.settle()
        page.get_by_role("button", name=name).click()
        visit.arrive(title)
        page.go_back()
        visit.arrive("Study")
    assert page.locator(".stException").count() == 0
    assert visit.complaints == []


def test_a_bar_opens_the_cases_that_it_counts_and_back_is_study(kept: Kept, link: Link) -> None:
    """By a click in each picture, as many as its tooltip says, and again after going back."""
    visit = kept.look(link("", studies.SAMPLE, model="prirn", reliability=10, study_part="all"))
    page = visit.page
    for name in (*PICTURES, "certainty"):
        visit.settle()
        said = _point(page, name)
        page.mouse.down()
        page.mouse.up()
        visit.arrive("Cases")
        assert _listed(page) == said, name
        page.get_by_text("Only:").wait_for()
        page.go_back()
        visit.arrive("Study")
        assert "reliability=10" in page.url
    assert visit.complaints == []


def test_bars_are_opened_by_keyboard(context: Any, link: Link) -> None:
    """The menu beside the caption names every bar with its cases, and leads to them."""
    visit = Visit(context)
    page = visit.open(link("", studies.SAMPLE, model="prirn", study_part="readings"))
    visit.settle()
    page.locator(".st-key-open-bars-readings-per-case button").focus()
    page.keyboard.press("Enter")
    page.wait_for_function("document.activeElement.role?.startsWith('menu')")
    page.keyboard.press("ArrowDown")
    page.wait_for_function("document.activeElement.role === 'menuitem'")
    words = page.evaluate("document.activeElement.innerText")
    page.keyboard.press("Enter")
    visit.arrive("Cases")
    assert words.split(": ")[1].split()[0] == _listed(page)
    page.get_by_text("Only:").wait_for()
    assert page.title().endswith(" · Cases · Loupe")
    assert page.locator("h1").count() == 1
    # The names of icons are not read aloud.
    icons = "[data-testid=stIconMaterial]"
    assert page.locator(icons).count() > 3
    assert page.locator(f"{icons}:not([aria-hidden=true] *, [aria-hidden=true])").count() == 0
    assert visit.complaints == []


def test_a_folder_is_opened_by_its_button(context: Any, address: str, tmp_path: Path) -> None:
    """One that is none says so beside the field, which keeps what was written; a right one opens."""
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "annotations.csv").write_text("case_id,rater_id,label\n1,A,yes\n1,B,no\n2,A,no\n")
    visit = Visit(context)
    page = visit.open(f"{address}/?study=toy_three_labels")
    visit.settle()
    page.get_by_text("Open another study").click()
    page.evaluate(UNFOLDED)
    field = page.get_by_label("Folder on this computer")
    for folder in (tmp_path / "nowhere", tmp_path / "own"):
        field.fill(str(folder))
        page.get_by_role("button", name="Open folder").click()
        if folder.exists():
            page.wait_for_function("location.search.includes('own')")
        else:
            page.locator(".loupe-warning").filter(has_text="nowhere").wait_for()
            assert field.input_value() == str(folder)
            assert "study=toy_three_labels" in page.url
    visit.settle()
    page.get_by_role("heading", name="own", exact=True).wait_for()
    assert visit.complaints == []


def test_a_note_is_read_saved_and_printed_on_one_page(context: Any, browser: Any, link: Link) -> None:
    """From the verdict, with its numbers; the page that is saved holds the same, and asks nobody."""
    visit = Visit(context, width=400)
    page = visit.open(link("study", studies.SAMPLE, model="prirn", reliability=5))
    page.locator(".st-key-study-note summary").click()
    note = page.locator(".st-key-note-study")
    note.get_by_role("heading", name="Questions for the vendor").wait_for()
    visit.settle()
    assert visit.overflow() <= 0
    questions = note.locator("ol li").all_inner_texts()
    assert len(questions) >= 4
    heads = note.locator(".loupe-h3").all_inner_texts()
    assert heads[:2] == ["Verdict", "Questions for the vendor"]
    rows = page.get_by_role("table", name="Claims and verdicts")
    # Ranges of what is missed and what advice is for stand beneath them, and in the note beside them.
    on_page, in_note = (re.sub(r"[\s()]+", " ", rows.nth(place).inner_text()).strip() for place in (0, 1))
    assert on_page == in_note
    saved = {}
    for name, ending in (("Save to print (HTML)", ".html"), ("Save as text", ".txt")):
        with page.expect_download() as download:
            page.get_by_role("button", name=name).click()
        assert download.value.suggested_filename.endswith(ending)
        saved[ending] = Path(download.value.path()).read_text(encoding="utf-8")
    for question in questions:
        assert question.replace("\u00a0", " ") in saved[".txt"]
    assert visit.complaints == []
    with browser.new_context(offline=True, java_script_enabled=False) as alone:
        printed = alone.new_page()
        printed.set_content(saved[".html"])
        assert printed.locator("ol li").all_inner_texts() == questions
        assert printed.locator("script").count() == 0
        assert printed.pdf(prefer_css_page_size=True).count(b"/Type /Page\n") == 1
    # A run that begins while the button is held down does not take the press away.
    button = page.get_by_role("button", name="Save as text")
    button.hover()
    page.mouse.down()
    state = "document.querySelector('.stApp').dataset.testScriptState"
    page.evaluate(f"{state} = 'running'")
    with page.expect_download(timeout=10_000):
        page.mouse.up()
    page.evaluate(f"{state} = 'notRunning'")
    page.get_by_label("The note is about").click()
    page.get_by_role("option", name="Model B").click()
    note.get_by_role("heading", name="What these labels support for Model B").wait_for()
    visit.settle()
    assert set(re.findall("Model [A-D]", note.inner_text())) == {"Model B"}
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as text").click()
    assert "-note-model-b-" in download.value.suggested_filename
    assert visit.overflow() <= 0
    assert visit.complaints == []


def test_a_note_begun_early_follows_the_verdict(context: Any, link: Link) -> None:
    """While the verdict is worked out it says so and cannot be saved; then it is there by itself."""
    visit = Visit(context)
    page = visit.open(link("study", studies.SAMPLE, model="plackett-luce", reliability=1.41), painted=False)
    page.locator(".st-key-study-note summary").click()
    page.locator(".st-key-note-study").wait_for()
    page.get_by_role("button", name="Save as text").wait_for()
    visit.settle()
    followed = page.locator(".st-key-note-study", has_not_text="the verdict follows")
    followed.wait_for()
    note = followed.inner_text()
    card = page.locator(".st-key-study-verdict .loupe-kept > div .loupe-sentence")
    card = [one.split("\n")[-1] for one in card.all_inner_texts()]
    # In the note it stands with how readings were put together.
    said = [words for words in card if "here; the readings support" not in words]
    assert len(said) == len(card) - 1 > 0
    sentences = [one for words in said for one in re.split(r"(?<=\.) ", words)]
    # What the reference says stands below on the page; the note, which has no below, says it itself.
    of_reference = ("The study’s own reference (", "By it, ", "But it keeps one ", "The readings keep it: ")
    other = [one for one in sentences if one.startswith(of_reference)]
    assert len(other) == 4
    assert "By the study’s own reference (by readers alone; 300 cases" in note
    assert [one for one in sentences if one not in other and one not in note] == []
    assert visit.complaints == []


@pytest.mark.parametrize(("width", "mode"), [(1440, "dark"), (900, "light"), (400, "dark")])
def test_the_claims_stand_before_what_they_rest_on_and_unfold_in_plain_words(
    kept: Kept, link: Link, width: int, mode: str
) -> None:
    """Every model is told in counts; the table says the same in its own terms."""
    visit = kept.look(link("study", studies.SAMPLE, reliability=2), width=width, mode=mode)
    page = visit.page
    table = page.get_by_role("table", name="Claims and verdicts")
    table.wait_for()
    visit.settle()
    rests_on = page.locator(".st-key-study-verdict .loupe-kept > div > .loupe-point")
    assert table.bounding_box()["y"] < rests_on.first.bounding_box()["y"]
    assert rests_on.locator("b").all_inner_texts() == ["Danger", "On record", "How stable"]
    fold = page.locator(".loupe-folds details", has_text="In plain words")
    fold.locator("summary").click()
    assert fold.locator("p").first.inner_text().startswith("Most often right: Model A.")
    said = dict(zip(fold.locator("dt").all_inner_texts(), fold.locator("dd").all_inner_texts(), strict=True))
    rows = table.locator("tbody tr").all_inner_texts()
    assert [row.split()[0:2] for row in rows] == [model.split() for model in said]
    for row, words in zip(rows, said.values(), strict=True):
        cells = " ".join(row.split())
        low, high = re.search(r"(\d+) to (\d+) %", cells).groups()
        missed = re.search(r"(\d+ of \d+)(?= ⚠| \d+ to)", cells)[1]
        assert words.startswith(f"Right in {low} to {high} of 100 cases")
        assert f"Misses about {missed} dangers." in words, "as the table has it"
    assert visit.overflow() <= 0
    assert faults(page) == []
    fold.locator("summary").click()
    assert visit.complaints == []


@pytest.mark.parametrize(("width", "mode"), [(1440, "light"), (900, "dark"), (400, "light")])
def test_the_claims_in_pictures_unfold_beneath_their_table(
    kept: Kept, link: Link, width: int, mode: str
) -> None:
    """Nothing above them moves; both are painted, within the window, and fold away again."""
    visit = kept.look(link("study", studies.SAMPLE, reliability=2), width=width, mode=mode)
    page = visit.page
    panel = page.locator(".st-key-study-pictures")
    assert page.get_by_role("heading", name="Claimed, and supported").count() == 0
    panel.scroll_into_view_if_needed()
    before = panel.bounding_box()["y"]
    visit.unfold_pictures()
    panel.locator(".stVegaLiteChart svg").nth(1).wait_for()
    visit.settle()
    assert page.get_by_role("heading", name="Claimed, and supported").is_visible()
    assert page.get_by_role("heading", name="Where the truth is a high-risk label").is_visible()
    assert abs(panel.bounding_box()["y"] - before) <= 1
    assert visit.overflow() <= 0
    panel.locator("summary").first.click()
    page.get_by_role("heading", name="Claimed, and supported").wait_for(state="hidden")
    assert visit.complaints == []


@pytest.mark.parametrize("width", [1440, 400])
def test_one_part_is_shown_and_kept(context: Any, kept: Kept, link: Link, width: int) -> None:
    """Another takes its place, and nothing above moves; its link and the way back have it again."""
    visit = kept.look(link("study", studies.SAMPLE, model="prirn"), width=width)
    page = visit.page
    page.wait_for_function("document.querySelector('.stMain [class*=st-key-work-]') === null")
    assert page.get_by_role("heading", name="Which dangers does each model miss?").count() == 1
    assert page.get_by_role("heading", name="What is at stake?").count() == 0
    choice = page.locator(".st-key-parts-of-study")
    button = choice.get_by_role("radio", name="Certainty and risk")
    button.scroll_into_view_if_needed()
    before = choice.bounding_box()
    button.click()
    page.get_by_role("heading", name="What is at stake?").wait_for()
    visit.settle()
    assert page.get_by_role("heading", name="Which dangers does each model miss?").count() == 0
    assert abs(choice.bounding_box()["y"] - before["y"]) <= 1
    assert visit.overflow() <= 0
    assert choice.evaluate("one => one.scrollWidth - one.clientWidth") <= 0
    page.wait_for_function("location.search.includes('study_part=certainty')")
    other = Visit(context, width=width).open(page.url)
    other.get_by_role("heading", name="What is at stake?").wait_for()
    assert other.get_by_role("heading", name="Which dangers does each model miss?").count() == 0
    other.close()
    page.get_by_role("button", name="Least certain cases").click()
    visit.arrive("Cases")
    page.go_back()
    visit.arrive("Study")
    page.get_by_role("heading", name="What is at stake?").wait_for()
    assert page.get_by_role("heading", name="Which dangers does each model miss?").count() == 0
    assert visit.complaints == []


def test_the_cases_of_a_danger_open_from_its_table(kept: Kept, link: Link) -> None:
    """Whoever reads that melanoma is missed most goes on to the cases in which it is plausible."""
    visit = kept.look(link("study", studies.SAMPLE, model="prirn", reliability=2))
    page = visit.page
    foot = page.locator(".st-key-study-dangers-foot")
    foot.get_by_role("button", name="Show cases").click()
    offered = page.get_by_role("menuitem", name="Melanoma plausible, missed by a model")
    n = int(re.search(r"(\d+) cases?", offered.inner_text()).group(1))
    offered.click()
    visit.arrive("Cases")
    page.locator(".loupe-listed").get_by_text(f"{n} of 301 cases").wait_for()
    assert page.get_by_text("Only: Melanoma plausible.").is_visible()
    assert page.locator("[data-row='0']").get_attribute("aria-selected") == "true"
    assert visit.complaints == []


def test_a_number_of_missed_dangers_opens_its_cases(kept: Kept, link: Link) -> None:
    """Of this danger and this model, and of all dangers; it says how many before it is pressed."""
    visit = kept.look(link("study", studies.SAMPLE, model="prirn", reliability=2))
    page = visit.page
    table = page.get_by_role("table", name="Which dangers each model misses")
    row = table.get_by_role("row", name="Melanoma")
    number = row.get_by_role("button", name="Melanoma is plausible, and Model D does not warn")
    said = number.get_attribute("title")
    n = int(re.search(r"Opens (\d+) cases", said).group(1))
    number.focus()
    page.keyboard.press("Enter")
    visit.arrive("Cases")
    page.locator(".loupe-listed").get_by_text(f"{n} of 301 cases").wait_for()
    assert page.get_by_text("Melanoma plausible").first.is_visible()
    visit.settle()
    assert parse_qs(urlsplit(page.url).query)["missed_by"] == ["Model D"]
    page.go_back()
    visit.arrive("Study")
    # Another danger leads one of these more often: as of all lists of a label, the first is open.
    row.get_by_role("button", name="Melanoma is plausible, and Model A does not warn").click()
    visit.arrive("Cases")
    page.locator("[data-row='0'][aria-selected=true]").wait_for()
    visit.settle()
    page.go_back()
    visit.arrive("Study")
    every = table.get_by_role("row", name="All dangers").get_by_role("button").first
    n = int(re.search(r"Opens (\d+) cases", every.get_attribute("title")).group(1))
    every.click()
    visit.arrive("Cases")
    page.locator(".loupe-listed").get_by_text(f"{n} of 301 cases").wait_for()
    assert visit.complaints == []


def test_a_number_that_is_pressed_before_its_code_has_come_opens_its_cases(browser: Any, link: Link) -> None:
    """On a slow line the table is there long before what follows its numbers."""
    # Where the models are still to be judged, the code that is held brings the page up to date as well.
    first = Visit(browser.new_context())
    first.open(link("study", studies.SAMPLE, reliability=2))
    first.page.get_by_role("table", name="Which dangers each model misses").wait_for()
    held: list[Any] = []
    visit = Visit(browser.new_context())
    visit.page.route("**/BidiComponent.*.js", lambda route: held.append(route))
    page = visit.open(link("study", studies.SAMPLE, reliability=2), painted=False)
    page.get_by_role("table", name="Which dangers each model misses").get_by_role("button").first.click()
    assert held
    for route in held:
        route.continue_()
    visit.arrive("Cases")
    assert page.locator(".loupe-listed").get_by_text(re.compile(r"\d+ of 301 cases")).is_visible()
    assert visit.complaints == []


STALE = """() => [...document.querySelectorAll(".stMain .loupe-figure, .stMain .loupe-sentence, .stMain td")]
  .some((e) => /Model [A-D]/.test(e.innerText) && e.checkVisibility({visibilityProperty: true}))"""
"""Whether a model of the dermatology sample is named where it can be seen."""


def test_another_study_is_not_taken_for_what_stood_there(context: Any, link: Link) -> None:
    """Beneath its name nothing of the study before is seen; once it is there nothing is hidden any more."""
    visit = Visit(context)
    page = visit.open(link("study", studies.SAMPLE, reliability=2))
    page.get_by_role("table", name="Claims and verdicts").wait_for()
    assert page.evaluate(STALE)
    page.evaluate(f"""() => {{
      window.wrong = window.hides = 0;
      setInterval(() => {{
        const head = document.querySelector(".stMain h1")?.innerText ?? "";
        if (![...document.querySelectorAll(".stMain style")].some((e) => /data-stale/.test(e.textContent)))
          return;
        window.hides += 1;
        window.wrong += head.startsWith("Knee") && ({STALE})();
      }}, 20);
    }}""")
    page.evaluate("document.querySelector('.stMain').scrollTop = 900")
    page.get_by_role("combobox", name="Study", exact=True).click()
    page.get_by_role("option", name="Sample: knee mri").click()
    page.get_by_role("table", name="Claims and verdicts").get_by_text("Checklist").wait_for()
    visit.settle()
    # It begins at its top, however far the one before was scrolled.
    page.wait_for_function("document.querySelector('.stMain').scrollTop === 0")
    # But for a blink where the run begins and ends: Streamlit marks and takes away in its own time.
    assert page.evaluate("window.hides") > 0
    assert page.evaluate("window.wrong") <= 0.2 * page.evaluate("window.hides")
    assert page.locator(".stMain style", has_text="data-stale").count() == 0
    assert visit.complaints == []
