"""The tour in a real browser: it paints, its slider needs no server, and its links stay in the tab."""

from __future__ import annotations

import json
import re
import shutil
import time
from itertools import cycle, product
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, quote, urlsplit

import pytest
from browser import axe
from browser.conftest import Link
from browser.forked import started
from browser.kept import Kept
from browser.visit import STILL, Visit

from core.cli import sample_folder
from core.plausibility.settings import RELIABILITIES
from dashboard.components.picture import SAVE

pytestmark = pytest.mark.browser

PAINTED = "document.querySelectorAll('.st-key-tour .stVegaLiteChart svg.marks').length >= 4"
WITHIN = """() => {
  const page = document.querySelector('.stMain').getBoundingClientRect();
  const pictures = [...document.querySelectorAll('.st-key-tour svg.marks')];
  return pictures.map((one) => one.getBoundingClientRect())
    .every((one) => one.width > 0 && one.left >= page.left && one.right <= page.right + 1);
}"""
"""Whether no picture is wider than the page."""
SMALL_OR_CUT = """() => [...document.querySelectorAll('.st-key-tour svg.marks')].flatMap((svg) => {
  const edge = svg.getBoundingClientRect();
  return [...svg.querySelectorAll('text')].filter((text) => text.textContent.trim()).flatMap((text) => {
    const box = text.getBoundingClientRect();
    const size = parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().d;
    const cut = box.left < edge.left - 1 || box.right > edge.right + 1
      || box.top < edge.top - 1 || box.bottom > edge.bottom + 1;
    return size < 11 || cut ? [`${text.textContent}: ${size} px${cut ? ', cut' : ''}`] : [];
  });
})"""
"""Texts of pictures that are smaller than 11 pixels on the screen, or cut."""
OVERLAPS = """() => [...document.querySelectorAll('.st-key-tour svg.marks')].flatMap((svg) => {
  // Words on a rim of the colour of the page are drawn twice; numbers of an axis without room are not seen.
  const texts = [...svg.querySelectorAll('text')].filter((text) => text.textContent.trim()
    && text.getAttribute('opacity') !== '0' && !(parseFloat(text.getAttribute('stroke-width')) > 1));
  const boxes = texts.map((text) => text.getBoundingClientRect());
  return boxes.flatMap((one, i) => boxes.slice(i + 1).flatMap((other, j) => {
    const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
    const down = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
    const [first, second] = [texts[i].textContent, texts[i + j + 1].textContent];
    return across > 1 && down > 4 ? [`“${first}” over “${second}”`] : [];
  }));
})"""
"""Pairs of texts of a picture of which one stands on the other."""
TIP = "() => document.querySelector('#vg-tooltip-element.visible')?.innerText ?? ''"
MARKS = """() => [...document.querySelectorAll('.st-key-tour svg.marks .role-mark')]
  .filter((group) => group.closest('.stVegaLiteChart').checkVisibility({visibilityProperty: true}))
  .flatMap((group) => [0, 0.5, 1].map((at) => group.children[Math.floor(at * (group.children.length - 1))]))
  .filter((mark) => mark !== undefined).map((mark) => mark.getBoundingClientRect())
  .map((box) => [box.left + box.width / 2, box.top + box.height / 2])"""
"""Where the first, the middle and the last mark of each kind lie."""
BEYOND = """() => {
  const page = document.querySelector('.st-key-tour').getBoundingClientRect();
  return [...document.querySelectorAll('.st-key-tour :is(p, li, button, dt, dd, label, summary, svg)')]
    .filter((one) => one.checkVisibility({visibilityProperty: true}))
    .filter((one) => one.getBoundingClientRect().right > page.right + 1
      || one.getBoundingClientRect().left < page.left - 1)
    .map((one) => `${one.tagName} ${one.textContent.slice(0, 40)}`);
}"""
"""What is shown and stands out of the page at its left or right."""
CUT_IN_FIELDS = """() => [...document.querySelectorAll('.st-key-tour-fields input')].filter((field) => {
  const look = getComputedStyle(field), pen = document.createElement('canvas').getContext('2d');
  pen.font = `${look.fontSize} ${look.fontFamily}`;
  const room = field.clientWidth - parseFloat(look.paddingLeft) - parseFloat(look.paddingRight);
  return pen.measureText(field.value || field.placeholder).width > room;
}).map((field) => field.value || field.placeholder)"""
"""What stands in fields that have no room for it."""
STEP = ".st-key-tour-step-1"
STEPS = ("One case", "All cases", "Where it errs")
SHOWN = """() => [1, 2, 3].filter((number) => {
  const step = document.querySelector(`.st-key-tour-step-${number}`);
  return step?.checkVisibility({visibilityProperty: true}) && step.getBoundingClientRect().height > 0;
}).join()"""
"""Which steps are shown."""
SLIDER = f"{STEP} form input[type=range]"
SAYS = f"""word => [...document.querySelectorAll('{STEP} svg text')]
  .some(text => text.textContent.replace(/\\u00a0/g, ' ').startsWith(word))"""
"""Whether a text of the picture that the slider drives begins with a word."""


def words(page: Any) -> list[str]:
    """Texts of the picture that the slider drives."""
    texts = page.locator(f"{STEP} svg text").all_text_contents()
    return [text.replace("\u00a0", " ") for text in texts]


def choose(visit: Visit, step: int) -> None:
    """Choose a step, from 1, and wait until it alone is shown."""
    visit.page.get_by_role("radio", name=STEPS[step - 1]).click()
    visit.page.wait_for_function(f"({SHOWN})() === '{step}'")
    visit.settle()


@pytest.fixture
def visit(context: Any, link: Link) -> Visit:
    """The tour, open and at rest."""
    visit = Visit(context)
    visit.open(link("tour", "toy_three_labels"), painted=False)
    visit.page.wait_for_function(PAINTED, timeout=240_000)
    visit.settle()
    return visit


@pytest.fixture
def tour(kept: Kept, link: Link) -> Visit:
    """The tour in a tab that others look at as well, which leave its slider as it was."""
    visit = kept.look(link("tour", "toy_three_labels"))
    visit.page.wait_for_function(PAINTED, timeout=240_000)
    return visit


def test_it_opens_without_complaint(tour: Visit) -> None:
    """No console error, nothing from elsewhere, nothing wider than the page, nothing hard to read."""
    page = tour.page
    looks = product((1440, 900, 400), ("light", "dark"))
    for (width, mode), step in zip(looks, cycle((1, 2, 3)), strict=False):
        page.set_viewport_size({"width": width, "height": 900})
        tour.turn(mode)
        choose(tour, step)
        page.wait_for_function(PAINTED)
        look = f"{width} {mode} {step}"
        assert tour.overflow() <= 0, look
        page.wait_for_function(WITHIN)
        tour.page.evaluate(STILL)
        assert page.evaluate(SMALL_OR_CUT) == [], look
        assert page.evaluate(OVERLAPS) == [], look
        assert page.evaluate(CUT_IN_FIELDS) == [], look
        assert axe.faults(page) == [], look
    assert tour.complaints == []
    assert tour.strangers == []


def test_nothing_is_cut_on_the_narrowest_telephone(tour: Visit) -> None:
    """Whichever step is shown: words and pictures have their room, and nothing moves sideways."""
    page = tour.page
    page.set_viewport_size({"width": 320, "height": 900})
    for step in (1, 2, 3):
        choose(tour, step)
        page.wait_for_function(WITHIN)
        page.evaluate(STILL)
        assert tour.overflow() <= 0, step
        for look in (BEYOND, SMALL_OR_CUT, OVERLAPS, CUT_IN_FIELDS):
            assert page.evaluate(look) == [], step
    assert tour.complaints == []


def test_steps_are_shown_one_at_a_time_and_stay_as_they_were_left(visit: Visit) -> None:
    """On the way to the others and back: reliability, score and readers; and Play plays again."""
    page = visit.page
    page.set_viewport_size({"width": 1440, "height": 700})
    assert page.evaluate(SHOWN) == "1"
    page.get_by_role("slider", name="Score of the rash").press("ArrowRight")
    page.wait_for_function("location.search.includes('observation=0.7')")
    page.get_by_role("button", name="Ask three other readers").click()
    page.wait_for_function("location.search.includes('panel=1')")
    visit.settle()
    page.locator(SLIDER).focus()
    page.keyboard.press("Home")
    readings = page.locator(".tour-readings").inner_text()
    for step, name in ((2, "Next: all cases"), (3, "Next: where it errs")):
        page.get_by_role("button", name=name).click()
        page.wait_for_function(f"({SHOWN})() === '{step}'")
        visit.settle()
        head = page.get_by_role("heading", name="Why, in three steps").bounding_box()
        assert 0 < head["y"] < 120, "what comes is read from its top"
    assert "tour_step=errs" in page.url
    assert page.get_by_role("button", name="Next:").count() == 0
    choose(visit, 1)
    assert "tour_step" not in page.url
    assert page.locator(SLIDER).input_value() == "0"
    assert page.locator(".tour-readings").inner_text() == readings
    assert "observation=0.7" in page.url
    page.get_by_role("checkbox", name="Play", exact=True).focus()
    page.keyboard.press("Space")
    page.wait_for_function(f"document.querySelector('{SLIDER}').value >= 2", timeout=30_000)
    assert visit.complaints == []


def test_the_last_question_leads_to_the_step_that_says_why(tour: Visit) -> None:
    """It is shown from its top, and the keyboard goes on from there."""
    page = tour.page
    page.set_viewport_size({"width": 1440, "height": 700})
    page.get_by_role("button", name="See where a model errs").click()
    page.wait_for_function(f"({SHOWN})() === '3'")
    tour.settle()
    assert 0 < page.get_by_role("heading", name="Why, in three steps").bounding_box()["y"] < 120
    assert page.evaluate("document.activeElement.textContent") == "Why, in three steps"
    assert tour.complaints == []


def test_the_questions_are_folded_on_a_telephone_alone(tour: Visit) -> None:
    """There they can be unfolded; elsewhere, and on paper, they stand open beneath one head."""
    page = tour.page
    questions = page.locator(".tour-questions")
    asked, fold = questions.get_by_text("How many cases were tested?"), questions.locator("summary")
    head = questions.get_by_text("Ask whoever quotes an accuracy", exact=True)
    for width in (1440, 900):
        page.set_viewport_size({"width": width, "height": 900})
        head.wait_for(state="visible")
        asked.wait_for(state="visible")
        assert not fold.is_visible()
    page.set_viewport_size({"width": 400, "height": 900})
    asked.wait_for(state="hidden")
    assert fold.inner_text() == "Ask whoever quotes an accuracy: 9\u00a0questions"
    assert not head.is_visible()
    page.emulate_media(media="print")
    asked.wait_for(state="visible")
    page.emulate_media(media="screen")
    asked.wait_for(state="hidden")
    fold.click()
    asked.wait_for(state="visible")
    fold.click()
    asked.wait_for(state="hidden")
    assert tour.complaints == []


def test_what_is_folded_stands_in_one_row(visit: Visit) -> None:
    """Where there is room; unfolded, each has the whole width of the answer."""
    page = visit.page
    page.set_viewport_size({"width": 1440, "height": 900})
    folds = page.locator(".st-key-tour-folds summary")
    folds.nth(2).wait_for()
    boxes = [folds.nth(i).bounding_box() for i in range(3)]
    assert len({round(box["y"]) for box in boxes}) == 1
    assert all(box["height"] < 45 for box in boxes), "no words are broken"
    whole = page.locator(".st-key-tour-folds").bounding_box()["width"]
    folds.nth(1).click()
    page.wait_for_function(
        """whole => document.querySelectorAll('.st-key-tour-folds details')[1]
          .getBoundingClientRect().width > whole - 4""",
        arg=whole,
    )
    assert visit.complaints == []


def test_the_second_step_follows_the_fields(tour: Visit) -> None:
    """Its dots and words are those of the number that is typed."""
    page = tour.page
    choose(tour, 2)
    claimed = page.get_by_role("spinbutton", name="Claimed accuracy")
    claimed.fill("78")
    claimed.press("Enter")
    page.locator(".st-key-tour-step-2", has_text="61 to 73").wait_for()
    page.wait_for_function(
        "[...document.querySelectorAll('.st-key-tour-step-2 svg text')]"
        ".some((text) => text.textContent.replace(/\\u00a0/g, ' ') === 'Claimed 78 %')"
    )
    dots = ".st-key-tour-step-2 svg .mark-symbol.role-mark"
    assert page.locator(dots).first.locator("path").count() == 100
    assert tour.complaints == []


def test_the_slider_needs_no_server(visit: Visit) -> None:
    """With arrow keys alone, every view follows; not a single message is sent."""
    page, before = visit.page, len(visit.sent)
    page.locator(SLIDER).focus()
    for key, gamma in (("Home", RELIABILITIES[0]), ("ArrowRight", RELIABILITIES[1])):
        page.keyboard.press(key)
        page.wait_for_function(SAYS, arg=f"Each reading counts {gamma:g} times")
    page.keyboard.press("End")
    page.wait_for_function(SAYS, arg="The votes are taken for the truth")
    said = words(page)
    assert "C is 100 % certain: 20 of 20" in said
    assert "Now 100 % certain, though B is likelier." in said
    assert len(visit.sent) == before


def test_play_moves_the_slider_and_ends(visit: Visit) -> None:
    """Play goes on by itself, without the server, and stops at the last step."""
    page, before = visit.page, len(visit.sent)
    page.locator(SLIDER).focus()
    page.keyboard.press("End")
    for _ in range(3):
        page.keyboard.press("ArrowLeft")
    play = page.get_by_role("checkbox", name="Play", exact=True)
    play.focus()
    page.keyboard.press("Space")
    pause = page.get_by_role("checkbox", name="Pause", exact=True)
    assert pause.is_checked()
    assert page.get_by_role("checkbox", name="Play", exact=True).count() == 0
    assert page.locator(f"{STEP} form label", has=page.locator("[type=checkbox]")).inner_text() == ""
    page.wait_for_function(
        f"document.querySelector('{SLIDER}').value == {len(RELIABILITIES) - 1}", timeout=240_000
    )
    page.wait_for_function(f"!document.querySelector('{STEP} form [type=checkbox]').checked")
    assert play.is_visible() or play.count() == 1
    assert len(visit.sent) == before


def test_other_raters_change_the_case_and_leave_the_slider(visit: Visit) -> None:
    """The readings change, the pictures follow, and the reliability stays where it was put."""
    page = visit.page
    page.locator(SLIDER).focus()
    page.keyboard.press("Home")
    page.get_by_role("button", name="Ask three other readers").click()
    page.locator(".tour-readings", has_text="tie").wait_for(timeout=240_000)
    page.wait_for_function(SAYS, arg="leads in 33 %")
    visit.settle()
    assert page.locator(SLIDER).input_value() == "0"
    assert words(page).count("leads in 33 %") == 3
    assert visit.complaints == []


def test_data_as_a_table_and_a_file(tour: Visit, tmp_path: Path) -> None:
    """The numbers behind a picture can be saved, with where they come from."""
    tour.page.locator(STEP).get_by_role("button", name=SAVE, exact=True).click()
    with tour.page.expect_download() as download:
        tour.page.get_by_role("button", name="Download CSV").click()
    saved = tmp_path / "tour.csv"
    download.value.save_as(saved)
    rows = saved.read_text(encoding="utf-8").splitlines()
    assert rows[0].startswith("reliability,")
    assert len(rows) == 1 + len(RELIABILITIES)
    with tour.page.expect_download() as download:
        tour.page.get_by_role("button", name="Provenance").click()
    settings = json.loads(Path(download.value.path()).read_text(encoding="utf-8"))["settings"]
    assert settings["observation"] == "0.6"
    tour.page.keyboard.press("Escape")


def test_the_pointer_is_told_words(tour: Visit) -> None:
    """Over every kind of mark it is told a sentence with a share or a count, or nothing."""
    page = tour.page
    page.set_viewport_size({"width": 1440, "height": 3000})
    page.wait_for_function(WITHIN)
    told = set()
    for step in (1, 2, 3):
        choose(tour, step)
        page.evaluate(STILL)
        for x, y in page.evaluate(MARKS):
            page.mouse.move(x, y)
            page.evaluate(STILL)
            told.add(page.evaluate(TIP).replace("\u00a0", " "))
    told.discard("")
    assert any(words.startswith("In this plausible truth the model is right in") for words in told)
    assert any(words.startswith("C leads in about 14 of 20") for words in told)
    assert any(words.startswith("Supported: in 95 of 100 plausible truths") for words in told)
    assert any(words.endswith("the true shares") for words in told)
    assert [words for words in told if "\n" in words or not re.search(r"\d+ %|\d+ of \d+", words)] == []


def test_the_case_opens_in_this_tab_in_the_sample(tour: Visit) -> None:
    """The open study does not have it; going back, the tour is as it was."""
    page = tour.page
    page.get_by_role("button", name="Ask three other readers").click()
    page.locator(".tour-readings", has_text="tie").wait_for(timeout=240_000)
    tour.settle()
    page.get_by_role("button", name="Open the case").click()
    page.locator(".st-key-case-title", has_text="stutz-2025-fig-5").wait_for(timeout=240_000)
    tour.arrive("Cases")
    assert page.context.pages[-1] == page
    assert "/cases?" in page.url
    assert "study=dermatology_like" in page.url
    assert page.locator(".stMain", has_text="Melanoma").count() == 1
    tour.follow("Tour")
    page.locator(".tour-readings", has_text="tie").wait_for(timeout=240_000)


def test_the_case_leads_to_others_like_it(context: Any, link: Link) -> None:
    """In the sample: where a danger is plausible and another label leads, with the case itself among them."""
    visit = Visit(context)
    page = visit.open(link("tour", "toy_three_labels"), painted=False)
    visit.settle()
    page.get_by_role("button", name="More like this").click()
    page.locator(".loupe-listed", has_text="A high-risk label is plausible; another leads").wait_for(
        timeout=240_000
    )
    visit.arrive("Cases")
    query = parse_qs(urlsplit(page.url).query)
    assert query["preset"] == ["a high-risk label is plausible but does not lead"]
    assert query["study"] == ["dermatology_like"]
    page.locator(".stMain", has_text="stutz-2025-fig-5").first.wait_for()
    assert visit.complaints == []


def test_the_case_opens_in_the_study_that_has_it(context: Any, address: str, tmp_path: Path) -> None:
    """There it has another id; model and reliability stay as they were, and no search hides it."""
    folder = tmp_path / "renamed"
    shutil.copytree(sample_folder(), folder)
    for table in (folder / "annotations.csv", folder / "cases.csv", *folder.glob("predictions/*.csv")):
        text = table.read_text(encoding="utf-8")
        table.write_text(text.replace("stutz-2025-fig-5", "number 1026"), encoding="utf-8")
    visit = Visit(context)
    visit.open_folder(address, folder)
    page = visit.open(
        f"{address}/tour?study={quote(str(folder), safe='')}&model=prirn&reliability=50&search=toy",
        painted=False,
    )
    page.get_by_role("button", name="Open the case").click()
    page.locator(".st-key-case-title", has_text="number 1026").wait_for(timeout=240_000)
    visit.arrive("Cases")
    query = parse_qs(urlsplit(page.url).query)
    assert query["study"] == [str(folder)]
    assert query["case"] == ["number 1026"]
    assert (query["model"], query["reliability"]) == (["prirn"], ["50"])
    assert "search" not in query
    assert page.context.pages[-1] == page


def test_the_links_to_the_open_study_and_to_ones_own(visit: Visit) -> None:
    """One leads to the open study's finding, one to the place where another is opened, unfolded on top."""
    page = visit.page
    page.get_by_role("button", name="See what the example’s labels support").click()
    visit.arrive("Study")
    assert "study=toy_three_labels" in page.url
    page.get_by_text("of the leading labels are less than 80 % certain").wait_for()
    assert not page.get_by_label("Folder on this computer").is_visible()
    visit.follow("Tour")
    page.get_by_role("button", name="Bring your own study").click()
    visit.arrive("Study")
    field = page.get_by_label("Folder on this computer")
    field.wait_for(state="visible")
    assert field.bounding_box()["y"] < 1000
    visit.follow("Tour")
    page.get_by_role("button", name="See what the example’s labels support").click()
    visit.arrive("Study")
    assert not field.is_visible()
    assert page.context.pages[-1] == page


@pytest.mark.parametrize("button", ["Clinicians: missed dangers", "Look at missed dangers"])
def test_whoever_sees_patients_comes_to_the_dangers_that_a_model_misses(
    context: Any, link: Link, button: str
) -> None:
    """In the study that is open; its first case is opened, whatever was searched for and opened before."""
    visit = Visit(context)
    address = f"{link('tour', 'dermatology_like')}&search=toy&case=stutz-2025-fig-5"
    page = visit.open(address, painted=False)
    visit.settle()
    page.get_by_role("button", name=button).click()
    visit.arrive("Cases")
    page.locator(".loupe-listed", has_text="a model does not warn").wait_for(timeout=240_000)
    visit.settle()
    query = parse_qs(urlsplit(page.url).query)
    assert query["preset"] == ["a model misses danger"]
    assert "search" not in query
    assert query["case"] != ["stutz-2025-fig-5"]
    assert visit.complaints == []


@pytest.mark.parametrize(
    ("button", "shown"),
    [("See what the example’s labels support", "verdict"), ("Bring your own study", "own")],
)
def test_whoever_decides_or_brings_labels_comes_to_study(
    context: Any, link: Link, button: str, shown: str
) -> None:
    """To its whole page, whose path is not its name, and from there on to any other."""
    visit = Visit(context)
    page = visit.open(link("tour", "dermatology_like"), painted=False)
    visit.settle()
    page.get_by_role("button", name=button).click()
    visit.arrive("Study")
    page.get_by_role("table", name="Claims and verdicts").wait_for(timeout=240_000)
    visit.settle()
    assert page.get_by_label("Folder on this computer").is_visible() == (shown == "own")
    visit.follow("Cases")
    page.locator(".st-key-case-title").wait_for()
    assert visit.complaints == []


def test_a_claim_that_was_typed_is_there_on_the_way_back(visit: Visit) -> None:
    """From the example study, which is called one; so is what was typed though the example has it."""
    page = visit.page
    claimed = page.get_by_role("spinbutton", name="Claimed accuracy")
    claimed.fill("95")
    claimed.press("Enter")
    page.locator(".loupe-tour-verdict", has_text="95").wait_for()
    page.locator(".loupe-tour-if", has_text="If 3 readers read each of 150 cases").wait_for()
    for name, value in (("Cases tested", "150"), ("Readers of each case", "3")):
        page.get_by_role("spinbutton", name=name).fill(value)
        page.get_by_role("spinbutton", name=name).press("Enter")
    own = "If any two readers agree 60\u00a0% of the time:"
    page.locator(".loupe-tour-if", has_text=own).wait_for()
    visit.settle()
    assert page.get_by_text("Your claim is not part of it and stays on this page.").is_visible()
    page.get_by_role("button", name="See what the example’s labels support").click()
    visit.arrive("Study")
    page.go_back()
    visit.arrive("Tour")
    page.locator(".loupe-tour-verdict", has_text="95").wait_for()
    assert page.get_by_role("spinbutton", name="Claimed accuracy").input_value() == "95"
    assert page.locator(".loupe-tour-if").inner_text() == own
    assert visit.complaints == []


@pytest.mark.parametrize(
    ("button", "name", "shown"),
    [
        ("Clinicians: uncertain cases", "Cases", ".st-key-case-title"),
        ("Researchers: models", "Models", "h1"),
        (
            "Own labels: load them",
            "Study",
            "[data-testid=stTextInput]:has-text('Folder on this computer')",
        ),
    ],
)
def test_whoever_has_no_claim_goes_straight_on(tour: Visit, button: str, name: str, shown: str) -> None:
    """From the first screen, to a page of the study that is open."""
    link = tour.page.get_by_role("button", name=button)
    assert link.bounding_box()["y"] < 300
    link.click()
    tour.arrive(name)
    tour.page.locator(shown).first.wait_for(state="visible")
    assert tour.complaints == []


@pytest.mark.parametrize("width", [1440, 900, 400, 320])
def test_whoever_was_quoted_an_accuracy_comes_to_the_fields(tour: Visit, width: int) -> None:
    """From the first screen: the question is read from its top, and what is typed then is the accuracy."""
    page = tour.page
    page.set_viewport_size({"width": width, "height": 800})
    link = page.get_by_role("button", name="Were you quoted an accuracy?")
    assert link.bounding_box()["y"] < 300
    link.click()
    tour.settle()
    assert 0 < page.get_by_role("heading", name="You were quoted an accuracy").bounding_box()["y"] < 120
    assert page.evaluate("document.activeElement.ariaLabel").startswith("Claimed accuracy")
    page.keyboard.type("97")
    page.keyboard.press("Enter")
    page.locator(".loupe-tour-verdict", has_text="97").wait_for()
    assert tour.complaints == []


def test_the_answer_to_a_claim_leads_on_to_study(visit: Visit) -> None:
    """To the verdict of the study that is open."""
    visit.page.get_by_role("button", name="Go on to Study").click()
    visit.arrive("Study")
    assert "study=toy_three_labels" in visit.page.url
    assert visit.complaints == []


def test_nothing_touches_the_buttons_of_the_case(tour: Visit) -> None:
    """Words keep their distance from what can be pressed, at every width."""
    page = tour.page
    for width in (1440, 1200, 1000, 900, 640, 400, 320):
        page.set_viewport_size({"width": width, "height": 900})
        tour.settle()
        gaps = page.evaluate(
            """() => {
              const [head, text] = ['.st-key-tour-case-head', '.tour-case'].map((one) =>
                document.querySelector(one));
              const bottoms = [...head.querySelectorAll('button')].map((one) =>
                one.getBoundingClientRect().bottom);
              const tops = [...text.querySelectorAll('li, p')].map((one) => one.getBoundingClientRect().top);
              return Math.min(...tops) - Math.max(...bottoms);
            }"""
        )
        assert gaps >= 4, width


def test_no_column_leaves_a_hole(tour: Visit) -> None:
    """What stands side by side is about as high; and the note is saved on the first screen."""
    page = tour.page
    for place in (".st-key-tour-yours", STEP):
        heights = page.evaluate(
            """place => [...document.querySelector(place).querySelectorAll("[data-testid=stColumn]")]
              .map((one) => one.firstElementChild.getBoundingClientRect())
              .filter((box) => box.height > 0).map((box) => box.height)""",
            place,
        )
        assert len(heights) == 2
        assert max(heights) - min(heights) < 100, place
    save = page.get_by_role("button", name="Save to print (HTML)").first.bounding_box()
    assert save["y"] + save["height"] < 900


def test_a_page_says_at_once_that_it_opens(context: Any, address: str) -> None:
    """Before any code of it has come, and not any more once its first words stand there."""
    page = context.new_page()
    page.route("**/static/js/**", lambda route: route.abort())
    page.goto(f"{address}/tour", wait_until="commit")
    opening = page.get_by_text("Opening …")
    opening.wait_for(state="visible")
    page.unroute("**/static/js/**")
    page.goto(f"{address}/tour")
    page.get_by_role("heading", name="When experts disagree").wait_for(timeout=240_000)
    assert not opening.is_visible()


def test_the_first_start_opens_the_tour_and_the_next_the_last_page(context: Any, tmp_path: Path) -> None:
    """What a start says and opens; a study that is named opens, and not the tour."""
    state, toy = {"XDG_STATE_HOME": str(tmp_path / "state")}, str(sample_folder("toy_three_labels"))

    def opens(*study: str, visited: bool = True, come_to: str = "") -> str:
        with started(tmp_path, *study, environment=state) as (url, _):
            log = tmp_path / "server.log"
            found = None
            for _ in range(200):
                found = re.search(r"Loupe is open at (\S+), on this computer only", log.read_text())
                if found:
                    break
                time.sleep(0.1)
            assert found, log.read_text()
            if visited:
                visit = Visit(context)
                visit.open(found[1], painted=False)
                visit.settle()
                if come_to:
                    visit.follow(come_to)
                visit.page.close()
            return found[1].removeprefix(url)

    assert opens(toy, come_to="Reliability") == ""
    assert opens(toy) == "/reliability"
    assert opens(visited=False) == "/reliability"
    shutil.rmtree(tmp_path / "state")
    assert opens() == "/tour"


def test_a_share_is_its_percentage(tour: Visit) -> None:
    """Of which nothing is said, neither then nor when the percentage itself is typed."""
    page = tour.page
    for typed in ("0.92", "92"):
        claimed = page.get_by_role("spinbutton", name="Claimed accuracy")
        claimed.fill(typed)
        claimed.press("Enter")
        page.locator(".loupe-tour-example", has_text="Grey numbers are assumed").wait_for()
        tour.settle()
        assert claimed.input_value() == "92"
        assert page.get_by_text("is taken as").count() == 0
    assert tour.complaints == []


def test_what_was_not_taken_is_said_until_a_number_is_or_the_page_is_left(visit: Visit) -> None:
    """The next number that is taken may be the one before, of which the field shows the same."""
    page = visit.page
    refused = page.get_by_text("300\u00a0% lies outside 0 to 100\u00a0% and is not used")

    def types(number: str, *, is_refused: bool) -> None:
        claimed = page.get_by_role("spinbutton", name="Claimed accuracy")
        claimed.click()
        page.keyboard.press("Control+a")
        page.keyboard.type(number)
        page.keyboard.press("Enter")
        refused.wait_for(state="visible" if is_refused else "detached")
        visit.settle()
        assert claimed.input_value() == "92"

    types("92", is_refused=False)
    types("300", is_refused=True)
    choose(visit, 2)
    assert refused.is_visible(), "whatever else is done"
    types("92", is_refused=False)
    types("300", is_refused=True)
    visit.follow("Cases")
    visit.follow("Tour")
    page.locator(".loupe-tour-verdict", has_text="92").wait_for()
    visit.settle()
    assert refused.count() == 0
    assert visit.complaints == []


def test_what_is_typed_stands_with_its_unit(tour: Visit) -> None:
    """Percents with their sign, beside the number and in its field; an empty field has it in the example."""
    page = tour.page
    shown = """field => getComputedStyle(field.parentElement, '::after').content"""
    for name, typed, unit in (
        ("Claimed accuracy", "92.5", "%"),
        ("Any two readers agree", "90", "%"),
        ("Cases tested", "1500", ""),
    ):
        field = page.get_by_role("spinbutton", name=name)
        assert field.evaluate(shown) == "none"
        assert field.get_attribute("placeholder").endswith(unit)
        field.fill(typed)
        field.press("Enter")
        page.wait_for_function("sent => location.search.includes(sent)", arg=typed)
        tour.settle()
        assert unit in field.evaluate(shown)
        assert (field.evaluate(shown) == "none") == (unit == "")
    page.set_viewport_size({"width": 360, "height": 900})
    page.evaluate(STILL)
    assert page.evaluate(CUT_IN_FIELDS) == []
    assert tour.overflow() <= 0
    beyond = """form => form.getBoundingClientRect().right
      - Math.max(...[...form.querySelectorAll('label')].map((one) => one.getBoundingClientRect().right))"""
    assert page.locator(f"{STEP} form.vega-bindings").evaluate(beyond) >= -1, "the slider ends with the page"
    assert tour.complaints == []


def test_the_note_is_one_page_with_its_picture(tour: Visit, tmp_path: Path) -> None:
    """Of paper, also with all that is said where some numbers are assumed; no script runs in it."""
    page = tour.page
    page.get_by_role("spinbutton", name="Claimed accuracy").fill("82.5")
    page.get_by_role("spinbutton", name="Claimed accuracy").press("Enter")
    page.locator(".loupe-tour-verdict", has_text="82.5").wait_for()
    tour.settle()
    with page.expect_download() as download:
        page.get_by_role("button", name="Save to print (HTML)").click()
    saved = tmp_path / "note.html"
    download.value.save_as(saved)
    printed = page.context.new_page()
    printed.goto(saved.as_uri())
    assert printed.locator("svg[role=img]").is_visible()
    assert printed.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert printed.pdf(prefer_css_page_size=True).count(b"/Type /Page\n") == 1


def test_the_numbers_of_the_example_may_be_ones_own(tour: Visit) -> None:
    """They are taken without being typed, stand in the fields, and the note says nothing of an example."""
    page = tour.page
    above = page.locator(".loupe-tour-advice").bounding_box()
    page.get_by_role("button", name="The first three match mine").click()
    page.wait_for_function("location.search.includes('tour_readers=3')")
    tour.settle()
    fields = page.locator(".st-key-tour-fields input")
    assert [fields.nth(i).input_value() for i in range(4)] == ["92", "150", "3", ""]
    assert "tour_claimed=92&tour_cases=150&tour_readers=3" in page.url
    assert "tour_agreement" not in page.url, "what is seldom told stays an example"
    assert page.get_by_role("button", name="The first three match mine").count() == 0
    assert page.locator(".loupe-tour-advice").bounding_box()["y"] <= above["y"]
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as text").click()
    note = Path(download.value.path()).read_text(encoding="utf-8")
    assert "Example values" not in note
    assert "60 % (assumed)" in note
    assert tour.complaints == []


def test_no_note_is_saved_of_the_number_before(visit: Visit) -> None:
    """Whoever types a number and presses a button at once gets no file that has another."""
    page, files = visit.page, []
    page.on("download", lambda file: files.append(file))
    readers = page.get_by_role("spinbutton", name="Readers of each case")
    readers.click()
    page.keyboard.type("7")
    box = page.get_by_role("button", name="Save as text").bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.wait_for_timeout(3000)
    visit.settle()
    assert files == []
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as text").click()
    assert "Readers of each case: 7" in Path(download.value.path()).read_text(encoding="utf-8")
    # Sent by Enter, it is saved at the first press, though the field is still the one at hand.
    readers.click()
    page.keyboard.press("Control+a")
    page.keyboard.type("8")
    page.keyboard.press("Enter")
    page.wait_for_function("location.search.includes('tour_readers=8')")
    visit.settle()
    page.wait_for_function("!document.documentElement.hasAttribute('data-typing')")
    assert readers.evaluate("field => field === document.activeElement")
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as text").click()
    assert "Readers of each case: 8" in Path(download.value.path()).read_text(encoding="utf-8")
    assert visit.complaints == []


def test_a_comma_is_a_decimal_point_of_percents_alone(tour: Visit) -> None:
    """92,5 is not 925; 1,500 cases are 1,500."""
    page = tour.page
    for name, typed, sent in (
        ("Claimed accuracy", "92,5", "tour_claimed=92.5"),
        ("Cases tested", "1,500", "tour_cases=1500"),
    ):
        page.get_by_role("spinbutton", name=name).click()
        page.keyboard.type(typed)
        page.keyboard.press("Enter")
        page.wait_for_function("sent => location.search.includes(sent)", arg=sent)
    page.locator(".loupe-tour-verdict", has_text="not 92.5\u00a0%.").wait_for()
    tour.settle()
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as text").click()
    note = Path(download.value.path()).read_text(encoding="utf-8").replace("\u00a0", " ")
    assert "Claimed: 92.5 %, on 1,500 cases" in note, "what the vendor said stands in its note"
    assert tour.complaints == []
