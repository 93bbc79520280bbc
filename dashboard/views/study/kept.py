"""The room that cards of Study keep for words that are found later: as high as words of their kind are."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from html import escape
from itertools import cycle
from typing import NamedTuple

import numpy as np
import pandas as pd

from core.analysis.models.basis import READINGS, Basis
from core.analysis.models.by_reference import ByReference
from core.analysis.models.by_reliability import Reckoned, also_dangerous_in_words
from core.analysis.models.claims import ASK, Judged
from core.analysis.models.danger_by_label import LISTED, Missed, hardest, listed_in_sentence
from core.analysis.models.look_first import decided, look_first
from core.analysis.models.reference_words import check, in_brief
from core.analysis.models.trust import Trust, chosen_in_words, other_trust
from core.analysis.models.verdict import ABOUT, decision, if_trusted, misses_in_words
from core.metrics.risk import HIGH
from core.study.model import Task
from dashboard.components.text import AT_SCREEN

MOST = "is the highest accuracy that these labels support for any model"
"""What the figure is of where no model comes first."""
_CHOSEN, _POINT, _NEXT = " loupe-chosen", " loupe-point", " loupe-next"
"""Mark a sentence on what somebody chose, one that is one point of several, and what to do next."""
_OF_ACCURACY, _OF_CLAIMS = ABOUT[:2]
_ONCE, TWICE = 1.0, 2.0
_LETTER, _OFTEN = re.compile(r"[^\W_]"), "etaoinsrhl"
"""What takes the place of small letters: those that are met most often, as wide as these are on average."""


class Marked(NamedTuple):
    """A sentence, what it is marked as, by which a style tells it, and what it is about."""

    words: str
    mark: str = ""
    about: str = ""

    def written(self) -> str:
        """Write it, with what it is about, as HTML."""
        words = escape(self.words)
        return f"<b>{escape(self.about)}</b> <span>{words}</span>" if self.about else words


class Like(NamedTuple):
    """Words as long as those that are to come, not the same.

    Attributes
    ----------
    figure, of : str
        A figure and what it is of; empty where that is known.
    sentences : sequence of str or Marked
        What stands beneath.
    points : sequence of Marked
        What stands beneath the claims.
    """

    figure: str
    of: str
    sentences: Sequence[str | Marked]
    points: Sequence[Marked] = ()


def marked(sentences: Iterable[str | Marked]) -> list[Marked]:
    """Sentences with their marks, without empty ones."""
    every = (Marked(one) if isinstance(one, str) else one for one in sentences)
    return [one for one in every if one.words]


class Said(NamedTuple):
    """A verdict in words: what stands above the claims, and beneath them what it rests on, point by point."""

    head: tuple[Marked, ...]
    points: tuple[Marked, ...] = ()


def verdict_of(chosen: str, points: Sequence[str], ask: str, *, is_decided: bool) -> Said:
    """Write a verdict: what was chosen, each point as `ABOUT` has them, and what to ask for.

    A single point needs no name. Where each model has its advice, it ``is_decided`` what becomes of claims,
    and which is right most often is told with them; where not, what becomes of claims is said first.
    """
    said = dict(zip(ABOUT, points, strict=True))
    first = "" if is_decided else said[_OF_CLAIMS]
    rest = tuple(
        Marked(words, _POINT, about)
        for about, words in said.items()
        if words and about != _OF_CLAIMS and not (is_decided and about == _OF_ACCURACY)
    )
    if len(rest) == 1 and not first:
        first, rest = rest[0].words, ()
    head = (Marked(chosen, _CHOSEN), Marked(first), Marked(ask, _NEXT))
    return Said(tuple(one for one in head if one.words), rest)


def likely_trust(trust: Trust, *, may_differ: bool) -> Trust:
    """How far readings can be trusted, as it is likely to be found; not at all what it is.

    Where it ``may_differ`` from the reliability in force, that is said too.
    """
    if trust.state not in ("known", "awaited"):
        return trust
    now = trust.aggregation.reliability if may_differ else TWICE
    found = TWICE if not may_differ or now != TWICE else _ONCE
    return Trust(trust.aggregation.at(now), "known", found, f"{found:g}")


def like_verdict(task: Task, trust: Trust, standards: Mapping[str, int], basis: Basis = READINGS) -> Like:
    """What a verdict is like with such a `likely_trust`, of as many models with such names.

    ``standards`` are as `core.analysis.models.verdict.decision` takes them.
    """
    claims = _claims(task.probability_models, has_risk=task.has_risk)
    said, ask = decision(
        0.89,
        claims,
        of_model=bool(task.predictions),
        is_danger_known=task.has_risk,
        standards=standards,
        basis=basis,
    )
    other, otherwise = None if basis.is_reference else other_trust(trust), ""
    if other is not None and claims:
        best = {one.model: one.best for one in claims} if len(claims) > 1 else {}
        # All but one would be too high: what is said of them is longest then.
        then = {one.model: (0.6, 0.7) for one in claims} | {claims[-1].model: (0.7, 0.8)}
        # As if the advice on the first would be another one.
        advice = {claims[0].model: ASK} if len(claims) > 1 else {}
        otherwise = if_trusted(other[1], claims, then, best, best, advice)
    who, why = look_first(claims, basis)
    points = (
        f"{who}. {why}" if who else "",
        said,
        f"{misses_in_words(claims)} {_like_listed(task)}".strip(),
        _like_reference(task, standards, basis) * bool(standards),
        otherwise,
    )
    figure, of = (decided(claims), "") if who else ("89 %", MOST)
    written = verdict_of(chosen_in_words(trust), points, ask, is_decided=bool(who))
    return Like(figure, of, written.head, written.points)


def _like_listed(task: Task) -> str:
    """What is like the sentence on what models have second or third; empty where there is none."""
    models = tuple(task.probability_models)
    if not task.has_risk or len(task.labels) <= LISTED:
        return ""
    return listed_in_sentence(Missed(models=models, listed=np.full(len(models), 8.0)))


def _like_reference(task: Task, standards: Mapping[str, int], basis: Basis) -> str:
    """What is like the sentence on the source that models are not judged by."""
    row = {"n": 300} | ({"dangers": 44.0, "missed": 0.0} if task.has_risk else {})
    models = task.probability_models
    table = pd.DataFrame(
        [row | {"names": model, "right": 0.92 - place / 100} for place, model in enumerate(models)]
    )
    found = ByReference(table, 300, 300 if basis.is_reference else 301, standards)
    missed = dict.fromkeys(models[:1], "about 9 of 50") if task.has_risk else {}
    return (
        check(found, models[0], models[0], missed) if len(models) > 1 else in_brief(found, by_readings=missed)
    )


def like_danger(task: Task, known: str, *, may_differ: bool) -> Like:
    """What sentences on danger are like, with what is ``known`` already, beneath a figure that is known."""
    dangers = sorted((task.labels[code] for code in (task.risk == HIGH).nonzero()[0]), key=len)
    models, most = task.probability_models, ""
    if len(dangers) > 1 and models:
        two = (dangers[3 * len(dangers) // 4], dangers[0])
        cases, truths = (np.tile(np.array([of]).T, len(models)) for of in ((3.3, 2.0), (11.0, 20.0)))
        most = hardest(Missed(two, tuple(models), cases, truths), len(models))
    also = also_dangerous_in_words({TWICE: Reckoned(0.3, (0.8, 0.9), dangerous=81)}, TWICE)
    return Like("", "", tuple(filter(None, (known, most, also * may_differ))))


def keeping(large: str, said: str, like: Like | None) -> str:
    """Write figures and words, HTML, that take at least the room of others, which nobody sees or hears.

    One after the other in the same place, so the room follows the width of the window by itself.
    """
    if like is None:
        return large + said
    before, inside, figure = large, said, ""
    if like.figure:
        before, inside = "", large + said
        of = f"<small>{escape(_filler(like.of))}</small>"
        figure = f'<i class="loupe-text loupe-figure">{escape(_filler(like.figure))} {of}</i>'
    others = "".join(
        f'<i class="loupe-text loupe-sentence{one.mark}">{one.written()}</i>'
        for one in (one._replace(words=_filler(one.words)) for one in marked(like.sentences))
    )
    room = f'<span class="{AT_SCREEN}">{figure}{others}</span>'
    return f'{before}<div class="loupe-kept"><div>{inside}</div>{room}</div>'


def _claims(models: Sequence[str], *, has_risk: bool) -> list[Judged]:
    """Claims as they often are: one comes first, one is too high, others miss dangers where there are any."""
    if len(models) == 1:
        return [Judged(models[0], 0.8, (0.7, 0.77), 0.8)]
    dangers = 50.0 if has_risk else math.nan
    often = [
        Judged("", 0.76, (0.73, 0.8), 0.8, dangers=dangers, best=0.92),
        Judged("", 0.8, (0.7, 0.77), 0.8, dangers=dangers, best=0.08),
    ]
    other = Judged("", 0.74, (0.69, 0.75), 0.3, misses=has_risk, dangers=dangers, best=0)
    others = [other] * max(len(models) - 2, 0)
    return [replace(one, model=model) for model, one in zip(models, [*often, *others], strict=False)]


def _filler(words: str) -> str:
    """Words of the same lengths that say nothing."""
    letters = cycle(_OFTEN)

    def other(found: re.Match[str]) -> str:
        one = found[0]
        return "0" if one.isdigit() else "N" if one.isupper() else next(letters)

    return _LETTER.sub(other, words)
