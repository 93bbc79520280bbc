"""Dermatology-like differentials: simulated cases, and one that was published."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from core.study.fingerprint import fingerprint
from core.study.model import FloatArray, IntArray, Predictions, Readings, Study, Task
from core.study.reference_standard import READERS
from core.study.simulation.models import round_probabilities, simulate_models, votes
from core.study.simulation.readers import assign, draw_rankings, draw_reliability, rater_truth
from core.study.simulation.simulate import simulated_study
from core.study.simulation.truth import Truth, draw_lead, draw_plausibility
from sample_data.conditions import AGES, CONDITIONS, LOOK_ALIKES, SETTLED_BY, SITES, SPELT_OUT
from sample_data.sample import Sample, stated

N_CASES = 300
SEED = 2025
SKIN_TYPES = ("I", "II", "III", "IV", "V", "VI")

DESCRIPTION = (
    "300 made-up cases after the pattern of the public dermatology release: 40 conditions with risk "
    "levels, and differentials with ties by 3 to 8 of 24 raters, drawn around a known truth. Four "
    "models differ by design: Model A follows the true plausibilities; Model B has learnt the collapsed "
    "label and is sure even where raters disagree; Model C follows the true plausibilities from afar; "
    "Model D sees the harmless look-alike of a dangerous condition. One further case, stutz-2025-fig-5, has "
    "the six differentials of the example in figure 5 of Stutz et al. 2025 (raters S1 to S6); what the "
    "models predict for it is made up. The reference of a case is the label that most of very many such "
    "raters would put first, so it counts as one by readers. The examinations that labels.csv names for "
    "labels of high risk (settled_by) are examples, not medical advice."
)
SOURCE = (
    "Simulated. Readings of stutz-2025-fig-5: dermatology release of "
    "https://github.com/google-deepmind/uncertain_ground_truth (CC BY 4.0)."
)

PUBLISHED_ID = "stutz-2025-fig-5"
PUBLISHED_DIFFERENTIALS: tuple[tuple[tuple[str, ...], ...], ...] = (
    (("Pyogenic granuloma",), ("Hemangioma",), ("Melanoma",)),
    (("Angiokeratoma of skin",), ("Atypical Nevus",)),
    (("Hemangioma",), ("Melanocytic Nevus", "Melanoma", "O/E - ecchymoses present")),
    (("Hemangioma", "Melanoma", "Skin Tag"),),
    (("Melanoma",),),
    (("Hemangioma",), ("Melanoma",), ("Melanocytic Nevus",)),
)
MODELS = {"Calibrated": "Model A", "Confident": "Model B", "Noisy": "Model C", "Risk-blind": "Model D"}
"""Names of the simulated models in this sample: in a sentence an adjective is not read as a model."""
PUBLISHED_PREDICTIONS: dict[str, dict[str, float]] = {
    "Model B": {"Hemangioma": 0.94, "Pyogenic granuloma": 0.02, "Angiokeratoma of skin": 0.015},
    "Model A": {
        "Hemangioma": 0.41,
        "Melanoma": 0.29,
        "Melanocytic Nevus": 0.11,
        "Pyogenic granuloma": 0.07,
        "Angiokeratoma of skin": 0.06,
        "Atypical Nevus": 0.03,
    },
    "Model C": {
        "Melanocytic Nevus": 0.21,
        "Hemangioma": 0.18,
        "Dermatofibroma": 0.15,
        "Pyogenic granuloma": 0.14,
        "Melanoma": 0.09,
        "Cyst": 0.08,
    },
    "Model D": {
        "Hemangioma": 0.47,
        "Melanocytic Nevus": 0.24,
        "Atypical Nevus": 0.11,
        "Pyogenic granuloma": 0.07,
        "Angiokeratoma of skin": 0.05,
        "Melanoma": 0.03,
    },
}


def build() -> Sample:
    """Draw the sample; the truth covers the simulated cases only."""
    rng = np.random.default_rng(SEED)
    labels = tuple(CONDITIONS)
    lead = draw_lead(rng, np.array([c.prevalence for c in CONDITIONS.values()]), N_CASES)
    site = _draw_rows(rng, _site_table()[lead])
    age = _draw_rows(rng, _age_table()[lead])
    skin = _draw_rows(rng, _skin_table()[lead])
    practice = np.array(["A", "B"])[(rng.random(N_CASES) < 0.4).astype(int)]
    plausibility = draw_plausibility(
        rng, lead, _resemblance(lead, site, age), ambiguity=0.46, concentration=3.0
    )
    assignment = assign(rng, N_CASES, raters_per_case=(3, 10), n_raters=24)
    reliability = draw_reliability(rng, assignment, reliability=1.0, spread=0.25)
    readings = draw_rankings(rng, assignment, plausibility, reliability)
    hard_label = np.argmax(votes(readings, len(labels)), axis=1)
    risk = np.array([c.risk for c in CONDITIONS.values()], np.int8)
    predictions = {
        MODELS[kind]: replace(made, model=MODELS[kind])
        for kind, made in simulate_models(rng, plausibility, hard_label, risk=risk).items()
    }
    description = tuple(SPELT_OUT.get(label, "") for label in labels)
    settled_by = tuple(SETTLED_BY.get(label, "") for label in labels)
    task = Task(
        "diagnosis", "ranking", labels, readings, predictions, risk, description, settled_by=settled_by
    )
    simulated = simulated_study(
        task,
        Truth(plausibility, rater_truth(plausibility, reliability, assignment.rater_ids)),
        assignment,
        name="Dermatology-like differentials (simulated)",
        description=DESCRIPTION,
        metadata={
            "body_site": [SITES[i] for i in site],
            "age_group": [AGES[i] for i in age],
            "skin_type": [SKIN_TYPES[i] for i in skin],
            "practice": practice.tolist(),
        },
        case_ids=[f"derm-{i + 1:03d}" for i in range(N_CASES)],
        source=SOURCE,
        licence="Apache-2.0; readings of stutz-2025-fig-5: CC BY 4.0",
        seed=SEED,
    )
    return Sample(stated(_with_published_case(simulated.study), READERS), simulated.truth)


def _draw_rows(rng: np.random.Generator, weight: FloatArray) -> IntArray:
    """One column for each row, by the row's weights."""
    cumulative = np.cumsum(weight, axis=1)
    threshold = rng.random(len(weight)) * cumulative[:, -1]
    return (threshold[:, None] >= cumulative[:, :-1]).sum(axis=1)


def _site_table() -> FloatArray:
    """Whether a site is usual for a condition, with shape (n_labels, n_sites)."""
    return np.array([[float(site in c.sites.split()) for site in SITES] for c in CONDITIONS.values()])


def _age_table() -> FloatArray:
    """How usual an age group is for a condition, with shape (n_labels, n_age_groups)."""
    return np.array([c.ages for c in CONDITIONS.values()], float)


def _skin_table() -> FloatArray:
    """How usual a skin type is for a condition, with shape (n_labels, n_skin_types)."""
    usual = np.array([0.06, 0.25, 0.30, 0.20, 0.12, 0.07])
    fair = usual * np.array([3.0, 2.5, 1.5, 0.5, 0.15, 0.1])
    return np.array([fair if c.sun else usual for c in CONDITIONS.values()])


def _resemblance(lead: IntArray, site: IntArray, age: IntArray) -> FloatArray:
    """Weight of every condition as an alternative, given each case's leading one, site and age."""
    labels = tuple(CONDITIONS)
    position = {label: k for k, label in enumerate(labels)}
    family = np.array([c.family for c in CONDITIONS.values()])
    alike = np.where(family[:, None] == family, 0.02, 0.0002)
    for weight, group in LOOK_ALIKES:
        members = np.array([position[label] for label in group])
        alike[np.ix_(members, members)] += weight
    at_site = np.where(_site_table()[:, site].T > 0, 1.0, 0.02)
    ages = _age_table()
    at_age = np.maximum(ages / ages.max(axis=1, keepdims=True), 0.01)[:, age].T
    return alike[lead] * at_site * at_age


def _with_published_case(study: Study) -> Study:
    """Add the published example as the last case, read by six raters of its own, without a reference."""
    (task,) = study.tasks.values()
    position = {label: k for k, label in enumerate(task.labels)}
    predictions = {}
    for model, known in task.predictions.items():
        row = np.full((1, len(task.labels)), (1 - sum(PUBLISHED_PREDICTIONS[model].values())))
        row /= len(task.labels) - len(PUBLISHED_PREDICTIONS[model])
        for label, probability in PUBLISHED_PREDICTIONS[model].items():
            row[0, position[label]] = probability
        predictions[model] = Predictions(model, np.vstack([known.probability, round_probabilities(row)]))
    readings = _with_differentials(task.readings, len(study.rater_ids), position)
    cases = study.cases.reindex([*study.case_ids, PUBLISHED_ID])
    texts = cases.columns != "true_share"
    cases.loc[PUBLISHED_ID, texts] = ""
    case_ids = (*study.case_ids, PUBLISHED_ID)
    rater_ids = (*study.rater_ids, *(f"S{i + 1}" for i in range(len(PUBLISHED_DIFFERENTIALS))))
    tasks = {task.name: replace(task, readings=readings, predictions=predictions)}
    return replace(
        study,
        case_ids=case_ids,
        rater_ids=rater_ids,
        tasks=tasks,
        cases=cases,
        fingerprint=fingerprint(case_ids, rater_ids, tasks, cases, seed=study.seed),
    )


def _with_differentials(readings: Readings, n_raters: int, position: dict[str, int]) -> Readings:
    """Readings with those of the published case appended."""
    n = len(PUBLISHED_DIFFERENTIALS)
    entries = [
        (position[label], block)
        for differential in PUBLISHED_DIFFERENTIALS
        for block, named in enumerate(differential)
        for label in sorted(named, key=position.__getitem__)
    ]
    lengths = [sum(map(len, differential)) for differential in PUBLISHED_DIFFERENTIALS]
    unknown = np.full(n, np.nan)
    return Readings(
        case_start=np.append(readings.case_start, readings.n_readings + n),
        rater=np.append(readings.rater, np.arange(n_raters, n_raters + n, dtype=np.int32)),
        repeat=np.append(readings.repeat, np.ones(n, np.int32)),
        confidence=np.append(readings.confidence, unknown),
        score=np.append(readings.score, unknown),
        entry_start=np.append(readings.entry_start, readings.entry_start[-1] + np.cumsum(lengths)),
        label=np.append(readings.label, np.array([label for label, _ in entries], np.int32)),
        block=np.append(readings.block, np.array([block for _, block in entries], np.int32)),
    )
