"""What stands on a page about models where a study has none: what would be there, and the way to it."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from io import StringIO
from itertools import islice

import streamlit as st

from core.study.model import Study, Task
from dashboard.components.text import AT_SCREEN, element
from dashboard.shell import sidebar, state
from dashboard.views import parts

WITHOUT = {
    "reliability": "How certain is the truth, by how far the raters are trusted?",
    "raters": "How far do the raters agree, and how many are needed?",
    "cases": "Which cases are least certain, and why?",
}
"""What other pages answer without a model, by the name of the page."""
_HEAD = ("case_id", "model", "label", "probability")
_NAMED = 20
"""First entries of the readings among which labels are looked for that somebody named."""


def show(chosen: sidebar.Chosen, study: Study, task: Task, *, answers: Sequence[str], like: str) -> None:
    """Say what would be here, what to add, and what can be done without.

    ``answers`` are questions that the page answers; ``like`` is the sample that shows how.
    """
    predicted = [name for name, of in study.tasks.items() if of.predictions]
    if predicted:
        _other_tasks(task, predicted)
        return
    element("p", "This study has no predictions. With one table of them, this page answers:", role="sentence")
    with st.container(gap="xsmall"):
        for question in answers:
            element("p", f"•\u2002{question}")
    if st.button("See these answers for a sample", key="models-of-sample"):
        state.change(study=like)
        st.rerun()
    with st.container(key="wide"):
        parts.beside(lambda: _add(chosen, study, task), _without, widths=(6, 5))


def _other_tasks(task: Task, predicted: list[str]) -> None:
    """Offer the tasks of the study that models predict."""
    element("p", f"No model predicts “{task.name}”. Other tasks of this study have predictions.")
    key = "predicted-task"
    st.selectbox(
        "Compare the models of",
        predicted,
        index=None,
        placeholder="Choose a task",
        key=key,
        on_change=lambda: state.change(task=st.session_state.get(key) or task.name),
        width=320,
    )


def _add(chosen: sidebar.Chosen, study: Study, task: Task) -> None:
    """Say which file to add, with first rows of it."""
    parts.head("What to add: predictions.csv")
    parts.note(
        "A row for each case, model and label. The probabilities of a case add up to 1; a label that is "
        "left out counts as 0.",
        at_screen="For this study:",
    )
    with st.container(key=f"{AT_SCREEN}-example"):
        st.code(example(study, task), language=None)
    if chosen.source.folder is None:
        parts.note("", at_screen="Drop it where annotations.csv was dropped, beside that.")
        if st.button("Drop predictions.csv", key="drop-predictions"):
            state.ask_for_another(True)
            state.open_page("study")
        return
    parts.note(
        "It belongs into the study's folder, beside annotations.csv. A table of each model in a folder "
        "predictions, with a column of probabilities for each label, will do as well.",
        at_screen="Then reload this page.",
    )


def example(study: Study, task: Task) -> str:
    """First rows of a table of predictions, with a case and labels of the study."""
    named = [task.labels[k] for k in task.readings.label[:_NAMED]]
    labels = list(islice(dict.fromkeys([*named, *task.labels]), 2))
    tasks = (["task"], [task.name]) if len(study.tasks) > 1 else ([], [])
    content = StringIO()
    writer = csv.writer(content, lineterminator="\n")
    writer.writerow([*_HEAD, *tasks[0]])
    for label, probability in zip(labels, ("0.7", "0.3") if len(labels) > 1 else ("1",), strict=True):
        writer.writerow([study.case_ids[0], "my model", label, probability, *tasks[1]])
    return content.getvalue().rstrip("\n")


def _without() -> None:
    """Lead to pages that need no model."""
    parts.head("What this study answers without models")
    for page, question in WITHOUT.items():
        if st.button(question, key=f"finding-without-{page}", type="tertiary"):
            state.open_page(page)
