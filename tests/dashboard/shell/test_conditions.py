"""A condition on the cases: in force on every page, said there, and in no way of anybody's reading."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from page_script import page_script
from streamlit.testing.v1 import AppTest

from core.cli import sample_folder
from core.reviews.author import remember_author
from core.reviews.event import readings_hash
from core.reviews.rounds import rounds_of
from core.reviews.store import ReviewStore, default_address
from core.study.narrowed import narrowed
from core.study.reading.folder import read_study
from dashboard.components.picture import KEPT
from dashboard.shell import cache, studies

WHERE = 'site == "Lakeside" and age > 40'
SAID = "36 of 300 cases: site == &quot;Lakeside&quot; and age &gt; 40"


pytestmark = pytest.mark.usefixtures("quiet")


def _open(page: str, *, study: str = "knee_mri", **address: str) -> AppTest:
    test = AppTest.from_function(page_script, args=(page,), default_timeout=300)
    test.session_state[KEPT] = {}
    test.query_params["case_part"] = "all"
    for name, value in {"study": study, **address}.items():
        test.query_params[name] = value
    return test.run()


def _words(test: AppTest) -> str:
    return " ".join(part.proto.body for part in test.get("html"))


def _made(test: AppTest) -> list[dict[str, str]]:
    """What made each picture of a page."""
    kept: dict[str, tuple[Any, ...]] = test.session_state[KEPT]
    return [dict(made) for *_, made in kept.values()]


@pytest.mark.parametrize("page", ["study", "cases", "reliability", "models", "disagreement", "raters"])
def test_a_page_shows_the_cases_alone_and_says_so(page: str) -> None:
    """On top, with a button that shows all again, and with every picture."""
    test = _open(page, where=WHERE)
    assert not test.exception
    assert SAID in _words(test)
    kept = narrowed(read_study(sample_folder("knee_mri")), WHERE)
    made = _made(test)
    assert made
    assert all(one["only cases where"] == WHERE for one in made)
    assert {one["fingerprint"] for one in made} == {kept.fingerprint}
    if page == "cases":
        test.button(key="condition-off").click().run()
        assert "All 300 cases." in _words(test)
        assert "where" not in test.query_params
        assert not any("only cases where" in one for one in _made(test))


@pytest.mark.parametrize(
    ("where", "fault"),
    [
        ("sit == 3", "At character 1: a column of cases.csv"),
        ('site == "Nowhere"', "None of 300 cases fulfils it."),
    ],
)
def test_a_condition_that_cannot_hold_leaves_all_cases_and_says_why(where: str, fault: str) -> None:
    """On the page and beneath the field; nothing of it stands in what is saved."""
    test = _open("study", where=where)
    assert not test.exception
    assert (
        f"All 300 cases: the condition {where.replace(chr(34), '&quot;')} is not in force. {fault}"
        in _words(test)
    )
    assert _words(test).count(fault) == 2
    assert not any("only cases where" in one for one in _made(test))


def test_another_study_has_no_condition(tmp_path: Path) -> None:
    """It speaks of columns of the one that is left."""
    test = _open("study", where=WHERE)
    test.selectbox(key="choose-study").set_value("toy_three_labels").run()
    assert not test.exception
    assert "where" not in test.query_params
    assert "Show all cases" not in [button.label for button in test.button]


def test_a_case_outside_is_said_and_another_opened() -> None:
    """A link may name a case that the condition leaves out."""
    test = _open("cases", where=WHERE, case="knee-001")
    assert test.session_state["loupe-notes"] == [
        f"“knee-001” is not among the cases where {WHERE}: another is opened."
    ]
    assert test.query_params["case"] != ["knee-001"]


def test_what_is_written_of_a_case_is_of_the_published_study() -> None:
    """With the fingerprint of all cases, and the readings of the case itself."""
    remember_author("Ada")
    study = read_study(sample_folder("knee_mri"))
    test = _open("cases", where=WHERE, case="knee-105")
    test.button(key="review-re-read").click().run()
    assert not test.exception
    store = ReviewStore(default_address())
    (event,) = store.events(study_name=study.name)
    store.close()
    subject = event.subject
    index = study.case_ids.index("knee-105")
    assert (subject.study, subject.case_id) == (study.fingerprint, "knee-105")
    assert subject.readings == readings_hash(study, study.tasks["tear"], index)


def test_a_round_is_made_of_the_cases_and_read_whole_whatever_holds_later() -> None:
    """The worklist that a round is made from is the one of Cases; no condition hides what is to be read."""
    remember_author("Ada")
    test = _open("review", where=WHERE)
    test.radio(key="round-which").set_value("listed").run()
    assert any("The 36 cases that the worklist lists" in one for one in test.radio(key="round-which").options)
    test.text_input(key="round-name").set_value("Lakeside")
    next(button for button in test.button if button.label == "Make the round of 36 cases").click().run()
    assert not test.exception
    store = ReviewStore(default_address())
    (of,) = rounds_of(store.events(study_name=read_study(sample_folder("knee_mri")).name)).values()
    store.close()
    assert len(of.cases) == 36
    later = _open("review", where='site == "North"', round="Lakeside", round_case=of.cases[3])
    assert not later.exception
    assert of.cases[3] in _words(later)


def test_conditions_that_keep_the_same_cases_are_told_apart() -> None:
    """The numbers are the same; what made them is said with each as it was written."""
    study = read_study(sample_folder("toy_three_labels"))
    asked: list[str] = []

    @cache.cached()
    def said(of: object) -> str:
        asked.append(of.condition)  # type: ignore[attr-defined]
        return asked[-1]

    one, other = narrowed(study, "x<0"), narrowed(study, "x < 0")
    assert one.fingerprint == other.fingerprint
    assert [said(of) for of in (one, other, one)] == ["x<0", "x < 0", "x<0"]
    assert len(asked) == 2


@pytest.mark.parametrize("page", ["study", "cases", "reliability", "raters"])
def test_cases_that_nobody_read_for_the_task_are_said(page: str, tmp_path: Path) -> None:
    """A condition may leave a task without a reading; each page stands."""
    rows = ["case_id,rater_id,label,task,rank", "1,a,x,one,1", "1,b,y,one,1", "2,a,p,two,1", "2,a,q,two,2"]
    settings = 'name = "S"\n[tasks.one]\nkind = "choice"\n[tasks.two]\nkind = "ranking"\n'
    (tmp_path / "study.toml").write_text(settings)
    (tmp_path / "annotations.csv").write_text("\n".join(rows))
    key = studies.add_folder(tmp_path).key
    for task, case_id in (("one", "2"), ("two", "1")):
        test = _open(page, study=key, task=task, where=f'case_id == "{case_id}"')
        assert not test.exception
        if page == "raters":
            assert [one.value for one in test.info] == [
                "None of these cases was read, so nothing can be said of raters."
            ]
