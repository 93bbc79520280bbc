"""Chest X-rays: five findings, eight readers, ten models, and two ways to have learnt from the readers."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.special import expit

from core.study.fingerprint import fingerprint
from core.study.model import FloatArray, Predictions, Study, Task
from core.study.simulation.findings import draw_evidence, present_or_absent, score_majority, score_shares
from core.study.simulation.readers import assign, draw_choices, draw_reliability, rater_truth
from core.study.simulation.simulate import SIMULATED
from core.study.simulation.truth import Truth
from sample_data.sample import Sample

N_CASES = 280
N_READERS = 8
SEED = 2


class Finding(NamedTuple):
    """Share that calls it present in the middling case, and standard deviation of the log odds."""

    prevalence: float
    spread: float


FINDINGS = {
    "Atelectasis": Finding(0.35, 1.9),
    "Cardiomegaly": Finding(0.30, 2.2),
    "Consolidation": Finding(0.12, 2.0),
    "Edema": Finding(0.20, 2.6),
    "Pleural Effusion": Finding(0.22, 5.5),
}
LABELS = ("absent", "present")
MAJORITY = {
    "Majority 1": (0.1, 0.9),
    "Majority 2": (0.3, 1.0),
    "Majority 3": (0.45, 1.1),
    "Majority 4": (0.5, 1.3),
    "Majority 5": (0.6, 1.5),
}
"""Blur and haze of the models that have learnt what the majority says."""
SHARES = {"Share 1": 1.0, "Share 2": 1.15, "Share 3": 1.3, "Share 4": 1.5}
"""Blur of the models that have learnt the readers' shares."""
COPY, COPIED = "Share 2b", "Share 2"

DESCRIPTION = (
    "280 made-up chest X-ray studies without images: 8 readers mark each of five findings absent or "
    "present, and ten models predict them. The models differ in what they have learnt. Majority 1 to 5 "
    "know well on which side of one half the readers' share lies, and little else: a study that two of "
    "eight readers call positive looks to them like one that nobody does. Share 1 to 4 know the share, but "
    "less sharply, so they take the wrong side of one half more often. Hard metrics see the majority only "
    "and put the first kind ahead; soft metrics see the borderline studies as what they are and favour the "
    "second. For AUROC the leader changes in every finding but Cardiomegaly. Share 2b is Share 2 under "
    "another name."
)


def build() -> Sample:
    """Draw the sample; every reader reads every study."""
    rng = np.random.default_rng(SEED)
    evidence = draw_evidence(
        rng,
        N_CASES,
        prevalence=[finding.prevalence for finding in FINDINGS.values()],
        spread=[finding.spread for finding in FINDINGS.values()],
    )
    view = np.where(rng.random(N_CASES) < expit(evidence.mean(axis=0) + 1), "AP", "PA")
    assignment = assign(rng, N_CASES, raters_per_case=N_READERS, n_raters=N_READERS)
    reliability = draw_reliability(rng, assignment, reliability=1.0, spread=0.25)
    tasks, truth = {}, {}
    for finding, log_odds in zip(FINDINGS, evidence, strict=True):
        plausibility = present_or_absent(log_odds)
        readings = draw_choices(rng, assignment, plausibility, reliability)
        readings = replace(readings, confidence=np.full(readings.n_readings, np.nan))
        models = _models(rng, log_odds)
        tasks[finding] = Task(finding, "choice", LABELS, readings, models, positive=LABELS[1])
        truth[finding] = Truth(plausibility, rater_truth(plausibility, reliability, assignment.rater_ids))
    case_ids = tuple(f"x{i + 1:03d}" for i in range(N_CASES))
    shares = {f"true_share_{name}": np.round(of.plausibility[:, 1], 3) for name, of in truth.items()}
    cases = pd.DataFrame({"view": view.tolist(), **shares}, index=pd.Index(case_ids, name="case_id"))
    study = Study(
        name="Chest X-ray findings (simulated)",
        case_ids=case_ids,
        rater_ids=assignment.rater_ids,
        tasks=tasks,
        cases=cases,
        fingerprint=fingerprint(case_ids, assignment.rater_ids, tasks, cases, seed=SEED),
        description=f"{SIMULATED} {DESCRIPTION}",
        source="Simulated.",
        licence="Apache-2.0",
        seed=SEED,
    )
    return Sample(study, truth)


def _models(rng: np.random.Generator, evidence: FloatArray) -> dict[str, Predictions]:
    """Predictions of all models for one finding, in the natural order of their names."""
    score = {
        model: score_majority(rng, evidence, n_raters=N_READERS, blur=blur, haze=haze)
        for model, (blur, haze) in MAJORITY.items()
    }
    score |= {model: score_shares(rng, evidence, blur=blur) for model, blur in SHARES.items()}
    score[COPY] = score[COPIED]
    return {model: Predictions(model, _rounded(score[model])) for model in sorted(score)}


def _rounded(score: FloatArray) -> FloatArray:
    """Probabilities of absent and present in whole thousandths, none of them 0."""
    present = np.clip(np.round(1000 * score), 1, 999)
    return np.stack([1000 - present, present], axis=1) / 1000
