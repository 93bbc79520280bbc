"""Scores: how severe a made-up lesion is, on a scale from 0 to 10."""

from __future__ import annotations

from dataclasses import replace

from core.study.fingerprint import fingerprint
from core.study.simulation.simulate import SIMULATED, simulate_scores
from sample_data.sample import Sample, stated

N_CASES = 150
SEED = 10

DESCRIPTION = (
    "A severity score from 0 to 10 in steps of a half, given by 3 to 6 of 10 raters, each with a bias "
    "and a noise of their own; 5 or more counts as severe. Two models say how likely each side is: "
    "Confident has learnt on which side the mean score falls and is sure of it even beside the "
    "threshold; Calibrated says how likely a score is to fall on each side."
)


def build() -> Sample:
    """Draw the sample."""
    simulated = simulate_scores(n_cases=N_CASES, seed=SEED)
    (task,) = simulated.study.tasks.values()
    tasks = {"severity": replace(task, name="severity")}
    known = simulated.study
    study = replace(
        known,
        name="Lesion severity scores (simulated)",
        description=f"{SIMULATED} {DESCRIPTION}",
        source="Simulated.",
        licence="Apache-2.0",
        tasks=tasks,
        fingerprint=fingerprint(known.case_ids, known.rater_ids, tasks, known.cases, seed=known.seed),
    )
    return Sample(stated(study, "construction"), simulated.truth)
