"""Every choice made one that can be had: of the studies that are known, and of what the study has."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from pandas.api.types import is_numeric_dtype

from core.analysis.cases.select import ANY_MODEL, EVERY_MODEL, parse_span
from core.plausibility.settings import MODELS, Aggregation, default_aggregation, models_for
from core.study.model import Study, Task
from dashboard.shell import state, studies


def settle_source(read: Callable[[studies.Source], Study | None]) -> studies.Source:
    """Return the study that is chosen, or the first that can be opened.

    One that a link names by what it holds is looked for among those that ``read`` opens.
    """
    known = studies.sources()
    chosen = state.view().study
    if chosen.startswith(studies.SHARED):
        return _settle_shared(chosen, known, read)
    if chosen not in known:
        first = next(iter(known))
        if chosen:
            note = (
                f"The address asks for the study “{chosen}”, which has not been opened on this computer. "
                "If it is a folder here, open it under Study; another study is shown."
            )
            state.fall_back(note, study=first, **state.reset_by("study"))
        else:
            state.fall_back(study=first)
    return known[state.view().study]


def _settle_shared(
    asked: str, known: Mapping[str, studies.Source], read: Callable[[studies.Source], Study | None]
) -> studies.Source:
    """Find the study that a shared link names by what it holds, or the first that can be opened."""
    fingerprint, _, name = asked.removeprefix(studies.SHARED).partition(":")
    opened = {key: read(known[key]) for key in known if known[key].is_own}
    same = [key for key, study in opened.items() if study and study.fingerprint == fingerprint]
    namesakes = [key for key, study in opened.items() if study and study.name == name]
    if same:
        state.fall_back(study=same[0])
    elif namesakes:
        state.fall_back(
            f"The link was made when the files of “{name}” were not as they are here: it may list other "
            "cases now.",
            study=namesakes[0],
        )
    else:
        note = (
            f"The link asks for the study “{name}”, which is not open in this Loupe. Open it under Study, "
            "then follow the link again; another study is shown."
        )
        state.fall_back(note, study=next(iter(known)), **state.reset_by("study"))
    return known[state.view().study]


def settle(study: Study, whole: Study) -> tuple[Task, Aggregation]:
    """Make every choice one that the study allows; return its task and how its readings are aggregated.

    Cases may be chosen that are in the ``whole`` study and not among those that are looked at now.
    """
    if state.view().task not in study.tasks:
        _replace_unknown("task", state.view().task, next(iter(study.tasks)))
    task = study.tasks[state.view().task]
    suitable = models_for(task)
    if state.view().model not in suitable:
        _replace_unknown("model", state.view().model, default_aggregation(task).model)
    if state.view().against and state.view().against not in suitable:
        _replace_unknown("against", state.view().against, "")
    if state.view().against == state.view().model:
        state.fall_back(against="")
    if state.view().case and state.view().case not in state.positions(whole):
        _replace_unknown("case", state.view().case, "")
    state.keep_known("label", task.labels)
    state.keep_known("expert_says", task.labels)
    state.keep_known("wrong", (ANY_MODEL, *task.probability_models))
    state.keep_known("missed_by", (ANY_MODEL, EVERY_MODEL, *task.probability_models))
    state.keep_known("only", state.positions(whole))
    state.keep_known("raters", study.rater_ids)
    state.keep_known("rivals", task.predictions)
    has_reference = "reference" in study.cases or study.references is not None
    if state.view().judged_by == "reference" and not has_reference:
        _replace_unknown("judged_by", "reference", "")
    _settle_metadata(study)
    if state.view().sort in ("stake", "high_risk") and not task.has_risk:
        _replace_unknown("sort", state.view().sort, "")
    if state.view().sort == "error" and not task.probability_models:
        _replace_unknown("sort", "error", "")
    model = MODELS[state.view().model]
    if not model.has_reliability:
        state.fall_back(reliability=math.inf)
    elif state.view().reliability is None:
        state.take_reliability(float(model.default_reliability), is_usual=True)
    return task, state.aggregation()


def _settle_metadata(study: Study) -> None:
    """Leave out columns that the study does not have, and ranges of numbers that cannot be read."""
    kept = []
    for column, value in state.view().metadata:
        if column not in study.cases:
            note = f"The address asks for the column “{column}”, which this study does not have."
        elif is_numeric_dtype(study.cases[column]) and not _is_span(value):
            note = f"The address asks for {column} “{value}”: a range was expected, such as 20..40."
        else:
            kept.append((column, value))
            continue
        state.notes().append(note)
    if tuple(kept) != state.view().metadata:
        state.fall_back(metadata=tuple(kept))


def _is_span(value: str) -> bool:
    try:
        parse_span(value)
    except ValueError:
        return False
    return True


def _replace_unknown(name: str, given: Any, value: Any) -> None:
    """Fall back, and say so if somebody asked for it."""
    if given:
        state.fall_back(
            f"The address asks for {name} “{given}”, which this study does not have.", **{name: value}
        )
    else:
        state.fall_back(**{name: value})
