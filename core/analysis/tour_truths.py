"""Two plausible truths of the tour's first case, as drawn: one in which each of its two labels leads."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from core.analysis.cases.case import ANY_OTHER, open_case, risk_letter
from core.analysis.formatting import rounded_percent
from core.analysis.tour_case import CASE, LEADS
from core.analysis.tour_danger import AGGREGATION
from core.plausibility.posterior import SampledPosterior
from core.study.model import Study

SEEN = 0.005
"""Share of a label from which on its piece of a bar can be seen."""


class Truth(NamedTuple):
    """How likely each condition of a case is, in one plausible truth.

    Attributes
    ----------
    leads : str
        The label that is likeliest.
    shares : dict of str to float
        Of each label: first the one that leads, then the other of `LEADS`, then all others, the likeliest
        first, and last all that nobody named. They add up to 1.
    """

    leads: str
    shares: dict[str, float]


class Piece(NamedTuple):
    """A piece of a bar: the letter of its label's risk, empty unless it is one of `LEADS`, and its share."""

    letter: str
    share: float


def example_truths(study: Study) -> list[Truth]:
    """Find, for each label of `LEADS`, the truth in which it leads that is nearest to the mean of all such.

    Parameters
    ----------
    study : Study
        The main sample, of one task.

    Returns
    -------
    list of Truth
        Two of the very draws of which `LEADS` says how often each label leads.

    Raises
    ------
    TypeError
        If the posterior has no draws.
    """
    (task,) = study.tasks.values()
    posterior = open_case(study, task, AGGREGATION, study.case_ids.index(CASE)).posterior
    if not isinstance(posterior, SampledPosterior):
        raise TypeError(f"{posterior} has no draws")
    draws = posterior.draws
    labels = [*(task.labels[code] for code in draws.candidates.label), ANY_OTHER]
    shares = np.vstack([draws.value, draws.rest]).astype(float)
    leading = draws.value.argmax(axis=0)
    return [_nearest(shares[:, leading == labels.index(label)], labels, label) for label in LEADS]


def _nearest(shares: np.ndarray, labels: Sequence[str], leads: str) -> Truth:
    """Of truths, of shape (n_labels, n_truths), the one nearest to their mean."""
    away = ((shares - shares.mean(axis=1, keepdims=True)) ** 2).sum(axis=0)
    found = dict(zip(labels, shares[:, away.argmin()].tolist(), strict=True))
    others = sorted(set(labels) - {*LEADS, ANY_OTHER}, key=lambda label: -found[label])
    named = sorted(LEADS, key=lambda label: label != leads)
    return Truth(leads, {label: found[label] for label in (*named, *others, ANY_OTHER)})


def keep_truths(study: Study, truths: Sequence[Truth], file: Path) -> None:
    """Write `example_truths` beside the sample that they are of: the first page of all waits for no draws."""
    kept = {"fingerprint": study.fingerprint, "truths": {truth.leads: truth.shares for truth in truths}}
    file.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


def kept_truths(study: Study, file: Path) -> list[Truth]:
    """Return the `example_truths` that came with the sample; found anew where they are of other files."""
    kept = json.loads(file.read_text(encoding="utf-8"))
    if kept["fingerprint"] != study.fingerprint:
        return example_truths(study)
    return [Truth(*truth) for truth in kept["truths"].items()]


def truth_in_words(truth: Truth) -> str:
    """Say which label leads, and how likely it is, the other of `LEADS`, and all others together."""
    (other,) = (label for label in LEADS if label != truth.leads)
    one, two = truth.shares[truth.leads], truth.shares[other]
    return (
        f"{truth.leads} leads with {rounded_percent(one)}, {other} {rounded_percent(two)}, "
        f"others {rounded_percent(1 - one - two)}."
    )


def truth_in_pieces(study: Study, truth: Truth) -> list[Piece]:
    """Lay out a truth as a bar: each label has a piece of its own, and those of `LEADS` their letters."""
    (task,) = study.tasks.values()
    return [
        Piece(risk_letter(task, task.labels.index(label)) if label in LEADS else "", share)
        for label, share in truth.shares.items()
        if share >= SEEN
    ]
