"""The list for a case conference: its order, what it says of each case, and where it ends."""

from __future__ import annotations

import re
from dataclasses import replace
from string import ascii_uppercase

import pandas as pd
import pytest
from small_study import small_study

from core.analysis.cases.brief import FIRM, NEXT, OF_MODELS, ON_RECORD, ONE_READER, brief_of
from core.analysis.cases.case import open_case
from core.analysis.cases.conference import MOST_CASES, MOST_READINGS, YOURS, conference_note
from core.analysis.cases.danger_reasons import ONE_MORE
from core.analysis.cases.misled_words import misled_words
from core.analysis.cases.reviewed import with_reviews
from core.analysis.cases.settle import settle
from core.analysis.cases.worklist import worklist_of
from core.analysis.export import NOTICE
from core.analysis.note import BY_HAND, Heading, Items, Note, Words, as_html, as_text
from core.analysis.reliability.words import reliability_words
from core.plausibility.settings import Aggregation
from core.reviews.event import Event, local_time, subject_of
from core.reviews.state import reviews_of
from core.study.model import Study, Task

AGGREGATION = Aggregation(model="prirn", reliability=3)
CASES = (["a", "a", "b"], ["c", "b"], ["b", "b"])
"""a is of low risk, b of high, c of medium: the second case ties two that differ."""
MODELS = {"X": [[0.8, 0.1, 0.1]] * 3, "Y": [[0.1, 0.8, 0.1], [0.1, 0.1, 0.8], [0.1, 0.8, 0.1]]}


BRIEF = ("First choices", "Models", "On record", "How stable", "Useful next", "One more reader")


def _study() -> tuple[Study, Task]:
    return small_study("ranking", "abc", CASES, risk="LHM", predictions=MODELS)


def _rows(study: Study, task: Task, aggregation: Aggregation = AGGREGATION) -> pd.DataFrame:
    return with_reviews(worklist_of(study, task, aggregation), {})


def _note(rows: pd.DataFrame, aggregation: Aggregation = AGGREGATION) -> Note:
    study, task = _study()
    return conference_note(
        study, task, aggregation, rows, listed=("Marked: 3 of 301 cases.", "Flagged."), made_on="3 May 2026"
    )


def _items(note: Note) -> dict[str, tuple[str, ...]]:
    """What is said of each case."""
    found: dict[str, tuple[str, ...]] = {}
    for part in note.parts:
        if isinstance(part, Heading):
            found[part.text] = ()
        elif isinstance(part, Items):
            found[[*found][-1]] = tuple(line for line in part.lines if not line.startswith(BRIEF))
    return found


def test_each_case_says_what_the_worklist_says_of_it() -> None:
    """Label, risk and certainty, danger, who misses it, readings, and what was decided, in whole numbers."""
    study, task = _study()
    rows = _rows(study, task)
    rows.loc["case 0", ["status", "flags", "notes"]] = ["in discussion", "odd; rare", "Ask the GP / Done"]
    first, second, third = _items(_note(rows)).values()
    sure, danger = (f"{100 * rows[name]['case 0']:.0f}" for name in ("certainty", "high_risk"))
    assert first == (
        f"Leading: a (low risk), certainty {sure} of 100",
        f"Danger: A high-risk label leads in {danger} of 100 plausible truths, most often b ({danger})",
        "Missed: By 1 of 2 models, with what each puts first: X: a",
        "Readings (3):\nA: a\nB: a\nC: b",
        "Most votes: A, so plain accuracy counts X as right, Y as wrong.",
        "Status: in discussion",
        "Flagged: odd; rare",
        "Noted: Ask the GP / Done",
    )
    assert re.fullmatch(
        "Leading: b \\(high risk\\) or c \\(medium risk\\), tied, certainty of each at most 5\\d of 100",
        second[0],
    )
    assert second[2] == "Missed: By all 2 models, with what each puts first: X: a; Y: c"
    assert third == (
        "Leading: b (high risk), certainty 100 of 100",
        "Danger: A high-risk label leads in 100 of 100 plausible truths, most often b (100)",
        "Missed: By 1 of 2 models, with what each puts first: X: a",
        "Readings (2):\nA: b\nB: b",
    ), "an open case without flags or notes says nothing of them"


def test_what_the_page_of_a_case_ends_in_stands_on_the_list() -> None:
    """How stable it is, the reference, the models and what is useful next."""
    study, task = small_study(
        "ranking", "abc", [*CASES, ["a"] * 9], risk="LHM", predictions={"X": [[0.8, 0.1, 0.1]] * 4}
    )
    study = replace(study, cases=study.cases.assign(reference=["b", "c", "a", "a"]))
    rows = with_reviews(worklist_of(study, task, AGGREGATION), {})
    text = as_text(conference_note(study, task, AGGREGATION, rows, listed=(), made_on=""))
    told = re.split(r"^Case case \d$", text, flags=re.M)[1:]
    for index, words in enumerate(told):
        case = brief_of(open_case(study, task, AGGREGATION, index))
        assert set(case) > {ON_RECORD, FIRM}
        for name, answer in case.items():
            assert f"- {name}: {answer}" in words.replace(":\n  ", ": ").replace("\n  ", "\n"), (index, name)
        assert OF_MODELS in case
        assert (NEXT in case) == (index < 3)


def test_what_one_more_reader_would_do_is_told_as_on_the_page() -> None:
    """With its numbers; of a case that readings settle nobody is asked."""
    study, task = small_study("ranking", "abc", [["a", "a", "b"], ["a"] * 9], risk="LHM")
    open_one, settled = (open_case(study, task, AGGREGATION, index) for index in range(2))
    found = settle(open_one)
    assert found is not None
    rows = found.table[found.table["kind"] == ONE_MORE]
    assert len(rows) == 2
    lines = brief_of(open_one)[ONE_READER].splitlines()
    assert lines == [f"{head}. {words}" for head, words in zip(rows["head"], rows["sentence"], strict=True)]
    assert all(re.search(r"danger becomes \d+ of 100; after 3", line) for line in lines)
    assert ONE_READER not in brief_of(settled)
    sheet = as_text(conference_note(study, task, AGGREGATION, _rows(study, task), listed=(), made_on=""))
    assert sheet.count(f"- {ONE_READER}:\n  One more for ") == 1


def test_what_the_files_say_of_a_case_and_who_read_what_is_told() -> None:
    """Body site and age come first; a differential with its places; of a great many readings the first."""
    study, task = small_study("ranking", "abc", [["b a"] * (MOST_READINGS + 3), ["c"]], risk="LHM")
    cases = study.cases.assign(body_site=["foot", ""], age=[41, 30], image="x.png", reference=["a", "b"])
    study = replace(study, cases=cases, rater_ids=tuple(ascii_uppercase))
    rows = with_reviews(worklist_of(study, task, AGGREGATION), {})
    note = conference_note(study, task, AGGREGATION, rows, listed=(), made_on="")
    first, second = _items(note).values()
    files = [
        part.text for part in note.parts if isinstance(part, Words) and part.text.startswith(("B", "Age"))
    ]
    assert files == ["Body site: foot · Age: 41", "Age: 30"]
    (read,) = (words for words in first if words.startswith("Readings"))
    assert read.startswith(f"Readings ({MOST_READINGS + 3}):\nA: 1. b; 2. a\nB: 1. b; 2. a\n")
    assert read.endswith("\nand 3 more")
    assert read.count("\n") == MOST_READINGS + 1
    assert second[-1] == "Readings (1): A: c"


def test_flags_and_notes_stand_with_who_gave_them() -> None:
    """A name stands once where one person gave all reasons, else at each."""
    study, task = _study()
    subjects = [subject_of(study, task, case_id) for case_id in study.case_ids]

    def flag(place: int, who: str, reason: str) -> Event:
        return Event(subjects[place], who, "flag", {"reason": reason})

    events = [flag(0, "Ada", "odd"), flag(0, "Ada", "rare"), flag(1, "Ada", "odd"), flag(1, "Ben", "rare")]
    note = Event(subjects[0], "Ben", "note", {"text": "Ask the GP"})
    found = reviews_of([*events, note], task.name)
    rows = with_reviews(worklist_of(study, task, AGGREGATION), found)
    sheet = conference_note(study, task, AGGREGATION, rows, listed=(), made_on="", found=found)
    first, second, third = _items(sheet).values()
    assert first[-2] == "Flagged: odd; rare (Ada)"
    assert first[-1] == f"Noted: Ask the GP (Ben, {local_time(note)})"
    assert second[-1] == "Flagged: odd (Ada); rare (Ben)"
    assert not [words for words in third if words.startswith("Flagged")]


def test_what_matters_stands_first_and_in_bold() -> None:
    """Where accuracy misleads, that is said before all else; what follows begins with bold words."""
    cases = [["a", "a", "b", "c", "d"], ["b"] * 9]
    first = {"X": [[0.8, 0.1, 0.05, 0.05], [0.1, 0.8, 0.05, 0.05]]}
    study, task = small_study("choice", "abcd", cases, predictions=first)
    aggregation = Aggregation("label-counts", 1.0)
    rows = worklist_of(study, task, aggregation)
    note = conference_note(study, task, aggregation, rows, listed=(), made_on="")
    at, settled = (place for place, part in enumerate(note.parts) if isinstance(part, Heading))
    matters = misled_words(open_case(study, task, aggregation, 0))
    assert matters.startswith("Accuracy goes by majority vote: it counts X as right here")
    assert note.parts[at + 1] == Words(matters, "strong")
    assert isinstance(note.parts[settled + 1], Items), "where it does not, nothing is said"
    for lead in ("Leading", "Readings (5)", "How stable"):
        assert f'<li dir="auto"><strong>{lead}</strong>' in as_html(note)


def test_for_teaching_answers_stand_behind_all_cases() -> None:
    """Before them each case has what the files say and who read what; nothing is lost, nothing said twice."""
    study, task = _study()
    study = replace(study, cases=study.cases.assign(body_site=["foot", "hand", "arm"]))
    rows = _rows(study, task)
    beside, after = (
        conference_note(study, task, AGGREGATION, rows, listed=(), made_on="", answers_last=last)
        for last in (False, True)
    )
    at = next(i for i, part in enumerate(after.parts) if isinstance(part, Heading) and part.begins_page)
    asked, answers = (as_text(Note("", parts, ())) for parts in (after.parts[:at], after.parts[at:]))
    assert asked.count(f"{YOURS} {BY_HAND}") == len(rows) == asked.count("- Readings (")
    assert "Body site: foot" in asked
    for told in ("Leading", "Danger:", "Missed", "How stable", "Useful next", "Decided"):
        assert told not in asked
    assert answers.lstrip().startswith("Answers\n")
    assert "- Readings (" not in answers
    both = {part for part in beside.parts if isinstance(part, Items)}
    said = [line for part in both for line in part.lines]
    assert sorted(said) == sorted(line for p in after.parts if isinstance(p, Items) for line in p.lines)
    assert '<h2 dir="auto" class="page">Answers</h2>' in as_html(after)
    none = conference_note(study, task, AGGREGATION, rows.iloc[:0], listed=(), made_on="", answers_last=True)
    assert not [part for part in none.parts if isinstance(part, Heading)]


def test_order_and_lines_to_write_on() -> None:
    """Cases stand as they are listed, each with a line; title, date, notice and counting are there."""
    study, task = _study()
    rows = _rows(study, task).iloc[[2, 0, 1]]
    note = _note(rows)
    assert list(_items(note)) == ["case 2", "case 0", "case 1"]
    text = as_text(note)
    assert text.startswith("Cases for a conference: small\n")
    assert "Marked: 3 of 301 cases.\n\nFlagged.\n" in text
    assert text.count(f"\nDecided: {BY_HAND}\n") == 3
    assert as_html(note).count('<p dir="auto" class="blank">Decided:</p>') == 3
    assert note.foot[:2] == (f"{NOTICE} 3 May 2026.", reliability_words(AGGREGATION))
    assert note.foot[2].startswith("Made with Loupe ")
    plain, settings = note.foot[2].split(". Only needed to make the same list again: ")
    assert study.fingerprint in settings
    point = _note(_rows(study, task, AGGREGATION.point), AGGREGATION.point)
    assert point.foot[1] == "The point estimate is taken for the truth."
    for jargon in ("γ", "fingerprint", "seed", "prirn", "draws"):
        assert jargon not in " ".join([*note.foot[:2], plain])


@pytest.mark.parametrize("n", [MOST_CASES, MOST_CASES + 1, 1500])
def test_of_a_long_list_the_first_are_taken(n: int) -> None:
    """As many as there may be, and how many more there are."""
    study, task = small_study("ranking", "abc", [["a"]] * n)
    rows = worklist_of(study, task, AGGREGATION)
    note = conference_note(study, task, AGGREGATION, rows, listed=("All.",), made_on="")
    assert list(_items(note)) == [f"case {place}" for place in range(MOST_CASES)]
    left = f"These are the first {MOST_CASES}; {n - MOST_CASES:,} more are left out."
    assert (left in as_text(note)) == (n > MOST_CASES)
    assert ("left out." in as_text(note).partition("Certainty:")[0]) == (n > MOST_CASES)


def test_what_a_study_does_not_have_is_not_told() -> None:
    """Without risks and models, without reviews, and with nothing but ids."""
    study, task = small_study("ranking", "abc", CASES)
    rows = worklist_of(study, task, AGGREGATION)
    note = conference_note(study, task, AGGREGATION, rows, listed=("All.",), made_on="")
    said = _items(note)
    assert said["case 2"] == ("Leading: b, certainty 100 of 100", "Readings (2):\nA: b\nB: b")
    assert said["case 1"][0].startswith("Leading: b or c, tied, certainty ")
    assert not re.search("risk|danger", as_text(note), re.I)
    assert note.foot[0] == NOTICE
    bare = _items(_note(rows[[]]))
    assert [texts[0] for texts in bare.values()] == ["Leading: none"] * 3
    assert [len(texts) for texts in bare.values()] == [2, 2, 2], "and who read what"


def test_a_point_estimate_claims_no_certainty() -> None:
    """It says so once, and no share stands at a case."""
    study, task = _study()
    point = replace(AGGREGATION, reliability=float("inf"))
    note = _note(_rows(study, task, point), point)
    assert "A point estimate says nothing about certainty" in as_text(note)
    assert " of 100" not in " ".join(text for texts in _items(note).values() for text in texts)
    assert _items(note)["case 2"][0] == "Leading: b (high risk)"


def test_words_of_the_data_are_no_markup() -> None:
    """Labels, notes, flags, ids and names stand as they were written."""
    study, task = _study()
    study = replace(study, case_ids=("<img src=x>", *study.case_ids[1:]), rater_ids=("<i>R</i>", "B", "C"))
    rows = _rows(study, task).iloc[:1]
    rows.loc[:, ["leading", "high_risk_label", "models_missing", "flags", "notes"]] = [
        *("<i>L</i>", "<i>H</i>", "<i>M</i>", "<i>F</i>", "<script>alert(1)</script>"),
    ]
    hostile = replace(study, name="<u>S</u>")
    page = as_html(
        conference_note(hostile, task, AGGREGATION, rows, listed=("<b>all</b>",), made_on="<b>now</b>")
    )
    assert not set(re.findall(r"<(\w+)", page)) & {"i", "b", "u", "script", "img"}
    for words in ("L", "H", "M", "F", "R"):
        assert f"&lt;i&gt;{words}&lt;/i&gt;" in page
    assert "&lt;script&gt;alert(1)" in page
    assert "&lt;img src=x&gt;" in page


def test_of_no_case_nothing_is_said() -> None:
    """What is listed still stands there, and what made it."""
    study, task = _study()
    note = _note(_rows(study, task).iloc[:0])
    assert _items(note) == {}
    assert "Decided" not in as_text(note)
    assert "Marked: 3 of 301 cases." in as_text(note)
    assert note.foot[0].startswith(NOTICE)
