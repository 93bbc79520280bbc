"""What the marks of a simplex say when they are pointed at, as plain text."""

from __future__ import annotations

import numpy as np

from core.analysis.cases.simplex import ELSEWHERE, OTHER_LABELS, RISK_WORDS, Simplex, others
from core.analysis.cases.truths import moved, of_100
from core.analysis.formatting import in_sentence, percent
from core.study.model import FloatArray
from dashboard.components.text import wrapped


def said(labels: tuple[str, ...], share: FloatArray) -> list[str]:
    """Say of each row of shares, with shape (n, n_labels), what is plausible how much: a label a line."""
    rest, names = others(share), [in_sentence(wrapped(label, 26, lines=2)) for label in labels]
    lines = []
    for row, other in zip(share, rest, strict=True):
        words = [f"{name} {percent(value)}" for name, value in zip(names, row, strict=True)]
        if other > 1e-9:
            words.append(f"{OTHER_LABELS} {percent(other)}")
        lines.append(",\n".join(words))
    return lines


def draw_words(simplex: Simplex) -> list[str]:
    """What each plausible truth says when it is pointed at."""
    return [
        f"In this truth:\n{words}" + ("\nHere one of the other labels leads." if leader == ELSEWHERE else "")
        for words, leader in zip(said(simplex.labels, simplex.share), simplex.leader, strict=True)
    ]


def landmark_words(simplex: Simplex) -> tuple[str, str]:
    """What the mean of the plausible truths and the point estimate say."""
    mean, point = said(simplex.labels, np.array([simplex.mean, simplex.point]))
    return f"Mean of the plausible truths:\n{mean}", f"Point estimate:\n{point}"


def before_words(simplex: Simplex) -> tuple[str, str]:
    """What the marks of how it was before say: those of `landmark_words`, and how often each label led."""
    if simplex.before is None:
        return "", ""
    mean, point = said(simplex.labels, np.array([simplex.before.mean, simplex.before.point]))
    return f"Before the change, mean:\n{mean}", f"Before the change, point estimate:\n{point}"


def leads_words(simplex: Simplex) -> list[str]:
    """In how many of the plausible truths each label leads, and led before a change; of a point its share."""
    if len(simplex.share) == 1:
        now = [percent(share) for share in simplex.point]
        was = now if simplex.before is None else [percent(share) for share in simplex.before.point]
        return [f"share {words}" if words == then else f"share {then} → {words}"
                for then, words in zip(was, now, strict=True)]  # fmt: skip
    if simplex.before is None:
        return [f"leads in {of_100(share)}" for share in simplex.leads]
    both = zip(simplex.before.leads, simplex.leads, strict=True)
    return [f"leads in {moved(was, now)}" for was, now in both]


def corner_words(simplex: Simplex) -> list[str]:
    """What each label's corner says when it is pointed at."""
    is_point = len(simplex.share) == 1
    said = [
        f"share {percent(point)}" if is_point else f"leads in {of_100(leads)}\nplausible truths"
        for leads, point in zip(simplex.leads, simplex.point, strict=True)
    ]
    return [
        f"{label}{', ' + RISK_WORDS[letter] if letter else ''}:\n{words}"
        for label, letter, words in zip(simplex.labels, simplex.risk, said, strict=True)
    ]
