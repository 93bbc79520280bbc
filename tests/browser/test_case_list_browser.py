"""The list of cases by itself: what it makes of keys when another list has gone without a word."""

from __future__ import annotations

from typing import Any

import pytest

from dashboard.components.case_list_rows import CSS, LOW_ROW_HEIGHT, ROW_HEIGHT, ROWS
from dashboard.components.case_list_steps import STEPS
from dashboard.shell.theme import paired

pytestmark = pytest.mark.browser

_MOUNT = """async (code) => {
  const module = await import(URL.createObjectURL(new Blob([code], {type: "text/javascript"})));
  window.opened = {};
  for (const which of ["gone", "here"]) {
    const host = document.createElement("div");
    host.id = which;
    document.body.append(host);
    const data = {
      columns: [{title: "Case"}], rows: [["a"], ["b"], ["c"]], shares: [], name: which, height: 300, row: 32,
      chosen: "a", steps: {".next": 1}, walks: true,
    };
    const setTriggerValue = (_, {id, at}) => { (window.opened[which] ??= []).push(id); window.last = at; };
    const sent = (all) => new TextEncoder().encode(JSON.stringify(all));
    window.take = (change) =>
      module.default({data: sent(Object.assign(data, change)), parentElement: host, setTriggerValue});
    take({heard: 0});
  }
  document.getElementById("gone").remove();
}"""

_TWO_LINES = """([title, height]) => {
  const cell = document.querySelector(`td[title="${title}"]`), words = cell.querySelector("span");
  return cell.offsetHeight === height && words.offsetHeight > height / 2;
}"""
"""Whether a label stands on two lines, in a row as high as any; for another width rows are drawn anew."""


def test_a_list_that_has_gone_takes_no_key(browser: Any) -> None:
    """One that was never unmounted hears keys first; they are meant for the list that is on the page.

    There a long label stands on two lines, which make its row no higher, and is said in full.
    """
    page = browser.new_page()
    page.evaluate(_MOUNT, ROWS + STEPS)
    for _ in range(2):
        page.keyboard.press("Alt+n")
    assert page.evaluate("window.opened") == {"here": ["b", "c"]}
    assert page.locator("#here tr[aria-selected=true]").inner_text() == "c"
    # A page without a doctype forgets the size of words at a table.
    page.add_style_tag(content=f"{CSS} table {{ font-size: inherit; }}")
    label = "34 % Livedo reticularis of the lower leg and foot"
    page.evaluate(
        "label => take({columns: [{title: 'Case'}, {title: 'Label', wide: true}], rows: [['a', label]]})",
        label,
    )
    page.evaluate("low => take({low})", LOW_ROW_HEIGHT)
    page.evaluate("document.body.style.width = '260px'")
    for width, height in ((1440, ROW_HEIGHT), (400, LOW_ROW_HEIGHT)):
        page.set_viewport_size({"width": width, "height": 400})
        page.wait_for_function(_TWO_LINES, arg=[label, height])
    page.close()


def test_what_the_page_has_heard_of_is_marked_as_it_says(browser: Any) -> None:
    """A case is opened, and the way back is taken in the same moment: no answer ever names that row."""
    page = browser.new_page()
    page.evaluate(_MOUNT, ROWS + STEPS)
    marked = page.locator("#here tr[aria-selected=true]")
    page.keyboard.press("Alt+n")
    page.evaluate("take({chosen: 'a'})")
    assert marked.inner_text() == "b", "an answer from before"
    page.keyboard.press("Alt+n")
    page.evaluate("take({heard: last - 1, chosen: 'b'})")
    assert marked.inner_text() == "c", "an answer to the first key"
    page.evaluate("take({heard: last, chosen: 'b'})")
    assert marked.inner_text() == "b", "heard, and then left"
    page.close()


def test_what_nobody_answers_is_forgotten(browser: Any) -> None:
    """Asked of a page that was being left: while the server works the row stays marked; it is asked again."""
    page = browser.new_page()
    page.evaluate(_MOUNT, ROWS + STEPS)
    page.evaluate("document.body.className = 'stApp'; document.body.dataset.testScriptState = 'running'")
    page.keyboard.press("Alt+n")
    page.wait_for_timeout(2500)
    marked = page.locator("#here tr[aria-selected=true]")
    assert marked.inner_text() == "b"
    assert page.evaluate("opened") == {"here": ["b"]}
    page.evaluate("document.body.dataset.testScriptState = 'notRunning'")
    page.locator("#here tr[aria-selected=true][data-row='0']").wait_for()
    assert page.evaluate("opened") == {"here": ["b", "b", "b"]}
    page.close()


def test_a_head_sorts_by_keyboard_and_keeps_the_focus(browser: Any) -> None:
    """Enter at a head asks for its order and opens no case; the list that comes of it has the head again."""
    page = browser.new_page()
    page.evaluate(_MOUNT, ROWS + STEPS)
    page.evaluate(
        """() => {
          const one = (sorted) => ({columns: [{title: "Case", order: "study", sorted}]});
          const list = document.querySelector("#here"), asked = window.asked = [];
          window.again = (sorted) => take(one(sorted));
          again("");
        }"""
    )
    page.locator("#here th button").focus()
    page.keyboard.press("Enter")
    assert page.evaluate("window.opened") == {"here": [None]}, "the order, and no case"
    page.evaluate("again('ascending')")
    assert page.evaluate("document.activeElement.dataset.order") == "study"
    assert page.get_by_role("columnheader").get_attribute("aria-sort") == "ascending"
    page.keyboard.press("ArrowDown")
    assert page.evaluate("window.opened.here") == [None, "b"], "arrows walk on from there"
    page.close()


def test_long_words_are_broken_where_one_can_read_on(browser: Any) -> None:
    """Behind a stroke, and with a hyphen; short words stay whole, and what is read is as it was written."""
    page = browser.new_page()
    page.evaluate(_MOUNT, ROWS + STEPS)
    label = "Morphea/Scleroderma, Dermatofibrosarcoma or SCC/SCCIS"
    page.evaluate(
        "label => take({columns: [{title: 'Case'}, {title: 'Label', wide: true}], rows: [['a', label]]})",
        label,
    )
    cell = page.get_by_title(label)
    parts = cell.locator("span").evaluate("one => one.innerHTML.replaceAll('\u00ad', '-')")
    assert parts == "Morphea/<wbr>Scleroderma, Der-mato-fib-rosar-coma or SCC/SCCIS"
    assert cell.locator("span").evaluate("one => one.textContent.replaceAll('\u00ad', '')") == label
    page.close()


def test_a_list_of_nothing_has_no_head(browser: Any) -> None:
    """It is there again with its rows."""
    page = browser.new_page()
    page.evaluate(_MOUNT, ROWS + STEPS)
    page.add_style_tag(content=CSS)
    head = page.locator("#here th")
    assert head.is_visible()
    page.evaluate("take({rows: []})")
    assert not head.is_visible()
    assert not page.locator("#here .more").is_visible()
    page.evaluate("take({rows: [['a'], ['b']]})")
    assert head.is_visible()
    assert page.locator("#here tbody tr").count() == 2
    page.close()


def test_a_wide_column_can_have_more_of_the_room(browser: Any) -> None:
    """Others share it alike, whatever stands in them."""
    page = browser.new_page()
    page.evaluate(_MOUNT, ROWS + STEPS)
    page.add_style_tag(content=f"{CSS} table {{ font-size: inherit; }}")
    page.evaluate(
        """() => { document.body.style.width = "600px"; take({columns: [{title: "Case"},
          {title: "A", wide: true}, {title: "B", wide: true, room: 1.5}], rows: [["a", "x", "y"]]}); }"""
    )
    widths = page.locator("#here th").evaluate_all("all => all.map((one) => one.offsetWidth)")
    assert abs(widths[2] / widths[1] - 1.5) < 0.05
    page.close()


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_danger_is_a_bar_on_one_scale_beneath_words_that_can_be_read(browser: Any, mode: str) -> None:
    """It is as long as the number says, in every row alike; an unknown one has none."""
    page = browser.new_page(color_scheme=mode)
    page.evaluate(_MOUNT, ROWS + STEPS)
    page.add_style_tag(content=f":root {{ color-scheme: {mode} }} {paired(CSS)}")
    page.evaluate(
        """() => take({columns: [{title: 'Case'}, {title: 'Danger', number: true, danger: true}],
          height: 9000, row: 4, low: 4,
          rows: [...[...Array(101).keys()].map((n) => [`${n}`, `${n}\u00a0%`]), ["x", "–"]]})"""
    )
    bars = page.locator("#here b")
    assert bars.count() == 101
    found = bars.evaluate_all(
        """all => all.map((one) => {
          const said = getComputedStyle(one), ground = said.backgroundImage.match(/(rgb|color)[^)]*\\)/)[0];
          return [one.offsetWidth, said.backgroundSize,
            ...[said.color, ground, said.backgroundColor].map((name) => {
              const of = document.createElement("canvas").getContext("2d", {colorSpace: "srgb"});
              of.fillStyle = name;
              of.fillRect(0, 0, 1, 1);
              return [...of.getImageData(0, 0, 1, 1).data.slice(0, 3)];
            })];
        })"""
    )
    assert len({width for width, *_ in found}) == 1
    assert [long for _, long, *_ in found] == [f"{n}% 100%" for n in range(101)]
    for _, _, words, bar, room in found:
        assert min(_contrast(words, bar), _contrast(words, room)) >= 4.5
    page.close()


def _contrast(first: list[int], second: list[int]) -> float:
    """Contrast of two colours, as WCAG 2 defines it."""
    low, high = sorted(_luminance(colour) for colour in (first, second))
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: list[int]) -> float:
    linear = [
        one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in (c / 255 for c in colour)
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_another_order_is_shown_from_its_top(browser: Any) -> None:
    """So is another list: the case that is open stays marked, and a press leads to its row.

    Another case is moved into sight.
    """
    page = browser.new_page()
    page.evaluate(_MOUNT, ROWS + STEPS)
    page.add_style_tag(content=CSS)
    page.evaluate("window.ids = [...Array(200).keys()].map((i) => [`${i}`])")
    page.evaluate("take({rows: ids, chosen: '150', order: 'a'})")
    top = "document.querySelector('#here .cases').scrollTop"
    assert page.evaluate(top) > 0, "in sight"
    page.evaluate("take({rows: [...ids].reverse(), order: 'b'})")
    assert page.evaluate(top) == 0
    page.evaluate("take({rows: ids, chosen: '151', order: 'b'})")
    assert page.evaluate(top) > 0, "another case, in the same order"
    page.evaluate("take({rows: ids, chosen: '151', order: 'c'})")
    assert page.evaluate(top) == 0
    page.evaluate("take({rows: ids, chosen: '151', order: 'c', list: 'b', walks: true})")
    assert page.evaluate(top) == 0, "another list"
    below = page.locator("#here .below")
    assert below.inner_text() == "open: row 152 ↓"
    below.click()
    assert not below.is_visible()
    assert page.evaluate(top) > 0
    page.evaluate("take({rows: ids.slice(0, 100), chosen: '151', order: 'c', list: 'd', walks: true})")
    assert page.evaluate(top) == 0, "another list, without that case"
    assert not below.is_visible()
    page.evaluate("take({rows: ids, chosen: '152', order: 'a', list: 'c'})")
    row = page.locator("#here tr[aria-selected=true]").bounding_box()
    frame = page.locator("#here .cases").bounding_box()
    assert frame["y"] < row["y"] < frame["y"] + frame["height"], "another case of another list"
    page.close()


_IN_SIGHT = """() => {
  const row = document.querySelector("#here tr[aria-selected=true]")?.getBoundingClientRect();
  const frame = document.querySelector("#here .cases").getBoundingClientRect();
  return row !== undefined && frame.top <= row.top && row.bottom <= frame.bottom;
}"""
"""Whether the open case is in its list's frame, both measured at once: rows are made anew as it scrolls."""


def test_a_case_that_is_linked_is_in_sight_whatever_room_its_list_gets(browser: Any) -> None:
    """Drawn before its style has come, a list is as high as all its rows; then rows are whole, at any width.

    Whoever has scrolled since stays there.
    """
    page = browser.new_page(viewport={"width": 900, "height": 700})
    page.evaluate(_MOUNT, ROWS + STEPS)
    page.add_style_tag(content=CSS)
    page.evaluate(
        """() => { document.querySelector("#here").style.setProperty("--most-height", "9999px");
          const rows = [...Array(200).keys()].map((i) => [`${i}`]);
          take({rows, chosen: '150', height: 9999, row: 35, low: 31});
          const frame = document.querySelector("#here .cases");
          frame.style.maxHeight = "none"; }"""
    )
    frame, opened = page.locator("#here .cases"), page.locator("#here tr[aria-selected=true]")
    high = frame.bounding_box()["height"]
    assert high > 200 * 30
    for most in ("round(down, 400px, var(--row))", "round(down, 300px, var(--row))"):
        frame.evaluate("(frame, most) => { frame.style.maxHeight = most; }", most)
        page.wait_for_function("document.querySelector('#here .cases').scrollTop > 0")
        page.wait_for_function(_IN_SIGHT)
    page.set_viewport_size({"width": 400, "height": 700})
    page.wait_for_function("document.querySelector('#here .cases').clientHeight % 31 === 0")
    assert opened.bounding_box()["height"] == 31
    frame.hover()
    page.mouse.wheel(0, -3100)
    page.wait_for_function("document.querySelector('#here .cases').scrollTop < 2000")
    page.wait_for_timeout(300)
    there = frame.evaluate("frame => frame.scrollTop")
    frame.evaluate("frame => { frame.style.maxHeight = 'round(down, 200px, var(--row))'; }")
    page.wait_for_timeout(300)
    assert frame.evaluate("frame => frame.scrollTop") == there
    page.close()


def test_rows_above_are_said_where_one_looks_first(browser: Any) -> None:
    """Opened in its middle a list says so at its top and at its foot; a press leads to the first row.

    What says it moves nothing, and hides no word of the head.
    """
    page = browser.new_page()
    page.evaluate(_MOUNT, ROWS + STEPS)
    page.add_style_tag(content=CSS)
    page.evaluate(
        """take({columns: [{title: "Case", order: "study"}, {title: "Leading label"}, {title: "Danger"}],
        rows: [...Array(2000).keys()].map((i) => [`${i}`, "", ""])})"""
    )
    above, foot = page.locator("#here .above"), page.locator("#here .more")
    head = page.locator("#here th").first
    top = head.bounding_box()["y"]
    assert not above.is_visible()
    assert foot.inner_text().endswith(": scroll for more ↓")
    page.evaluate("take({chosen: '1500', list: 'another'})")
    first, last = page.evaluate(
        """() => { const {scrollTop: top, clientHeight: high} = document.querySelector("#here .cases");
          return [Math.round(top / 32) + 1, Math.round(top / 32) + Math.floor(high / 32) - 1]; }"""
    )
    assert 1 < first < 1501 < last < 2000
    assert above.inner_text() == f"↑ {first - 1:,} above"
    assert foot.inner_text() == (
        f"Rows {first:,} to {last:,} of 2,000: {first - 1:,} above ↑, {2000 - last:,} below ↓"
    )
    assert head.bounding_box()["y"] == top
    words = page.evaluate(
        """() => [...document.querySelectorAll("#here th")].map((of) => {
          const range = new Range();
          range.selectNodeContents(of);
          return range.getBoundingClientRect().top;
        })"""
    )
    box = above.bounding_box()
    assert box["y"] + box["height"] <= min(words)
    above.click()
    assert page.evaluate("document.querySelector('#here .cases').scrollTop") == 0
    above.wait_for(state="hidden")
    assert page.evaluate("document.activeElement.className") == "cases", "keys lead on from there"
    page.evaluate("document.querySelector('#here .cases').scrollTop = 99999")
    page.get_by_text("of 2,000: back to the first ↑").wait_for()
    assert above.is_visible()
    page.close()


def test_what_is_cut_is_said_shorter(browser: Any) -> None:
    """The first words that fit stand there, the whole ones where it is pointed at; lines of their own stay.

    A long id stands on two lines.
    """
    page = browser.new_page()
    page.evaluate(_MOUNT, ROWS + STEPS)
    page.add_style_tag(content=f"{CSS} table {{ font-size: inherit; }}")
    tied, id_ = "Tied: Allergic Contact Dermatitis or Perioral Dermatitis", "a-long-id-of-a-case"
    page.evaluate(
        """([tied, short, id]) => {
          document.body.style.width = "160px";
          take({
            columns: [{title: "Case"},
              {title: "Label", wide: true, shorts: {[tied]: [short]}}],
            rows: [[id, tied], ["b", "Acne"]]});
        }""",
        [tied, "Allergic Contact Dermatitis\nor Perioral Dermatitis", id_],
    )
    cell = page.get_by_title(tied)
    # Each of them is seen, cut by itself.
    assert cell.inner_text().split("\n") == ["Allergic Contact Dermatitis", "or Perioral Dermatitis"]
    for line in cell.locator("i").all():
        assert line.evaluate("of => of.clientWidth < of.scrollWidth"), line.inner_text()
    tops = [line.bounding_box()["y"] for line in cell.locator("i").all()]
    assert tops[0] < tops[1]
    assert cell.bounding_box()["height"] == ROW_HEIGHT
    assert page.get_by_title(id_).inner_text() == id_
    assert page.get_by_title(id_).locator(".id").bounding_box()["width"] < 110
    assert page.get_by_title(id_).bounding_box()["height"] == ROW_HEIGHT
    # All of it is seen, beside words that take what room there is.
    assert page.get_by_title(id_).locator(".id").evaluate("of => of.scrollHeight <= of.clientHeight + 1")
    page.evaluate("document.body.style.width = '700px'")
    page.wait_for_function(
        "[...document.querySelectorAll('i')].every((of) => of.clientWidth >= of.scrollWidth)"
    )
    # Named alike in every width.
    assert cell.inner_text().split("\n") == ["Allergic Contact Dermatitis", "or Perioral Dermatitis"]
    page.close()


def test_lines_that_are_cut_are_said_shorter(browser: Any) -> None:
    """Lines of their own, too, where there are shorter ones; with room they are whole again."""
    page = browser.new_page()
    page.evaluate(_MOUNT, ROWS + STEPS)
    page.add_style_tag(content=f"{CSS} table {{ font-size: inherit; }}")
    words = "Counted wrong: Models Alpha, Beta, but likeliest: 56 of 100"
    page.evaluate(
        """([words, ...shorts]) => {
          document.body.style.width = "230px";
          take({columns: [{title: "Case"}, {title: "Misleads", wide: true, shorts: {[words]: shorts}}],
            rows: [["a", words]]});
        }""",
        [words, words.replace(", but", "\nbut"), "Counted wrong: 2 models\nlikeliest: 56 of 100"],
    )
    cell = page.get_by_title(words)
    assert cell.inner_text().split("\n") == ["Counted wrong: 2 models", "likeliest: 56 of 100"]
    page.evaluate("document.body.style.width = '700px'")
    page.wait_for_function("document.querySelector('#here i').textContent.includes('Alpha')")
    page.close()


@pytest.mark.parametrize("width", [190, 300, 600])
def test_letters_of_levels_stand_before_their_labels(browser: Any, width: int) -> None:
    """Of a tie one on each line; names begin beneath one another, that of an unknown level too."""
    page = browser.new_page()
    page.evaluate(_MOUNT, ROWS + STEPS)
    page.add_style_tag(content=f"{CSS} table {{ font-size: inherit; }}")
    alone, tied, unknown = "Allergic Contact Dermatitis", "Tied: Melanoma or Nevus", "Cyst"
    told = "Tied: Melanoma (high risk) or Nevus (low risk)"
    page.evaluate(
        """([alone, tied, unknown, told, width]) => {
          document.body.style.width = `${width}px`;
          take({columns: [{title: "Case"}, {title: "Label", wide: true,
              levels: {[alone]: ["alone", ["M"]], [tied]: [told, ["H", "L"]], [unknown]: ["unknown", [""]]},
              shorts: {[tied]: ["Melanoma\\nor Nevus"]}}],
            rows: [["a", alone], ["b", tied], ["c", unknown], ["d", ""]]});
        }""",
        [alone, tied, unknown, told, width],
    )
    found = {name: page.locator(f"#here td[aria-label='{name}']") for name in ("alone", told, "unknown")}
    letters = {
        name: cell.locator("b").evaluate_all("all => all.map((one) => [one.textContent, one.dataset.level])")
        for name, cell in found.items()
    }
    assert letters == {"alone": [["M", "M"]], told: [["H", "H"], ["L", "L"]], "unknown": [["", None]]}
    assert found[told].locator("i").evaluate_all("all => all.map((one) => one.textContent)") == [
        "HMelanoma",
        "Lor Nevus",
    ]
    begins = page.evaluate(
        """() => [...document.querySelectorAll("#here td.levels span")].flatMap((of) => {
          const texts = [], walk = document.createTreeWalker(of, NodeFilter.SHOW_TEXT), range = new Range();
          while (walk.nextNode()) {
            if (walk.currentNode.parentNode.tagName === "B" || !walk.currentNode.length) continue;
            range.selectNodeContents(walk.currentNode);
            texts.push(...[...range.getClientRects()].map((line) => line.left));
          }
          return of.classList.contains("lines") ? texts : texts.slice(0, 1);
        })"""
    )
    assert max(begins) - min(begins) < 1.5, begins
    for cell in (*found.values(), page.locator("#here tr[data-row='3'] td").first):
        assert cell.bounding_box()["height"] == ROW_HEIGHT
    frame = found["alone"].bounding_box()
    letter = found["alone"].locator("b").bounding_box()
    assert letter["y"] >= frame["y"] + 1
    assert letter["y"] + letter["height"] <= frame["y"] + frame["height"] - 1
    page.close()
