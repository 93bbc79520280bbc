"""What a case comes to, a line for each question."""

from __future__ import annotations

import re

from small_study import small_study
from streamlit.testing.v1 import AppTest

from core.analysis.cases.settle import Settle
from core.analysis.cases.what_if import WhatIf
from core.plausibility.settings import Aggregation
from dashboard.shell import studies
from dashboard.views.cases.brief import rows
from dashboard.views.cases.tables import case_tables

PL = Aggregation("plackett-luce", 1.0)


def _rows(
    readings: list[str],
    *,
    risk: str = "LMH",
    at: Aggregation = PL,
    action: str = "",
    answers: dict[str, list[list[float]]] | None = None,
) -> dict[str, str]:
    """The lines of a case with these readings of a, b and c."""
    study, task = small_study("choice", "abc", [readings], risk=risk, predictions=answers or {})
    tables = case_tables(study, task, at, 0, WhatIf())
    return rows(tables, Settle("", tables.plausibility, True, action) if action else None)


def test_each_question_has_its_line() -> None:
    """Models, how stable the answer is, and last what would be useful next, begun as sentences."""
    answers = {"A": [[0.9, 0.05, 0.05]], "B": [[0.8, 0.0, 0.2]]}
    said = _rows(["a", "c"], action="ask one more.", answers=answers)
    assert list(said)[-2:] == ["How stable", "Useful next"]
    assert said["Useful next"] == "Ask one more."
    assert said["How stable"] == (
        "Depends on two readers: without B, danger falls from 43 to 9 of 100; without A, it rises to 81."
    )
    assert said["Models"].startswith("No model warns of danger; B has c second (20")
    assert "A is 90" in said["Models"]


def test_a_case_that_hangs_on_nothing_says_how_often_the_label_leads() -> None:
    """And without models, or what to do, there are no such lines."""
    said = _rows(list("aaaaaaaa"))
    assert set(said) == {"How stable"}
    assert said["How stable"].startswith("Whichever reader is left out, a still leads")


def test_one_reading_is_said_to_be_all() -> None:
    """What a case rests on and that nobody else read it stand together."""
    assert _rows(["a"])["How stable"] == "Rests on one reading: nobody else has read this case."


def test_nothing_is_said_of_a_case_that_nobody_read() -> None:
    """There is no line without an answer."""
    assert _rows([]) == {}


def test_riskier_first_choices_are_said() -> None:
    """Where first choices alone would put a label of higher risk in front of the one that leads."""
    readings = ["c b", "c b", "b", "a b", "b a"]
    study, task = small_study("ranking", "abc", [readings], risk="LMH")
    tables = case_tables(study, task, PL, 0, WhatIf())
    assert tables.other_first is not None
    assert tables.other_first.is_riskier
    assert rows(tables, None)["First choices"] == tables.other_first.alone
    assert "c (high risk)" in tables.other_first.alone


def _script() -> None:
    from dashboard.views.cases import brief

    brief.show({"Models": "<b>x</b>", "Useful next": "Ask."})
    brief.show({})


def test_words_are_text_and_the_last_line_is_marked() -> None:
    """Names of models and labels are no HTML; where there is no line a place stays."""
    test = AppTest.from_function(_script, default_timeout=300).run()
    assert not test.exception
    first, empty = (one.proto.body for one in test.get("html"))
    assert "&lt;b&gt;x" in first
    assert "<b>x" not in first
    assert '<div class="loupe-next"><dt>Useful next</dt>' in first
    assert "dl" not in empty


def _page() -> None:
    from dashboard.shell import sidebar, state
    from dashboard.views.cases import page as cases

    state.read_address()
    cases.show(sidebar.choose())


def _words_of(case: str, **more: str) -> str:
    """All words of the part *Models* of a case of the sample."""
    test = AppTest.from_function(_page, default_timeout=300)
    for name, value in {"study": studies.SAMPLE, "case": case, "case_part": "models", **more}.items():
        test.query_params[name] = value
    test.run()
    assert not test.exception
    return " ".join(one.proto.body for one in test.get("html"))


def test_whom_accuracy_counts_right_stands_in_the_box_or_beneath_the_models() -> None:
    """In the box where the label with most votes is in doubt; never in both."""
    doubted, certain = _words_of("derm-153"), _words_of("derm-289")
    in_box = "<dt>Most votes</dt>"
    assert in_box in doubted
    assert in_box not in certain
    assert doubted.count("so accuracy depends on how the tie is broken") == 1
    assert certain.count("plain accuracy counts") == 1
    assert (
        "Most votes: Lichen planus/lichenoid eruption, so plain accuracy counts all 4 models as right."
        in certain
    )


def test_a_reference_and_what_is_useful_next_are_one_piece_of_advice() -> None:
    """A reference by readers settles nothing, and nobody has to find out what the study says."""
    words = _words_of("derm-153")
    (next_step,) = re.findall(r"<dt>Useful next</dt><dd[^>]*>(.*?)</dd>", words)
    assert re.match(
        r"Biopsy first, for Melanoma \(\d+ of 100\)\. One more reader does not replace", next_step
    )
    by = "It was established by readers alone, as the readings are: it proves no more than they do.</dd>"
    assert by in words
    assert "outweighs" not in words


def test_a_model_by_which_the_list_is_asked_for_is_told_first() -> None:
    """With what it puts first, and the danger behind it; where none or any is asked for, as ever."""
    asked, plain, of_any = (
        re.findall(r"<dt>Models</dt><dd[^>]*>(.*?)</dd>", _words_of("derm-252", **more))[0]
        for more in ({"missed_by": "Model A"}, {}, {"missed_by": "*"})
    )
    own, others = re.fullmatch(
        r"(Model A puts Drug Rash first \(\d+\u00a0%\), Urticaria second \(\d+\u00a0%\): no warning of "
        r"danger\.) (.*)",
        asked,
    ).groups()
    assert "Model A" not in others
    assert others.startswith("Models\u00a0C\u00a0and\u00a0D say Drug Rash: no warning of danger. B warns.")
    assert plain.startswith(
        "Models\u00a0A,\u00a0C\u00a0and\u00a0D say Drug Rash: no warning of danger. B warns."
    )
    assert plain.partition(". B warns.")[2] == others.partition(". B warns.")[2]
    assert of_any == plain
    assert own not in plain


def test_a_case_in_which_accuracy_misleads_says_so_at_its_top() -> None:
    """Whichever list it is opened from; the vote is told beneath the models then, and not in the box."""
    words = _words_of("derm-031")
    top, rest = words.split('<dl class="loupe-text loupe-brief">')
    said = (
        "Accuracy goes by majority vote: it counts Models\u00a0C\u00a0and\u00a0D "
        "as right here for saying Melanocytic Nevus"
    )
    assert f'loupe-misled">{said}' in top
    assert "<dt>Most votes</dt>" not in rest
    assert "Most votes: Melanocytic Nevus" in rest
    assert 'loupe-misled">' not in _words_of("derm-153")
