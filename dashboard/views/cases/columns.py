"""Which columns the worklist shows, and what their cells say of each case."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

import pandas as pd
import streamlit as st

from core.analysis.cases.headline import LEAST_NAMED
from core.analysis.cases.metadata_words import column_words
from core.analysis.cases.misleads import MISLEADS, misled_told
from core.analysis.cases.missed import MISSED
from core.analysis.cases.missed_words import missing_told
from core.analysis.cases.orders import ORDERS
from core.analysis.cases.percent_ranges import of_hundreds
from core.analysis.cases.preset_rules import missing_models
from core.analysis.cases.presets import (
    ACCURACY_MISLEADS,
    ANY_HIGH_RISK,
    MARKED,
    MODEL_DIFFERS,
    OF_HIGH_RISK,
    OF_MISSED,
)
from core.analysis.cases.reference_risk import REFERENCE_RISK
from core.analysis.cases.tied_risk import tied_levels
from core.analysis.cases.worklist import LEADS, METADATA
from core.analysis.cases.wrong_words import surest_told, wrong_told
from core.study.model import Task
from dashboard.components.case_list import Column
from dashboard.shell import state, widgets
from dashboard.views.cases import cell_words
from dashboard.views.cases.own_columns import SHOWN, Shown

_USUAL, _WITHOUT_RISK = ("leading", "certainty", "high_risk"), ("leading", "certainty", "readings")
"""Shown unless others are chosen, of a study with levels of risk and of one without."""
_OF_HIGH_RISK = ("leading", "high_risk", "high_risk_label")
"""The same where the list is about danger behind the leading label."""
_MOST_CHOSEN = 2
"""Labels that the list is filtered by which have a column of their own."""
_OF_MODELS = ("leading", "models_wrong", "high_risk")
"""The same where the list is about models that differ from the readers."""
_ABOUT_MISSED = ("leading", MISSED, "high_risk", REFERENCE_RISK)
"""The same where the list is about dangers that models miss: their answers need the room."""
_OF_MISLEADS = ("leading", MISLEADS)
"""The same where the list is about cases in which accuracy misleads."""
_OF_MARKED = ("leading", "high_risk", "flags", "notes")
"""The same where the list is of what somebody has marked."""
_OF_PRESET = {MODEL_DIFFERS: _OF_MODELS, ACCURACY_MISLEADS: _OF_MISLEADS, MARKED: _OF_MARKED} | dict.fromkeys(
    OF_MISSED, _ABOUT_MISSED
)
_TOLD = {MISSED: missing_told, MISLEADS: misled_told, "model_error": surest_told}
"""Columns whose cells name models, in words that follow from others."""
_ANSWER, _MODEL = ": answer", "Model "


def offered(cases: pd.DataFrame) -> list[str]:
    """Names of the columns that can be shown of a worklist."""
    others = [str(name) for name in cases if str(name).endswith(_ANSWER) or str(name).startswith(METADATA)]
    return [name for name in SHOWN if name in cases] + leads_columns(cases) + others


def leads_columns(cases: pd.DataFrame) -> list[str]:
    """Names of the columns that say how often the labels lead that the list is filtered by."""
    return [str(name) for name in cases if str(name).startswith(LEADS)]


def titles(cases: pd.DataFrame) -> dict[str, str]:
    """What people call each column that can be shown; of equal names, where it comes from is said too."""
    known = offered(cases)
    plain = {name: _title(name) for name in known}
    often = Counter(title.casefold() for title in plain.values())
    told = {
        name: f"{title} ({_origin(name)})" if often[title.casefold()] > 1 and name not in SHOWN else title
        for name, title in plain.items()
    }
    # A column of metadata may be called by what tells another apart.
    taken: set[str] = set()
    for name, title in told.items():
        number = 1
        while told[name].casefold() in taken:
            number += 1
            told[name] = f"{title} ({number})"
        taken.add(told[name].casefold())
    return told


def _title(name: str) -> str:
    """What a column is called by itself."""
    if name in SHOWN:
        return SHOWN[name].head.title
    if name.startswith(METADATA):
        return column_words(name.removeprefix(METADATA))
    if name.startswith(LEADS):
        return f"{name.removeprefix(LEADS)} leads"
    return name.removesuffix(_ANSWER)


def _origin(name: str) -> str:
    """Where a column comes from that is none of Loupe's own."""
    return "metadata" if name.startswith(METADATA) else "model"


def usual(cases: pd.DataFrame) -> list[str]:
    """Names of the columns that are shown where none are chosen, the one that is sorted by among them."""
    now = state.view()
    is_about_risk = now.preset in (ANY_HIGH_RISK, *OF_HIGH_RISK) or now.sort == "high_risk"
    is_about_risk = is_about_risk or now.high_risk is not None
    of_study = _USUAL if "high_risk" in cases else _WITHOUT_RISK
    wanted: tuple[str, ...] = _OF_PRESET.get(now.preset, _OF_HIGH_RISK if is_about_risk else of_study)
    if now.missed_by:
        wanted = _ABOUT_MISSED
    asked = leads_columns(cases)[:_MOST_CHOSEN]
    if asked and (now.missed_by or now.preset in OF_MISSED):
        wanted = ("leading", MISSED, asked[0], "high_risk")
    elif asked:
        wanted = ("leading", *asked, "high_risk")
    names = [name for name in wanted if name in cases]
    by = ORDERS[now.sort].column if now.sort else ""
    return names if not by or by in names else [*names[:-1], by]


def chosen(cases: pd.DataFrame) -> list[str]:
    """Names of the columns that are shown now."""
    known = offered(cases)
    return [name for name in state.view().columns if name in known] or usual(cases)


def choose(cases: pd.DataFrame) -> None:
    """Offer the columns; none, or the usual ones, leave it to the list which are shown."""
    known = offered(cases)
    state.keep_known("columns", known)
    popover = st.popover("Columns", type="tertiary", key="columns", on_change="rerun")
    if popover.open:
        popover.multiselect(
            "Columns of the worklist",
            placeholder="The usual ones",
            format_func=titles(cases).__getitem__,
            **widgets.choices("columns", chosen(cases), known, take=lambda said: _take(cases, said)),
        )


def _take(cases: pd.DataFrame, said: Sequence[str]) -> None:
    state.change(columns=() if list(said) == usual(cases) else tuple(said))


def cells(
    cases: pd.DataFrame,
    names: Sequence[str],
    task: Task,
    *,
    missed_by: Sequence[str] = (),
    is_point: bool = False,
) -> tuple[list[Column], list[list[str]]]:
    """Heads of some columns, and what each says of each case; under a point estimate nothing of danger.

    Models ``missed_by`` are named before others that miss danger.
    Labels of the ``task`` that tie are counted where there is no room to name them. Before those that lead
    stand their levels; where levels of a tie differ the column of them tells all, of which the list itself
    has the highest.
    """
    called = titles(cases)
    shorts: Mapping[str, Sequence[str]]
    heads, said = [], []
    for name in names:
        of = _how_shown(name, called[name])
        if name in _TOLD:
            # Whom, in every row alike: what each says instead stands in the case.
            told = missing_told(cases, missed_by) if name == MISSED else _TOLD[name](cases)
            if name == MISSED:
                told = _without_noun(cases, told)
            words = [one[0] if one else "" for one in told]
            shorts = {one[0]: one[1:] for one in told if one}
        elif name == "models_wrong":
            words, shorts = _said(cases, of, name), wrong_told(cases)
        else:
            words = (
                [cell_words.NO_DOUBT] * len(cases) if of.has_doubt and is_point else _said(cases, of, name)
            )
            shorts = cell_words.counted(words, task.labels) if of.write is cell_words.tied_first else {}
            if name == "risk":
                tied = tied_levels(task, cases["leading"].tolist())
                words = [levels or letter for levels, letter in zip(tied, words, strict=True)]
        levels = cell_words.levels(cases[name], task) if name == "leading" and task.has_risk else {}
        # Where the danger has a column of its own it is named there.
        if levels and not is_point and "high_risk" in names and "high_risk_label" not in names:
            words, lines, named = cell_words.behind(cases, words, levels)
            shorts, levels = {**shorts, **lines}, levels | named
        heads.append(replace(of.head, shorts=shorts, levels=levels))
        said.append(words)
    return heads, said


def _without_noun(cases: pd.DataFrame, told: list[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Leave out what the head says already, where all models are called Model A, Model B and so on."""
    if not all(model.startswith(_MODEL) for model in missing_models(cases)):
        return told
    return [(re.sub(f"^{_MODEL[:-1]}s?\\s", "", one[0]), *one[1:]) if one else one for one in told]


def _how_shown(name: str, title: str) -> Shown:
    """How a column is shown, whether Loupe's own, of a label that is asked for, or the study's."""
    if name.startswith(LEADS):
        less = f"–: in fewer than {LEAST_NAMED}"
        label = name.removeprefix(LEADS)
        head = Column(
            title,
            # The head is as wide as its words, and takes that room from the leading label.
            head=label,
            is_number=True,
            help=f"In how many of 100 plausible truths {label} leads; {less}",
        )
        return Shown(head, cell_words.plausible_shares, has_doubt=True)
    return SHOWN.get(name, Shown(Column(title, is_wide=True), partial(cell_words.of_study, name)))


def _said(cases: pd.DataFrame, of: Shown, name: str) -> list[str]:
    """What a column says of each case."""
    said = of.write(cases[name])
    if not of.share:
        return said
    return [
        f"{share} {words}" if words else ""
        for share, words in zip(of_hundreds(cases[of.share]), said, strict=True)
    ]
