"""Whether nothing in the readings of a case tells labels apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from core.analysis.cases.case import Case
from core.analysis.cases.leading import SAME
from core.analysis.cases.left_out import weighs_confidence
from core.analysis.cases.outcome import leads_of
from core.analysis.cases.what_if import Reading
from core.plausibility.simulation_error import is_simulated


def are_alike(case: Case, labels: Sequence[int], said: Sequence[Reading]) -> bool:
    """Whether nothing in the readings tells labels apart: any two may change places in all of them.

    Posteriors that are not drawn know it by how often each leads, whoever the readers are.
    """
    if not is_simulated(case.posterior):
        leads = leads_of(case.posterior, labels)[0]
        return max(leads[code] for code in labels) - min(leads[code] for code in labels) <= SAME
    weighs = weighs_confidence(case)
    first, *others = labels
    now = _counted(said, {}, weighs=weighs)
    return all(now == _counted(said, {first: code, code: first}, weighs=weighs) for code in others)


def _counted(said: Sequence[Reading], swap: Mapping[int, int], *, weighs: bool) -> Counter[object]:
    """How often each reading is given, once labels have changed places."""
    return Counter(
        (
            tuple(frozenset(swap.get(code, code) for code in block) for block in one.blocks),
            one.confidence if weighs else None,
        )
        for one in said
    )
