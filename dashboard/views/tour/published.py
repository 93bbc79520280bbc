"""The case that the tour begins with: what six readers wrote, and what becomes of it."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import streamlit as st

from core.analysis import tour_case, tour_truths
from core.analysis.cases.presets import HIGH_RISK_BEHIND, PRESETS
from core.analysis.tour import same_case
from core.study.model import Study
from dashboard.components.text import element
from dashboard.shell import cache, state, studies
from dashboard.views.tour import danger, onward
from sample_data.supported import TRUTHS


def show() -> None:
    """Show the lists beside what they leave open, say what a vote makes of them, and offer the case."""
    study = danger.sample()
    with st.container(key="tour-case"):
        with st.container(key="tour-case-head", horizontal=True, vertical_alignment="center"):
            element("h2", tour_case.HEAD, role="tour-case")
            onward.button(
                "Open the case",
                open_case,
                first=False,
                is_how="In the open study if it has this case, with the model and reliability chosen there; "
                "otherwise in the sample. Search and filters are cleared.",
            )
            onward.button(
                tour_case.ALIKE,
                open_alike,
                first=False,
                is_how=f"The list “{PRESETS[HIGH_RISK_BEHIND].short}” of the same study: "
                f"{PRESETS[HIGH_RISK_BEHIND].brief[:1].lower()}{PRESETS[HIGH_RISK_BEHIND].brief[1:]}",
            )
        st.html(
            f'<div class="loupe-text tour-case">{_lists(tour_case.lists_of(study))}'
            f'<div class="tour-said"><p class="tour-explained">{escape(tour_case.EXPLAINED)}</p>'
            f"{_examples(study)}</div>"
            f"{_left_open(tour_case.leads_of(study))}"
            f'<p class="tour-errs">{escape(tour_case.COUNTED_WRONG)}</p></div>'
        )


def _lists(lists: Sequence[Sequence[Sequence[tuple[str, bool]]]]) -> str:
    """What each reader names, in order, and where it was published; ties stand in one place."""
    items = "".join(f"<li>{_list(one)}</li>" for one in lists)
    return f'<div class="tour-read"><ol class="tour-lists">{items}</ol>{_caption(tour_case.SOURCE)}</div>'


def _caption(words: str) -> str:
    """Small words beneath what they explain."""
    return f'<p class="loupe-note">{escape(words)}</p>'


def _list(places: Sequence[Sequence[tuple[str, bool]]]) -> str:
    """A list, place by place; a danger is marked."""
    said = (
        [f"<b>{escape(label)}</b>" if is_danger else escape(label) for label, is_danger in place]
        for place in places
    )
    return " ".join(
        f'<span class="tour-place"><i>{number}.</i>\u00a0{", ".join(labels)}'
        f"{'<i>, tied</i>' if len(labels) > 1 else ''}</span>"
        for number, labels in enumerate(said, start=1)
    )


def _examples(study: Study) -> str:
    """Two plausible truths, as they were drawn, each as a bar with its words."""
    items = "".join(
        f'<li><span class="tour-truth" aria-hidden="true">{_pieces(study, truth)}</span>'
        f"<span><strong>{begin}:</strong> {_lettered(tour_truths.truth_in_words(truth), study)}</span></li>"
        for begin, truth in zip(
            ("One plausible truth", "Another"), tour_truths.kept_truths(study, TRUTHS), strict=True
        )
    )
    return f'<ul class="tour-truths">{items}</ul>'


def _pieces(study: Study, truth: tour_truths.Truth) -> str:
    """Pieces of a bar, each as wide as its label is likely."""
    return "".join(
        f'<i data-level="{piece.letter}" style="flex-grow: {piece.share:.4f}"></i>'
        for piece in tour_truths.truth_in_pieces(study, truth)
    )


def _lettered(words: str, study: Study) -> str:
    """Put the letter of its level before the first mention of each label, in the colour of its piece."""
    shown = escape(words)
    for label, letter, *_ in tour_case.leads_of(study):
        named = f'<span class="tour-named">{_letter(letter)}{escape(label)}</span>'
        shown = shown.replace(escape(label), named, 1)
    return shown


def _left_open(leads: Sequence[tuple[str, str, int, str]]) -> str:
    """Which label leads how often, as bars, and what these are."""
    bars = "".join(
        f"<li><span>{_letter(letter)}{escape(label)}</span>"
        f'<span class="tour-bar" aria-hidden="true"><i data-level="{letter}" style="width: {often}%"></i>'
        f'</span><span class="tour-often">{escape(words)}</span></li>'
        for label, letter, often, words in leads
    )
    return (
        f'<div class="tour-counted"><p>{escape(tour_case.LEFT_OPEN)}</p>'
        f'<ul class="tour-open">{bars}</ul><p class="tour-no-chance">{escape(tour_case.NO_CHANCE)}</p>'
        f"{_caption(tour_case.LEFT_BY)}</div>"
    )


def _letter(letter: str) -> str:
    """Letter of a level in its colour; nothing where there is none."""
    return f'<b data-level="{letter}" aria-hidden="true">{letter}</b> ' if letter else ""


def open_case() -> None:
    """Open the case in the study that is loaded where that has it, else in the sample.

    Model and reliability stay as they are chosen where the study does. What would keep the case out of the
    list, and another reading of it, are taken back.
    """
    source, task, case_id = _where()
    chosen = {**state.NO_FILTER, **state.reset_by("case"), "preset": "", "where": "", "case": case_id}
    state.lead_to("cases", **chosen, **_opened(source, task))


def open_alike() -> None:
    """Open the list of cases in which, as in this one, a danger is plausible and another label leads."""
    source, task, _ = _where()
    state.lead_to(
        "cases", **state.ALL_CASES | {"preset": HIGH_RISK_BEHIND, "where": ""}, **_opened(source, task)
    )


def _where() -> tuple[studies.Source, str, str]:
    """Study, task and name of the case: in the study that is loaded where that has it, else in the sample."""
    known, source = danger.sample(), onward.loaded()
    loaded = cache.open_source(source).study
    found = None if loaded is None else same_case(loaded, known, tour_case.CASE)
    if found is not None:
        return source, *found
    return studies.sources()[studies.SAMPLE], next(iter(known.tasks)), tour_case.CASE


def _opened(source: studies.Source, task: str) -> dict[str, str]:
    """What opens a study at a task; nothing where it is open already."""
    now = onward.loaded()
    if source.key == now.key and task == onward.task_name(cache.open_source(now).study):
        return {}
    return {"study": source.key, "task": task}
