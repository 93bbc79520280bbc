"""Patterns of answers, against counting them case by case."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np

from core.streamed.patterns import count_patterns
from core.study.simulation.simulate import simulate


def test_patterns_are_counted_case_by_case() -> None:
    """Each with its labels and how often each was given; cases that nobody read have none."""
    study = simulate("choice", n_cases=400, n_labels=3, seed=4).study
    task = next(iter(study.tasks.values()))
    readings = task.readings.keep(task.readings.case > 20)
    task = replace(task, readings=readings)
    wanted = Counter(
        tuple(sorted(Counter(readings.label[begin:end].tolist()).items()))
        for begin, end in zip(readings.case_start[:-1], readings.case_start[1:], strict=True)
        if end > begin
    )
    found = count_patterns(study, task)
    assert found == wanted
    assert sum(found.values()) == np.count_nonzero(readings.per_case) > 5 * len(found)
