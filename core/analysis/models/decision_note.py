"""A note for whoever decides on buying a model: what was tested, the verdict, and what to ask the vendor."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from core.analysis.export import NOTICE, format_reliability, provenance
from core.analysis.formatting import WHOLE, cases_on_average, percent, percent_range
from core.analysis.models.basis import READINGS, Basis
from core.analysis.models.claims import (
    Judged,
    about_missed,
    columns_meant,
    points_in_words,
    table_of,
    tells_danger,
)
from core.analysis.models.finding import listed
from core.analysis.models.trust import PROVISIONAL, Trust, point_in_words
from core.analysis.models.verdict import ABOUT, Verdict, danger_in_words, limit_in_words, misses_in_words
from core.analysis.note import Heading, Items, Note, Part, Rows, Words
from core.analysis.origin import origin_in_words
from core.analysis.raters.identified import raters_are_identified
from core.analysis.reliability.words import reliability_words
from core.analysis.risk_words import dangers_in_words
from core.analysis.support_words import MAY_BE_BETTER, TRUTHS_EXPLAINED
from core.analysis.vendor_questions import AGREEMENT, CASES, DANGER, DISPUTED, READERS, TRAINED, WHO_READ
from core.plausibility.settings import MODELS, Aggregation
from core.study.brief import number_of
from core.study.model import Study, Task

MOST_MODELS = 8
"""Models whose claims are listed: the note has one page."""
_MOST_NAMED = 2
_MOST_IN_A_QUESTION = 4
"""Models that a question is about."""
_LIKE_OURS = (
    "How does the model perform on cases like ours (patients, devices, share of dangerous findings)? May we "
    "try it on cases that our own staff have read?"
)


def decision_note(
    study: Study, task: Task, trust: Trust, verdict: Verdict | None, *, of: str = "", made_on: str
) -> Note:
    """Write the note of a study.

    Parameters
    ----------
    study, task : Study, Task
        What it is about.
    trust : Trust
        How far the readings can be trusted.
    verdict : Verdict or None
        None under a point estimate, which supports nothing.
    of : str
        The model that alone is spoken of, to its vendor; its verdict is that of a study without the others.
    made_on : str
        Date; empty where none shall stand there.
    """
    aggregation = trust.aggregation
    named = f"{study.name}, {task.name}" if len(study.tasks) > 1 else study.name
    parts: list[Part] = [
        *(Words(words, "note") for words in (origin_in_words(study),) if words),
        *_result(trust, verdict, is_of_one=bool(of)),
    ]
    claims, dangers = ((), {}) if verdict is None else (verdict.claims, verdict.dangers)
    basis = READINGS if verdict is None else verdict.basis
    parts += [
        Heading("Questions for the vendor"),
        Items((*_questions(study, task, claims, dangers, basis),), is_numbered=True),
    ]
    if verdict is not None:
        parts += [Heading("What the numbers do not mean"), Items((*_limits(task, verdict),))]
    if claims:
        is_explained = verdict is not None and TRUTHS_EXPLAINED in verdict.first[1]
        heads = table_of(claims[:MOST_MODELS], basis.head)[0]
        meant = columns_meant(heads, is_explained=is_explained, meanings=basis.meanings())
        told = [f"{head} – {_small(said)}" for head, said in meant]
        told += ["⚠ – clearly more than the best."] * any(one.misses for one in claims)
        parts.append(Words(" ".join(told), "note"))
    parts += [Heading("What was tested"), Words(" ".join(_tested(study, task, trust, aggregation, of)))]
    dated = f" {made_on}." if made_on else ""
    made = "; ".join(
        f"{key}: {value}" for key, value in provenance(study, task, aggregation).items() if value != NOTICE
    )
    return Note(
        f"What these labels support{f' for {of}' * bool(of)}: {named}",
        tuple(parts),
        (f"{NOTICE}{dated}", f"{made[:1].upper()}{made[1:]}."),
    )


def awaited_note(study: Study) -> Note:
    """Write what stands there while the verdict is being worked out: no number that could change."""
    return Note(f"What these labels support: {study.name}", (Words(PROVISIONAL),), ())


def _tested(study: Study, task: Task, trust: Trust, aggregation: Aggregation, of: str) -> Iterator[str]:
    """Say what was tested: cases, readers and readings, models, and how readings were put together."""
    readings = task.readings
    per_case = readings.per_case
    least, most = int(per_case.min()), int(per_case.max())
    each = f"{most}" if least == most else f"{least} to {most}"
    who = f"by {number_of(len(np.unique(readings.rater)), 'reader')}"
    if not raters_are_identified(study, task):
        who = "by readers who are not identified"
    condition = f" ({study.counted})" if study.counted else ""
    models = (of,) if of else (*task.predictions,)
    which = f"Model{'s' * (len(models) > 1)}: {listed(models)}."
    if not models:
        which = "No model: this is what labels like these support for any."
    yield (
        f"Task {task.name}: {number_of(study.n_cases, 'case')}{condition}, "
        f"{number_of(readings.n_readings, 'reading')} {who}, {each} per case. {which}"
    )
    model = MODELS[aggregation.model]
    if not model.has_reliability:
        yield f"Readings combined by {model.title}: a single truth without doubt."
        return
    yield (
        f"Readings combined by {model.title}, with trust in the readers set to "
        f"γ = {format_reliability(aggregation.reliability)}: "
        f"{_small(reliability_words(aggregation))} {_why_so(trust, aggregation)}".strip()
    )


def _why_so(trust: Trust, aggregation: Aggregation) -> str:
    """Say whether the readings themselves support the trust that was put in them."""
    if trust.state != "known":
        return "Whether the readings themselves support that trust is not known."
    if trust.supported == aggregation.reliability:
        return "At that γ these readings predict one another best."
    return f"They predict one another best at γ = {trust.as_written}."


def _result(trust: Trust, verdict: Verdict | None, *, is_of_one: bool) -> Iterator[Part]:
    """The verdict, and the claims with how to read them; of one of several models first what follows."""
    yield Heading("Verdict")
    if verdict is None:
        yield Words(point_in_words(trust), "strong")
        return
    also = " ".join(filter(None, (verdict.reference, verdict.otherwise)))
    if is_of_one and len(verdict.claims) == 1:
        yield from _on_one(verdict.claims[0], verdict.said, also)
    else:
        yield from _on_all(verdict, f"{verdict.said} {also}".strip())
    if verdict.claims:
        shown = verdict.claims[:MOST_MODELS]
        heads, rows = table_of(shown, verdict.basis.head, has_ranges=True)
        place = heads.index(verdict.basis.head)
        for row, one in zip(rows, shown, strict=True):
            if elsewhere := verdict.basis.elsewhere(one.ends[0]):
                row[place] += f" ({elsewhere})"
        yield Rows("Claims and verdicts", tuple(heads), tuple(map(tuple, rows)))
        if more := len(verdict.claims) - len(shown):
            yield Words(f"{number_of(more, 'further model')} with less support left out.", "note")
    yield Words(verdict.ask, "strong")


def _on_one(one: Judged, said: str, more: str) -> Iterator[Part]:
    """What follows for one of several models; of the others nothing is told but that one is better."""
    if one.misses:
        worse = f"it misses {about_missed(one)} dangers, clearly more than the best of the models tested"
        yield Words(f"Do not use {one.model} as it is: {worse}.", "strong")
        yield Words(said)
    else:
        yield Words(f"{one.follows}: {said}" if one.follows else said, "strong")
    if more:
        yield Words(more)


def _on_all(verdict: Verdict, said: str) -> Iterator[Part]:
    """What follows for each model, and what is granted to any."""
    who, why = verdict.first
    # A model may be right more often by a reference: it takes no doubt into account.
    limit = "" if verdict.reference else limit_in_words(verdict.most)
    if who:
        if verdict.decided:
            yield Words(f"{verdict.decided}.", "strong")
        points = (
            f"{who}. {why}",
            " ".join(filter(None, (verdict.said, limit))),
            danger_in_words(verdict),
            verdict.reference,
            verdict.otherwise,
        )
        told = [(about, words) for about, words in zip(ABOUT, points, strict=True) if words]
        yield Items(tuple(words for _, words in told), leads=tuple(about for about, _ in told))
        return
    is_one = len(verdict.claims) == 1
    # What is said of the one model matters more than what is granted to any.
    first, also = (said, limit) if is_one else (limit, "")
    if verdict.claims and first:
        yield Words(first, "strong")
    more = " ".join(part for part in (misses_in_words(verdict.claims), "" if is_one else said, also) if part)
    if more:
        yield Words(more, "p" if verdict.claims else "strong")


def _limits(task: Task, verdict: Verdict) -> Iterator[str]:
    """Say what the numbers do not mean."""
    if verdict.basis.is_reference:
        yield "A reference is taken for the truth here, and may itself be wrong."
    else:
        # Beneath the claims it is said of their ranges already.
        estimate = "" if verdict.claims else f"{MAY_BE_BETTER} "
        yield f"{estimate}A claim that is not supported may still be true: these labels cannot show it."
    if verdict.claims:
        yield "Claims are measured on these cases. A vendor’s number may come from other cases and readers."
    if task.has_risk:
        yield dangers_in_words(task)


def _questions(
    study: Study, task: Task, claims: Sequence[Judged], dangers: Mapping[str, str], basis: Basis
) -> Iterator[str]:
    """Questions for the vendor: those that these numbers raise first, then what an accuracy hides."""
    yield from _on_claims(claims, basis)
    yield from _on_danger(claims, dangers)
    if not task.predictions:
        yield (
            f"May we have your model’s answers on these {study.n_cases:,} cases? Its claim can then "
            "be judged by the same labels."
        )
        yield from (CASES, WHO_READ, TRAINED)
    else:
        yield f"Behind your own number: {_small(CASES)} {WHO_READ} {TRAINED}"
    yield f"{READERS} {AGREEMENT} {DISPUTED}"
    if not tells_danger(claims):
        yield DANGER
    yield _LIKE_OURS


def _on_claims(claims: Sequence[Judged], basis: Basis) -> Iterator[str]:
    """Ask what else shows the claims that are too high, those that are most so first."""
    beyond = sorted((one for one in claims if one.side == "beyond"), key=lambda one: -one.excess)
    if not beyond:
        return
    first, *others = beyond
    by = points_in_words(first.excess)
    than = f"it reaches {basis.by}" if basis.is_reference else "is supported"
    named = f"{first.model} claims {percent(first.claimed)}, {by} more than {than}"
    if len(beyond) == _MOST_NAMED:
        (other,) = others
        named += f"; {other.model} {percent(other.claimed)}, {points_in_words(other.excess)} more"
    elif others:
        named += f"; {len(others)} other claims are too high as well"
    if basis.is_reference:
        yield f"{named}. On which cases, and by which reference, is as much reached?"
        return
    least, most = (of(one.ends[1] for one in beyond) for of in (min, max))
    yield (
        f"{named}. What else supports it: more readings per case, or a stronger reference? Without "
        f"that, no more than {percent_range(least, most)} can be shown."
    )


def _on_danger(claims: Sequence[Judged], dangers: Mapping[str, str]) -> Iterator[str]:
    """Ask about dangerous truths that are missed, named by ``dangers``, and about false warnings."""
    known = sorted((one for one in claims if one.missed == one.missed), key=lambda one: -one.danger)
    if not known:
        return
    best, misses = known[0], [one for one in reversed(known) if one.misses]
    if misses and best not in misses:
        # Of few models none is left out: one that misses more than the first would seem to miss fewer.
        others = known[1:] if len(known) <= _MOST_IN_A_QUESTION else misses[:_MOST_NAMED]
        named = listed([f"{one.model} {about_missed(one)}" for one in others])
        yield f"{best.model} misses {about_missed(best)} dangers, {named}. Which, and what would catch them?"
    elif best.missed and best.dangers >= 1:
        which = dangers.get(best.model, "")
        what = f", including {which}. What" if which else ". Which, and what"
        yield f"{best.model} misses {about_missed(best)} dangers{what} would catch them?"
    # Of hardly any nobody has to ask how many they are.
    if best.alarms == best.alarms and not best.alarms * best.n_alarms < 1:
        many = f"{cases_on_average(best.n_alarms)} " * (best.n_alarms >= WHOLE)
        yield (
            f"Of {best.model}’s {many}warnings, {percent(best.alarms)} are false. How many is that a day "
            "here, and who checks them?"
        )


def _small(sentence: str) -> str:
    """Begin a sentence with a small letter, to go on with it."""
    return sentence[:1].lower() + sentence[1:]
