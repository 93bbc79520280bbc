"""Would it hold with other readers and cases? Differences against a margin, and what they scatter from."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any, cast

import pandas as pd
import streamlit as st

from core.analysis.export import made_by, provenance
from core.analysis.models.other_readers import OtherReaders, other_readers
from core.analysis.models.other_readers_words import SOURCES, cautions, claims, finding, known, signed
from core.analysis.models.own_raters import OWN_RATERS
from core.analysis.models.settings import OtherReadersSettings
from core.metrics.mrmc.choices import METRICS, TAKEN
from core.plausibility.settings import Aggregation
from core.progress import Progress
from core.settings import entries
from core.study.model import Study, Task
from core.study.references import reference_codes
from dashboard.charts.models.other_readers import margin_chart, variance_shares_chart
from dashboard.components.picture import picture
from dashboard.components.text import table
from dashboard.shell import cache, state, theme, widgets
from dashboard.views import parts

_TRUTHS = {"reference": "the reference", "plausibility": "plausible truths of the readings"}
_READERS = {"random": "readers like these", "fixed": "these readers alone"}
_CASES = {"random": "cases like these", "fixed": "these cases alone"}
_NOBODY = (
    "Nobody reads here: all predictions are of models by themselves. Where readers read with a model, or in "
    "some other way, predictions.csv names them in a column reader, beside the model, which then says what "
    "they read with; lists in the format of iMRMC come in with loupe import imrmc."
)
_OR_OWN = " Or take those who made the annotations."
_quick = cache.cached()(other_readers)


@cache.background
def _long(
    progress: Progress, study: Study, task: Task, settings: OtherReadersSettings, aggregation: Aggregation
) -> OtherReaders:
    progress(0.0, "inferences under plausible truths")
    return other_readers(study, task, settings, aggregation)


def asked(task: Task) -> OtherReadersSettings:
    """What is chosen in the panel; modalities that are not there fall back to the first two."""
    now = state.view()
    own = now.mrmc_own and can_be_readers(task)
    known = modalities(task, own=own)
    wanted = tuple(name for name in now.mrmc_modalities if name in known)
    usual = (known[0], OWN_RATERS) if own else tuple(known[:2])
    is_pair = len(set(wanted)) == 2 and (not own or OWN_RATERS in wanted)
    return OtherReadersSettings(
        modalities=wanted if is_pair else usual,
        own_raters=own,
        reader_metric=now.mrmc_metric if now.mrmc_metric in metrics(task) else METRICS[0],  # type: ignore[arg-type]
        reader_positive=now.positive if now.positive in task.labels else "",
        margin=now.mrmc_margin,
        readers=now.mrmc_readers,  # type: ignore[arg-type]
        cases=now.mrmc_cases,  # type: ignore[arg-type]
        truth=now.mrmc_truth,  # type: ignore[arg-type]
    )


def can_be_readers(task: Task) -> bool:
    """Whether raters choose labels and a model says something of them, so that they can be its readers."""
    return task.kind == "choice" and len(task.labels) == 2 and bool(task.predictions)


def modalities(task: Task, *, own: bool = False) -> list[str]:
    """What can be compared: a model by itself first, against those that are read, or the study's raters."""
    if own:
        return [*task.predictions, OWN_RATERS]
    alone = [name for name in task.predictions if name not in task.reader_predictions]
    read = list(task.reader_predictions)
    return [*alone[:1], *read, *alone[1:]]


def metrics(task: Task) -> tuple[str, ...]:
    """What can be averaged over readers: where there are scores, what needs no threshold."""
    given = [of for readers in task.reader_predictions.values() for of in readers.values()]
    scored = any(of.kind == "score" for of in (*given, *task.predictions.values()))
    return METRICS[:1] if scored else METRICS


@st.fragment
def show(study: Study, task: Task) -> None:
    """Offer the panel, folded; nothing is worked out until it is opened."""
    _panel(study, task)
    state.write_address()


@parts.folded("Would it hold with other readers and cases?", key="panel-other-readers")
def _panel(study: Study, task: Task) -> None:
    own = can_be_readers(task)
    if not task.reader_predictions:
        parts.note(_NOBODY + (_OR_OWN if own else ""))
    if own:
        st.toggle(
            "The study's own raters are the readers",
            help="Each is judged by the reference, or by plausible truths of what all others said; models "
            "are compared with them.",
            **widgets.bind("mrmc_own", state.view().mrmc_own, take=_take_own),
        )
    own = own and state.view().mrmc_own
    if not own and not task.reader_predictions:
        return
    known = modalities(task, own=own)
    if len(known) == 1:
        parts.note(f"{known[0]} is the only modality, so there is nothing to compare it with.")
        return
    state.keep_known("mrmc_modalities", known)
    settings, aggregation = asked(task), state.aggregation()
    has_reference = bool((reference_codes(study, task) >= 0).any())
    parts.note(
        "Other readers would read otherwise, and other cases be easier or harder. How far the result would "
        "move is told by how readers and cases differ here (multi-reader multi-case analysis)."
    )
    _choose(task, settings, has_reference=has_reference)
    try:
        found = _inferred(study, task, settings, aggregation, has_reference=has_reference)
    except ValueError as why:
        parts.note(f"This cannot be said: {why}.")
        return
    if found is not None:
        _shown(study, task, found, settings, aggregation)


def _inferred(
    study: Study, task: Task, settings: OtherReadersSettings, aggregation: Aggregation, *, has_reference: bool
) -> OtherReaders | None:
    """Tables, made while the page waits under one truth; under many, None until they are made."""
    if settings.truth == "reference" or (not settings.truth and has_reference):
        return _quick(study, task, settings, aggregation)
    job = _long(study, task, settings, aggregation)
    return parts.result_of(job, what="Inferring under plausible truths", key="other-readers")


def _choose(task: Task, settings: OtherReadersSettings, *, has_reference: bool) -> None:
    """Offer what is compared, the margin, and what is a sample."""
    known = modalities(task, own=settings.own_raters)
    with st.container(horizontal=True, vertical_alignment="bottom", key="other-readers-choices"):
        for place, words in enumerate(("First", "Against")):
            other = settings.modalities[1 - place]
            st.selectbox(
                words,
                width=190,
                **widgets.choice(
                    f"mrmc-{place}",
                    settings.modalities[place],
                    _offered(known, other, own=settings.own_raters),
                    take=partial(_take, settings.modalities, place),
                ),
            )
        if len(metrics(task)) > 1:
            st.selectbox(
                "Metric",
                width=140,
                **widgets.choice("mrmc_metric", settings.reader_metric, metrics(task)),
            )
        st.number_input(
            "Margin (0: none)",
            min_value=0.0,
            max_value=1.0,
            step=0.01,
            width=150,
            help="By how much the first may be worse and still count as no worse. It has to be fixed before "
            "the numbers are seen.",
            **widgets.bind("mrmc_margin", settings.margin),
        )
        st.selectbox(
            "It is to hold for",
            width=190,
            format_func=_READERS.__getitem__,
            **widgets.choice("mrmc_readers", settings.readers, TAKEN),
        )
        st.selectbox(
            "and for",
            width=180,
            format_func=_CASES.__getitem__,
            **widgets.choice("mrmc_cases", settings.cases, TAKEN),
        )
        truth = settings.truth or ("reference" if has_reference else "plausibility")
        st.selectbox(
            "The truth is",
            width=265,
            format_func=_TRUTHS.__getitem__,
            disabled=not has_reference,
            help="Plausible truths are drawn from the aggregation model at the reliability chosen above."
            if has_reference
            else "No case has a reference.",
            **widgets.choice("mrmc_truth", truth, list(_TRUTHS)),
        )


def _offered(known: list[str], other: str, *, own: bool) -> list[str]:
    """What can be compared with another one: with a model, where raters are the readers, these alone."""
    return [OWN_RATERS] if own and other != OWN_RATERS else [name for name in known if name != other]


def _take_own(said: bool) -> None:
    """Take over who the readers are; what is compared begins anew."""
    state.change(mrmc_own=said, mrmc_modalities=())


def _take(now: tuple[str, ...], place: int, said: str) -> None:
    """Keep both modalities, the other as it is."""
    state.change(mrmc_modalities=(said, now[1]) if place == 0 else (now[0], said))


def _shown(
    study: Study, task: Task, found: OtherReaders, settings: OtherReadersSettings, aggregation: Aggregation
) -> None:
    """Draw what was found."""
    made = (
        provenance(study, task, aggregation) if found.study.truth == "plausibility" else made_by(study, task)
    )
    made |= entries(settings) | {"truth": found.study.truth, "positive": found.study.label}
    parts.sentence(finding(found, settings))
    parts.beside(
        lambda: _differences(found, settings, made), lambda: _shares(found, settings, made), widths=(6, 5)
    )
    _modalities(found, settings)
    _sizes(found, settings)
    for said in (*cautions(found), *claims(found, settings)):
        parts.note(said)


def _differences(found: OtherReaders, settings: OtherReadersSettings, made: dict[str, str]) -> None:
    """Draw differences against the margin."""
    rows = found.differences
    margin = rows["margin_shown"].iloc[0] if settings.margin else 0.0
    says = [
        f"{signed(row.difference)} ({signed(row.low)} to {signed(row.high)})"
        for row in cast("Iterable[Any]", rows.itertuples())
    ]
    picture(
        margin_chart(
            rows.assign(says=says),
            margin=margin if known(margin) else 0.0,
            metric=settings.reader_metric,
            tokens=theme.tokens(),
        ),
        name="other-readers",
        alternative="Difference of two modalities with its interval, beside no difference and the margin",
        caption=f"Square: the difference in {settings.reader_metric}; line: its 95 % interval."
        + _dashed(margin, settings),
        table=rows,
        provenance=made,
    )


def _dashed(shown: float, settings: OtherReadersSettings) -> str:
    """Say what the dashed line is: the margin, as far as the truths show it."""
    if not settings.margin:
        return ""
    if not known(shown):
        return " No margin is drawn: by these truths none can be answered."
    as_shown = (
        f" of {settings.margin:.2g}, which truths as uncertain as these show as {shown:.2g} (if scores are "
        "independent of the readings given the truth, and plausibilities are calibrated)"
        if shown != settings.margin
        else ""
    )
    return (
        f" Dashed: the margin{as_shown}; where the whole interval is right of the grey, the first is no "
        "worse than the second."
    )


def _shares(found: OtherReaders, settings: OtherReadersSettings, made: dict[str, str]) -> None:
    """Draw what the variances come from."""
    first, second = settings.modalities
    rows = pd.concat(
        [
            found.differences.assign(row=f"{first} \u2212 {second}"),
            found.modalities.rename(columns={"modality": "row"}),
        ],
        ignore_index=True,
    )
    rows["says"] = [
        f"standard error {error:.3f}" if known(error) else "unknown" for error in rows["standard_error"]
    ]
    picture(
        variance_shares_chart(rows, names=SOURCES, tokens=theme.tokens()),
        name="other-readers-shares",
        alternative="What the variance of the difference and of each modality comes from",
        caption="Shares of each variance. More readers shrink the part of readers, more cases that of cases, "
        "both that of readers on single cases; only more readings of the cases make the truth surer.",
        table=rows[["row", "standard_error", *SOURCES]],
        provenance=made,
    )


def _modalities(found: OtherReaders, settings: OtherReadersSettings) -> None:
    """List modalities with their readers."""
    by = found.readers.groupby("modality", sort=False)["value"].agg(["min", "max"])
    lines = []
    for row in cast("Iterable[Any]", found.modalities.itertuples()):
        spread = by.loc[row.modality]
        of_readers = f"{spread['min']:.3f} to {spread['max']:.3f}" if row.n_readers > 1 else "\u2013"
        interval = f"{row.low:.3f} to {row.high:.3f}" if known(row.low) else "\u2013"
        readers = f"{row.n_readers:,}" if row.n_readers else "none"
        lines.append((row.modality, readers, f"{row.n_cases:,}", f"{row.estimate:.3f}", interval, of_readers))
    heads = ["Modality", "Readers", "Cases", settings.reader_metric, "95 % interval", "Single readers"]
    table(heads, lines, name="Modalities", scrolls=True)


def _sizes(found: OtherReaders, settings: OtherReadersSettings) -> None:
    """List how many cases a new study needs with so many readers."""
    if found.sizes.empty:
        return
    heads = ["Readers of a new study", *(f"{n}" for n in found.sizes["n_readers"])]
    needed = [f"{n:,}" if pd.notna(n) else "over 100,000" for n in found.sizes["n_cases"].astype(object)]
    line = [f"Cases that show it with a power of {settings.power:.0%}".replace("%", "\u00a0%"), *needed]
    table(heads, [line], name="Readers and cases of a new study", scrolls=True)
