"""Entry of the dashboard: navigation by purpose, sidebar, footer, and nothing else."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from core.streamed.aggregates import are_some
from dashboard.components.contents import contents
from dashboard.components.text import element
from dashboard.shell import last_page, sidebar, state, theme, veil, widgets


def _with_report(show: Callable[[sidebar.Chosen], None], chosen: sidebar.Chosen) -> None:
    """Draw a page, and the way to a report of what is chosen there."""
    from dashboard.views import in_parts, report_panel

    if chosen.study is None and chosen.opened is not None and chosen.opened.in_parts is not None:
        in_parts.ask(chosen.opened.in_parts)
        return
    show(chosen)
    report_panel.offer(chosen)


def _tour() -> None:
    from dashboard.views.tour import page as tour

    tour.show()


def _study() -> None:
    from dashboard.views.study import page as study

    _with_report(study.show, sidebar.choose())


def _study_by_name() -> None:
    """Answer at /study as well: the page lives at the root, where the first visit leads."""
    state.open_page("study")


def _cases() -> None:
    from dashboard.views.cases import page as cases

    _with_report(cases.show, sidebar.choose())


def _review() -> None:
    from dashboard.views.review import page

    _with_report(page.show, sidebar.choose(all_cases=True))


def _reliability() -> None:
    from dashboard.views.reliability import page as reliability

    _with_report(reliability.show, sidebar.choose())


def _models() -> None:
    from dashboard.views.models import page as models

    _with_report(models.show, sidebar.choose())


def _disagreement() -> None:
    from dashboard.views.disagreement import page as disagreement

    _with_report(disagreement.show, sidebar.choose())


def _raters() -> None:
    from dashboard.views.raters import page

    _with_report(page.show, sidebar.choose())


def _say_what_counts(*, on_review: bool) -> None:
    """Say on top of a page whose readings of which cases it shows, where these are not all that there are."""
    if are_some(state.counted()):
        words = f"Shown here: {state.counted()}. Numbers of all cases stand on top of the page Study."
        element("p", words, role="warning")
    elif state.counted() and not on_review:
        element("p", f"Counted here: {state.counted()}.", role="note")


def main() -> None:
    """Draw the page that is asked for."""
    st.set_page_config("Loupe", page_icon=theme.ICON, layout="wide", initial_sidebar_state="auto")
    theme.apply()
    state.read_address()
    tour = st.Page(_tour, title="Tour", url_path="tour")
    study = st.Page(_study, title="Study", default=True)
    study_by_name = st.Page(_study_by_name, title="Study", url_path="study", visibility="hidden")
    cases = st.Page(_cases, title="Cases", url_path="cases")
    review = st.Page(_review, title="Review", url_path="review")
    reliability = st.Page(_reliability, title="Reliability", url_path="reliability")
    models = st.Page(_models, title="Models", url_path="models")
    disagreement = st.Page(_disagreement, title="Disagreement", url_path="disagreement")
    raters = st.Page(_raters, title="Raters", url_path="raters")
    state.keep_pages(
        {
            "tour": tour,
            "study": study,
            "cases": cases,
            "review": review,
            "reliability": reliability,
            "raters": raters,
            "models": models,
        }
    )
    page = st.navigation(
        {
            "Start here": [tour],
            "What is known": [study, study_by_name, raters],
            "For clinicians": [cases, review],
            "For researchers": [reliability, models, disagreement],
        }
    )
    st.set_page_config(f"{page.title} · Loupe")
    widgets.enter(page.url_path)
    last_page.remember(page.url_path)
    state.follow_lead(page.url_path)
    if page.url_path != study.url_path:
        state.ask_for_another(False)
    contents()
    warnings = st.container()
    with veil.of_other_study():
        page.run()
    with warnings:
        _say_what_counts(on_review=page.url_path == review.url_path)
        for note in dict.fromkeys(state.notes()):
            element("p", note, role="warning")
    with st.container(key="footer"):
        element("p", "Loupe. Research use, not for diagnosis.", role="note")
    state.write_address()


if __name__ == "__main__":
    main()
