"""A round on paper."""

from __future__ import annotations

from dataclasses import replace
from html.parser import HTMLParser

from small_study import small_study

from core.analysis.round_page import MOST_LISTED, round_page
from core.reviews.in_round import reading_event, round_event
from core.reviews.rounds import Round, rounds_of
from core.study.model import Study, Task

ODD = ("<script>alert(1)</script>", 'a" onload="x', "&lt;", "שלום", "=1+1")


class Seen(HTMLParser):
    """Tags and texts of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags, self.texts, self.attributes = list[str](), list[str](), set[str]()
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note a tag."""
        self.tags.append(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_data(self, data: str) -> None:
        """Note a text."""
        self.texts.append(data)


def page_of(labels: tuple[str, ...] = ODD) -> tuple[Round, Study, Task]:
    """A round with odd names, of which one case is read."""
    study, task = small_study("ranking", "abcde", [["a"]] * 5)
    task = replace(task, labels=labels)
    study = replace(study, name=ODD[0], case_ids=ODD, tasks={"t": task})
    made = replace(round_event(study, task, ODD[0], ODD[1], ODD, question="\n".join(ODD)), number=1)
    read = reading_event(study, task, rounds_of([made])[ODD[1]], ODD[2], "Bo", blocks=[[labels[0]]])
    return rounds_of([made, replace(read, number=2)])[ODD[1]], study, task


def test_all_text_is_text() -> None:
    """Names, question and labels; nothing is run or fetched."""
    of, study, _ = page_of()
    seen = Seen(round_page(of, study, reader=ODD[0]))
    assert set(ODD) <= set(seen.texts)
    assert "\n".join(ODD) in seen.texts
    assert not {"script", "img", "link", "iframe", "a"} & {*seen.tags}
    assert seen.attributes <= {"lang", "charset", "name", "content", "http-equiv", "dir", "class"}


def test_a_row_for_each_case_that_is_left() -> None:
    """And no word of what was read before."""
    of, study, task = page_of()
    assert Seen(round_page(of, study)).tags.count("tr") == 1 + 5
    seen = Seen(round_page(of, study, reader="Bo"))
    assert seen.tags.count("tr") == 1 + 4
    assert [text for text in seen.texts if text in ("1", "2", "3", "4", "5")] == ["1", "2", "3", "4"]
    many = replace(task, labels=tuple(f"label {i}" for i in range(MOST_LISTED + 1)))
    assert "li" not in Seen(round_page(of, replace(study, tasks={"t": many}))).tags
