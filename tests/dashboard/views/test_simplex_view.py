"""What stands beneath the triangle of a case, and what stands in its place where there is none."""

from __future__ import annotations

import re

import pytest
from small_study import small_study
from streamlit.testing.v1 import AppTest

from core.analysis.cases.case import open_case
from core.analysis.cases.simplex import others, simplex_of
from core.analysis.cases.what_if import WhatIf
from core.analysis.cases.what_if_text import to_text
from core.plausibility.settings import Aggregation
from core.study.reading.folder import read_study
from dashboard.shell import steps, studies
from dashboard.views.cases.simplex import caption, missing_words


@pytest.mark.parametrize(("n_labels", "gamma"), [(3, 1.0), (6, 1.0), (6, float("inf"))])
def test_what_other_labels_hold_is_said(n_labels: int, gamma: float) -> None:
    """Dots stand by the shares of three labels among themselves; not said where the others have nothing."""
    study, task = small_study("choice", "abcdef"[:n_labels], [list("aabbccdef"[: n_labels + 3])])
    simplex = simplex_of(open_case(study, task, Aggregation("label-counts", gamma), 0), 3)
    assert simplex is not None
    words = caption(simplex)
    left = float(others(simplex.mean))
    assert ("Left out here: 3 labels that readings name, with " in words) == (n_labels > 3)
    assert "nobody named" not in words
    if n_labels > 3:
        assert re.search(r"with (\d+)", words)[1] == f"{100 * left:.0f}"
    assert words.startswith("Each dot is one of 300 plausible truths:") == (gamma == 1.0)


def test_labels_that_nobody_named_are_said_to_be_such() -> None:
    """By hand: beside half a reading each, four labels with one reading and two without have 7 together."""
    study, task = small_study("choice", "abcdef", [list("abcd"), list("abc")])
    named, plain = (
        caption(found)
        for index in range(2)
        if (found := simplex_of(open_case(study, task, Aggregation("label-counts", 1.0), index), 3))
    )
    assert named.endswith(
        f"Left out here: 1 label that readings name, with {150 / 7:.0f}\u00a0% on average, and 2 labels that "
        f"nobody named, with {100 / 7:.0f}\u00a0% together."
    )
    assert plain.endswith("Left out here: 3 labels that nobody named, with 25\u00a0% together on average.")


def test_danger_that_has_no_corner_is_named() -> None:
    """With how often it leads: a second one; of the likeliest, which has one, nothing is said."""
    said = []
    for labels, readings, risk in (("abcde", "aaabbbcccdddee", "LMLHH"), ("abcd", "aaabbbcccdd", "LMLH")):
        study, task = small_study("choice", labels, [list(readings)], risk=risk)
        simplex = simplex_of(open_case(study, task, Aggregation("label-counts", 1.0), 0), 3)
        assert simplex is not None
        said.append(caption(simplex))
    cut, shown = said
    assert re.search(r" Not drawn: e, high risk, leads in \d+ of 100\.", cut), cut
    assert "Not drawn" not in shown
    assert shown.startswith(
        "Each dot is one of 300 plausible truths: the nearer to a corner, the stronger its label"
    )


def _script() -> None:
    from dashboard.shell import sidebar, state
    from dashboard.views.cases import page as cases

    state.read_address()
    cases.show(sidebar.choose())
    state.write_address()


def test_changed_readings_without_a_triangle_say_why(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where all but one are left out, too few labels are named."""
    monkeypatch.setattr(steps.Steps, "compute_ahead", lambda self, around: None)
    folder = studies.samples()[0].folder
    assert folder is not None
    study = read_study(folder)
    (task,) = study.tasks.values()
    start, label = task.readings.entry_start, task.readings.label
    alone = [r for r in range(task.readings.n_readings) if len(set(label[start[r] : start[r + 1]])) < 3]
    index = int(task.readings.case[alone[0]])
    first = int((task.readings.case == index).argmax())
    off = frozenset({*range(int(task.readings.per_case[index]))} - {alone[0] - first})
    test = AppTest.from_function(_script, default_timeout=300)
    for name, value in {
        "study": studies.SAMPLE,
        "model": "prirn",
        "case": study.case_ids[index],
        "case_part": "truths",
        "what_if": to_text(study, task, index, WhatIf(off=off)),
    }.items():
        test.query_params[name] = value
    test.run()
    assert not test.exception
    words = " ".join(element.proto.body for element in test.get("html"))
    named = len(set(label[start[alone[0]] : start[alone[0] + 1]]))
    assert missing_words(named) in words
    assert "it takes 3 labels" in words
