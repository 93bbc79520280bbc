"""Knee MRI: 13 readers say whether a knee is torn, how sure they are, and read some knees twice."""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy.special import expit

from core.metrics.fineness.difficulty import accuracy_by_difficulty
from core.study.fingerprint import fingerprint
from core.study.model import FloatArray, IntArray, Predictions, Readings, Study, Task
from core.study.simulation.simulate import SIMULATED
from core.study.simulation.truth import Truth
from sample_data.sample import Sample, stated

N_CASES = 300
N_TWICE = 24
"""Cases that every reader reads a second time."""
AFRESH = 0.4
"""Share of second readings that are judged anew; the others repeat the first one."""
SEED = 13
PREVALENCE = 0.42
DIFFICULTY = 2.3
"""Standard deviation of the cases' difficulty on the logit scale."""
ACCURACY = (0.88, 0.84, 0.82, 0.80, 0.91, 0.79, 0.74, 0.86, 0.83, 0.81, 0.71, 0.85, 0.78)
"""Accuracy of each reader over all knees of this kind."""
BOLDNESS = (1.2, 0.6, 0.3, 0.5, 1.5, 0.9, 0.1, -0.2, -0.9, 1.0, 0.8, 0.2, 0.0)
"""How much surer than the evidence each reader says to be, on the logit scale."""
LABELS = ("No tear", "Tear")
SITES = ("North", "Harbour", "Lakeside")

DESCRIPTION = (
    "13 readers say of each of 300 knees whether there is a tear, and how sure they are in steps of a fifth; "
    "each reads 24 knees twice. The reference stands for what surgery found. Difficulty is shared: where one "
    "reader errs the others tend to err too, so that a majority gains less from more readers than "
    "independent errors would promise. Readers differ in accuracy and in how bold they are. One site "
    "has the older scanner and older patients. Network and Checklist are two models."
)


def build() -> Sample:
    """Draw the sample."""
    rng = np.random.default_rng(SEED)
    torn = (rng.random(N_CASES) < PREVALENCE).astype(np.int64)
    difficulty = DIFFICULTY * rng.standard_normal(N_CASES)
    readings = _draw_readings(rng, torn, difficulty)
    ids = tuple(f"knee-{i + 1:03d}" for i in range(N_CASES))
    rater_ids = tuple(f"reader-{r + 1:02d}" for r in range(len(ACCURACY)))
    site = rng.choice(len(SITES), N_CASES, p=[0.5, 0.3, 0.2])
    cases = _cases(rng, ids, torn, difficulty, site)
    features = _features(rng, ids, torn, difficulty, site)
    tasks = {
        "tear": Task("tear", "choice", LABELS, readings, _predict(rng, torn, difficulty), positive="Tear")
    }
    study = Study(
        name="Knee MRI readings (simulated)",
        case_ids=ids,
        rater_ids=rater_ids,
        tasks=tasks,
        cases=cases,
        fingerprint=fingerprint(ids, rater_ids, tasks, cases, features=features, seed=SEED),
        description=f"{SIMULATED} {DESCRIPTION}",
        source="Simulated.",
        licence="Apache-2.0",
        features=features,
        seed=SEED,
    )
    raters = pd.DataFrame({"accuracy": ACCURACY}, index=pd.Index(rater_ids, name="rater_id"))
    return Sample(stated(study, "surgery"), Truth(np.eye(2)[torn], raters))


def _draw_readings(rng: np.random.Generator, torn: IntArray, difficulty: FloatArray) -> Readings:
    """Every reader reads every knee, and some knees twice."""
    n_raters = len(ACCURACY)
    times = np.ones(N_CASES, np.int64)
    times[rng.permutation(N_CASES)[:N_TWICE]] = 2
    per_case = times * n_raters
    case = np.repeat(np.arange(N_CASES), per_case)
    place = np.arange(len(case)) - np.repeat(np.cumsum(per_case) - per_case, per_case)
    rater, repeat = place // times[case], place % times[case] + 1
    evidence = _abilities()[rater] - difficulty[case]
    # The second time a reader mostly sees what was seen the first time.
    seen = rng.logistic(size=(N_CASES, n_raters))[case, rater]
    afresh = (repeat == 2) & (rng.random(len(case)) < AFRESH)
    noise = np.where(afresh, rng.logistic(size=len(case)), seen)
    right = evidence + noise > 0
    label = np.where(right, torn[case], 1 - torn[case])
    return Readings(
        case_start=np.concatenate([[0], np.cumsum(per_case)]).astype(np.int64),
        rater=rater.astype(np.int32),
        repeat=repeat.astype(np.int32),
        confidence=_confidence(rng, np.abs(evidence + noise), np.array(BOLDNESS)[rater]),
        score=np.full(len(case), np.nan),
        entry_start=np.arange(len(case) + 1, dtype=np.int64),
        label=label.astype(np.int32),
        block=np.zeros(len(case), np.int32),
    )


def _abilities() -> FloatArray:
    """Ability of each reader, on the logit scale, that gives the accuracy over knees of all difficulties."""
    middle = accuracy_by_difficulty(np.array(ACCURACY), DIFFICULTY)
    at_zero = middle[len(middle) // 2]
    return np.log(at_zero / (1 - at_zero))


def _confidence(rng: np.random.Generator, distance: FloatArray, boldness: FloatArray) -> FloatArray:
    """Confidence in fifths, from .2 to 1: it grows with the distance from the reader's own threshold."""
    felt = expit(0.35 * distance - 0.6 + boldness + 0.5 * rng.standard_normal(len(distance)))
    return np.clip(np.ceil(5 * felt), 1, 5) / 5


def _cases(
    rng: np.random.Generator,
    ids: tuple[str, ...],
    torn: IntArray,
    difficulty: FloatArray,
    site: IntArray,
) -> pd.DataFrame:
    """Reference label, difficulty, and what is known of the patient."""
    age = np.clip(np.round(rng.normal(38 + 9 * (site == 2), 13)), 14, 82).astype(np.int64)
    return pd.DataFrame(
        {
            "reference": [LABELS[label] for label in torn],
            "true_difficulty": np.round(difficulty, 3),
            "site": [SITES[s] for s in site],
            "scanner_tesla": np.where(site == 2, 1.5, 3.0),
            "age": age,
            "sex": np.where(rng.random(N_CASES) < 0.54, "male", "female"),
        },
        index=pd.Index(ids, name="case_id"),
    )


def _features(
    rng: np.random.Generator,
    ids: tuple[str, ...],
    torn: IntArray,
    difficulty: FloatArray,
    site: IntArray,
) -> pd.DataFrame:
    """Five measurements of the picture; those of the third site differ."""
    older = site == 2
    noise = rng.standard_normal((5, N_CASES))
    columns = {
        "signal": 1.1 * torn - 0.1 * difficulty + noise[0],
        "effusion": np.exp(0.5 * torn + 0.6 * noise[1]),
        "contrast": 1.0 - 0.9 * older + 0.4 * noise[2],
        "noise_level": 0.5 + 0.5 * older + 0.05 * difficulty + 0.2 * noise[3],
        "cartilage_mm": 2.4 - 0.3 * older + 0.3 * noise[4],
    }
    return pd.DataFrame(
        {name: np.round(values, 3) for name, values in columns.items()}, index=pd.Index(ids, name="case_id")
    )


def _predict(rng: np.random.Generator, torn: IntArray, difficulty: FloatArray) -> dict[str, Predictions]:
    """Two models that find the same knees hard as the readers do, one of them better."""
    sign = np.where(torn == 1, 1.0, -1.0)
    models = {}
    for name, ability, doubt in (("Network", 3.1, 0.7), ("Checklist", 2.2, 0.5)):
        right = ability - 0.8 * difficulty + 1.5 * rng.standard_normal(N_CASES)
        tear = np.round(np.clip(expit(doubt * sign * right), 0.01, 0.99), 3)
        models[name] = Predictions(name, np.round(np.stack([1 - tear, tear], axis=1), 3))
    return models
