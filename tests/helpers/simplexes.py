"""Simplexes of a few draws, written out in a test."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.analysis.cases.simplex import ELSEWHERE, Simplex


def simplex_with(labels: Sequence[str], share: Sequence[Sequence[float]], *, risk: str = "LMHL") -> Simplex:
    """Draws with these shares; where a label leads that is not shown, it has all that is missing to 1."""
    given = np.array(share, float)
    rest = 1 - given.sum(axis=1)
    leader = np.where(given.max(axis=1) >= rest, given.argmax(axis=1), ELSEWHERE)
    mean = given.mean(axis=0)
    return Simplex(
        labels=tuple(labels),
        risk=tuple(risk[: len(labels)]),
        leads=np.bincount(leader[leader >= 0], minlength=len(labels)) / len(given),
        share=given,
        leader=leader,
        mean=mean,
        point=mean[::-1],
    )
