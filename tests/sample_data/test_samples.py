"""The bundled samples: they rebuild exactly, read cleanly, say what they are, and hold what they promise."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from PIL import Image
from scipy.stats import norm
from sklearn.datasets import load_digits

from core.analysis.cases.worklist import worklist_of
from core.metrics.adjusted.metrics import adjusted_metrics
from core.plausibility.dirichlet import label_counts, prirn
from core.plausibility.settings import Aggregation
from core.study.fingerprint import fingerprint_of
from core.study.model import Study, Task
from core.study.reading.folder import read_study, write_study
from core.study.simulation.truth import Truth
from sample_data.build import SAMPLES, build_samples
from sample_data.conditions import AGES, CONDITIONS
from sample_data.png import grey_png

FOLDER = Path(__file__).parents[2] / "sample_data"
PUBLISHED = "stutz-2025-fig-5"


def files(folder: Path) -> dict[str, bytes]:
    """Content of every file of the samples below a folder."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for name in SAMPLES
        for path in sorted((folder / name).rglob("*"))
        if path.is_file()
    }


@pytest.fixture(scope="module")
def studies() -> dict[str, Study]:
    """All samples as read from the project."""
    return {name: read_study(FOLDER / name) for name in SAMPLES}


def only_task(study: Study) -> Task:
    """Return the one task of a study."""
    (task,) = study.tasks.values()
    return task


def test_samples_rebuild_byte_for_byte(tmp_path: Path) -> None:
    """One command writes exactly the files that the project holds."""
    build_samples(tmp_path)
    rebuilt, kept = files(tmp_path), files(FOLDER)
    assert set(rebuilt) == set(kept)
    assert [path for path in kept if rebuilt[path] != kept[path]] == []


def test_samples_are_small() -> None:
    """All samples together stay under 3 MB."""
    assert sum(map(len, files(FOLDER).values())) < 3e6


@pytest.mark.parametrize("name", SAMPLES)
def test_samples_read_without_a_remark_and_say_what_they_are(studies: dict[str, Study], name: str) -> None:
    """No problem, no warning; name and description say that the study is simulated."""
    study = studies[name]
    assert study.notes == ()
    assert "simulated" in study.name
    assert study.description.startswith("Simulated, not real patients.")
    assert study.source
    assert study.licence


@pytest.mark.parametrize("name", SAMPLES)
def test_reading_gives_back_what_was_drawn(studies: dict[str, Study], name: str) -> None:
    """The study in the files is the study in memory."""
    drawn = SAMPLES[name]().study
    assert studies[name].fingerprint == drawn.fingerprint
    assert studies[name].rater_ids == drawn.rater_ids


def mean_metric(study: Study, gamma: float, metric: str) -> dict[str, float]:
    """Mean over cases of one adjusted metric of every model."""
    task = only_task(study)
    aggregate = prirn if task.kind == "ranking" else label_counts
    posterior = aggregate(task.readings, len(task.labels), gamma=gamma)
    return {
        model: float(np.nanmean(adjusted_metrics(posterior, predictions)[metric]))
        for model, predictions in task.predictions.items()
    }


def test_dermatology_best_model_changes_with_the_reliability(studies: dict[str, Study]) -> None:
    """Model B leads against the collapsed label, Model A where raters are trusted little."""
    study = studies["dermatology_like"]
    hard = mean_metric(study, np.inf, "top-1 accuracy")
    adjusted = mean_metric(study, 1.0, "top-1 accuracy")
    assert sorted(hard, key=hard.__getitem__)[-2:] == ["Model A", "Model B"]
    assert max(adjusted, key=adjusted.__getitem__) == "Model A"
    assert adjusted["Model A"] > adjusted["Model B"] + 0.02
    assert min(adjusted, key=adjusted.__getitem__) == "Model C"
    ranking = mean_metric(study, 3.0, "average overlap @3")
    assert max(ranking, key=ranking.__getitem__) == "Model A"
    assert ranking["Model A"] > ranking["Model B"] + 0.1


def test_dermatology_has_the_size_that_was_promised(studies: dict[str, Study]) -> None:
    """300 cases and the published one, 40 conditions, three risk levels, 3 to 8 readings a case, 4 models."""
    study = studies["dermatology_like"]
    task = only_task(study)
    per_case = task.readings.per_case[:-1]
    assert study.n_cases == 301
    assert len(task.labels) == 40
    assert set(task.risk.tolist()) == {0, 1, 2}
    assert per_case.min() == 3
    assert per_case.max() == 8
    assert per_case.mean() == pytest.approx(5, abs=0.3)
    assert len(task.predictions) == 4


def test_dermatology_says_what_settles_each_label_of_high_risk(studies: dict[str, Study]) -> None:
    """And of no other label; the description says that these are examples. No other sample says any."""
    study = studies["dermatology_like"]
    task = only_task(study)
    assert [bool(by) for by in task.settled_by] == (task.risk == 2).tolist()
    assert study.description.endswith("are examples, not medical advice.")
    others = [of for one in studies.values() if one is not study for of in one.tasks.values()]
    assert not any(any(of.settled_by) for of in others)


def test_numbers_do_not_hang_on_what_settles_cases(studies: dict[str, Study], tmp_path: Path) -> None:
    """Without what is said of it the study is as before it could be said, and every draw is the same."""
    study = studies["dermatology_like"]
    task = only_task(study)
    plain = replace(study, tasks={task.name: replace(task, settled_by=())}, reference_standard="")
    assert fingerprint_of(plain) == "88151502fc8fd1be" != study.fingerprint
    write_study(plain, tmp_path / "plain")
    again = read_study(tmp_path / "plain")
    assert again.fingerprint == "88151502fc8fd1be"
    for model in ("plackett-luce", "prirn"):
        of = Aggregation(model, 1.0)
        ours, theirs = (worklist_of(one, only_task(one), of) for one in (study, again))
        assert not ours.pop("settled_by_reference").any(), "readers alone settle nothing"
        pd.testing.assert_frame_equal(ours, theirs)


def test_dermatology_cases_make_clinical_sense(studies: dict[str, Study]) -> None:
    """The most plausible condition is one that is usual at the site, and known at the age, of its patient."""
    cases = studies["dermatology_like"].cases.drop(PUBLISHED)
    at_site = [
        site in CONDITIONS[condition].sites.split()
        for condition, site in zip(cases["reference"], cases["body_site"], strict=True)
    ]
    at_age = [
        CONDITIONS[condition].ages[AGES.index(age)] > 0
        for condition, age in zip(cases["reference"], cases["age_group"], strict=True)
    ]
    assert np.mean(at_site) > 0.97
    assert np.mean(at_age) > 0.97
    share = cases["reference"].map(lambda condition: CONDITIONS[condition].risk == 2).mean()
    assert 0.08 < share < 0.25


def test_published_case_is_as_published(studies: dict[str, Study]) -> None:
    """The six differentials of figure 5, and models with the prediction sets that are compared there."""
    study = studies["dermatology_like"]
    task = only_task(study)
    case = study.case_ids.index(PUBLISHED)
    assert [task.braces(reading) for reading in task.readings.of_case(case)] == [
        "{Pyogenic granuloma} {Hemangioma} {Melanoma}",
        "{Angiokeratoma of skin} {Atypical Nevus}",
        "{Hemangioma} {Melanocytic Nevus, Melanoma, O/E - ecchymoses present}",
        "{Hemangioma, Melanoma, Skin Tag}",
        "{Melanoma}",
        "{Hemangioma} {Melanoma} {Melanocytic Nevus}",
    ]
    top3 = {
        model: {task.labels[label] for label in np.argsort(-predictions.probability[case])[:3]}
        for model, predictions in task.predictions.items()
    }
    assert top3["Model D"] == {"Atypical Nevus", "Hemangioma", "Melanocytic Nevus"}
    assert top3["Model A"] == {"Hemangioma", "Melanocytic Nevus", "Melanoma"}
    assert study.cases.loc[PUBLISHED, "reference"] == ""


def test_toy_plausibilities_follow_from_the_observation(studies: dict[str, Study]) -> None:
    """True plausibilities are Bayes' rule on x, and readings are as frequent in each third of the cases."""
    study = studies["toy_three_labels"]
    task = only_task(study)
    true = study.cases[["true_A", "true_B", "true_C"]].to_numpy()
    density = norm.pdf(study.cases["x"].to_numpy()[:, None], [-1.5, 0.0, 1.5])
    np.testing.assert_allclose(true, density / density.sum(axis=1, keepdims=True), atol=6e-5)
    np.testing.assert_allclose(task.predictions["Bayes-optimal"].probability, true, atol=2e-4)
    assert (task.readings.per_case == 3).all()
    counts = np.zeros_like(true)
    np.add.at(counts, (task.readings.case[task.readings.entry_reading], task.readings.label), 1)
    for third in np.array_split(np.arange(study.n_cases), 3):
        np.testing.assert_allclose(counts[third].mean(axis=0) / 3, true[third].mean(axis=0), atol=0.12)


def test_toy_models_agree_on_labels_and_not_on_certainty(studies: dict[str, Study]) -> None:
    """Overconfident names the same class as Bayes-optimal, at a higher loss; Shifted another in 21 cases."""
    study = studies["toy_three_labels"]
    true = study.cases[["true_A", "true_B", "true_C"]].to_numpy()
    models = {model: p.probability for model, p in only_task(study).predictions.items()}
    loss = {model: -(true * np.log(p)).sum(axis=1).mean() for model, p in models.items()}
    best = models["Bayes-optimal"].argmax(axis=1)
    assert (models["Overconfident"].argmax(axis=1) == best).all()
    assert (models["Shifted"].argmax(axis=1) != best).sum() == 21
    assert loss["Overconfident"] > loss["Bayes-optimal"] + 0.3


def test_score_models_change_places(studies: dict[str, Study]) -> None:
    """Confident wins on the side of the mean score, Calibrated on the side of the true score."""
    study = studies["scores"]
    task = only_task(study)
    readings = task.readings
    assert task.threshold == 5.0
    assert (readings.per_case.min(), readings.per_case.max()) == (3, 6)
    observed = np.bincount(readings.case, weights=readings.score) / readings.per_case >= 5
    true = study.cases["true_score"].to_numpy() >= 5
    side = {model: p.probability[:, 1] >= 0.5 for model, p in task.predictions.items()}
    assert (side["Confident"] == observed).mean() > (side["Calibrated"] == observed).mean()
    assert (side["Confident"] == true).mean() < (side["Calibrated"] == true).mean()


def _soft_auroc(score: np.ndarray, share: np.ndarray) -> float:
    """Lionetti 2025, eq. 4, pair by pair: a case is a positive by its share and a negative by the rest."""
    weight = share[:, None] * (1 - share)
    above = (score[:, None] > score) + 0.5 * (score[:, None] == score)
    return float((weight * above).sum() / weight.sum())


def _leaders(task: Task) -> tuple[dict[str, float], dict[str, float]]:
    """AUROC of every model against the strict majority, and against the shares of readers."""
    share = np.bincount(task.readings.case, weights=task.readings.label) / task.readings.per_case
    scores = {model: p.probability[:, 1] for model, p in task.predictions.items()}
    hard = {model: _soft_auroc(score, (share > 0.5).astype(float)) for model, score in scores.items()}
    return hard, {model: _soft_auroc(score, share) for model, score in scores.items()}


def test_chest_sizes(studies: dict[str, Study]) -> None:
    """Eight readers of every case, five findings, ten models, two of them identical, in small files."""
    study = studies["chest_xrays"]
    assert (study.n_cases, len(study.rater_ids), len(study.tasks)) == (280, 8, 5)
    for task in study.tasks.values():
        assert (task.labels, task.positive) == (("absent", "present"), "present")
        assert (task.readings.per_case == 8).all()
        assert len(task.predictions) == 10
        alike = [
            {one, other}
            for one, a in task.predictions.items()
            for other, b in task.predictions.items()
            if one < other and (a.probability == b.probability).all()
        ]
        assert alike == [{"Share 2", "Share 2b"}]
    size = sum(path.stat().st_size for path in (FOLDER / "chest_xrays").rglob("*.csv"))
    assert size < 600_000


def test_chest_models_change_places(studies: dict[str, Study]) -> None:
    """The leader changes in every finding but Cardiomegaly; models that know the shares gain as a group."""
    for finding, task in studies["chest_xrays"].tasks.items():
        hard, soft = _leaders(task)
        assert max(hard, key=hard.__getitem__).startswith("Majority"), finding
        best = max(soft, key=soft.__getitem__)
        assert best.startswith("Majority" if finding == "Cardiomegaly" else "Share"), finding
        lost = {model: hard[model] - soft[model] for model in hard}
        kinds = [np.mean([lost[m] for m in lost if m.startswith(kind)]) for kind in ("Majority", "Share")]
        assert kinds[0] > kinds[1] + 0.015, finding


def test_chest_readings_follow_the_true_shares(studies: dict[str, Study]) -> None:
    """In every fifth of the cases, as many readings are positive as the truth says."""
    study = studies["chest_xrays"]
    for finding, task in study.tasks.items():
        true = study.cases[f"true_share_{finding}"].to_numpy()
        read = np.bincount(task.readings.case, weights=task.readings.label) / 8
        for fifth in np.array_split(np.argsort(true), 5):
            error = np.sqrt((true * (1 - true))[fifth].mean() / (8 * len(fifth)))
            # Readers differ in reliability, which moves shares towards or away from one half.
            assert abs(read[fifth].mean() - true[fifth].mean()) < 4 * error + 0.04, finding


def test_knee_readers_are_as_they_were_drawn(studies: dict[str, Study]) -> None:
    """13 readers of 300 knees and 24 repeats; accuracies near those that the readers were given."""
    study = studies["knee_mri"]
    task, readings = only_task(study), only_task(study).readings
    assert (study.n_cases, len(study.rater_ids), task.positive) == (300, 13, "Tear")
    assert readings.n_readings == 13 * (300 + 24)
    assert set(readings.confidence.tolist()) == {0.2, 0.4, 0.6, 0.8, 1.0}
    truth = np.array([task.labels.index(label) for label in study.cases["reference"]])
    right = readings.label == truth[readings.case]
    given = SAMPLES["knee_mri"]().truth
    assert isinstance(given, Truth)
    for rater, accuracy in enumerate(given.raters["accuracy"]):
        assert right[readings.rater == rater].mean() == pytest.approx(accuracy, abs=0.06)
    size = sum(path.stat().st_size for path in (FOLDER / "knee_mri").rglob("*.csv"))
    assert size < 500_000


def test_knee_difficulty_is_shared(studies: dict[str, Study]) -> None:
    """Hard knees are misread, surer readings are right more often, second readings repeat the first."""
    study = studies["knee_mri"]
    readings = only_task(study).readings
    truth = (study.cases["reference"] == "Tear").to_numpy()
    right = readings.label == truth[readings.case]
    by_case = np.bincount(readings.case, right) / readings.per_case
    assert np.corrcoef(study.cases["true_difficulty"], by_case)[0, 1] < -0.8
    by_confidence = [right[readings.confidence == c].mean() for c in (0.4, 0.6, 0.8, 1.0)]
    assert (np.diff(by_confidence) > 0).all()
    key = readings.case * 13 + readings.rater
    second = np.flatnonzero(readings.repeat == 2)
    assert (key[second] == key[second - 1]).all()
    assert 0.88 < (readings.label[second] == readings.label[second - 1]).mean() < 0.98


def digit_truth(study: Study) -> np.ndarray:
    """Shares of the ten digits in every blend, from the columns of the case table."""
    cases = study.cases
    truth = np.zeros((study.n_cases, 10))
    rows = np.arange(study.n_cases)
    truth[rows, cases["true_digit_a"]] += cases["true_share_a"]
    truth[rows, cases["true_digit_b"]] += 1 - cases["true_share_a"]
    return truth


def test_mixed_digit_readings_follow_the_proportions(studies: dict[str, Study]) -> None:
    """Nobody names a digit that is not in the blend, and the first is named as often as its share says."""
    study = studies["mixed_digits"]
    readings = only_task(study).readings
    truth = digit_truth(study)
    case = readings.case[readings.entry_reading]
    assert truth[case, readings.label].min() > 0
    share = study.cases["true_share_a"].to_numpy()[case]
    named = readings.label == study.cases["true_digit_a"].to_numpy()[case]
    for low, high in ((0.5, 0.65), (0.65, 0.8), (0.8, 1.01)):
        inside = (share >= low) & (share < high)
        error = np.sqrt((share * (1 - share))[inside].sum()) / inside.sum()
        assert abs(named[inside].mean() - share[inside].mean()) < 3.5 * error
    assert (study.cases["reference"].astype(int) == study.cases["true_digit_a"]).all()
    assert (readings.per_case.min(), readings.per_case.max()) == (3, 7)


def test_mixed_digit_images_show_blends_of_two_digits(studies: dict[str, Study]) -> None:
    """Every image opens as 64 × 64 grey, and is a known blend of two of the digits up to rounding."""
    study = studies["mixed_digits"]
    images, digit = load_digits(return_X_y=True)
    assert study.root is not None
    for case, row in list(study.cases.iterrows())[::40]:
        with Image.open(study.root / row["image"]) as image:
            assert (image.size, image.mode, image.info) == ((64, 64), "L", {}), case
            shown = 16 * (1 - np.asarray(image, float)[::8, ::8].ravel() / 255)
        share = row["true_share_a"]
        first = images[digit == row["true_digit_a"]]
        second = images[digit == row["true_digit_b"]]
        blends = share * first[:, None] + (1 - share) * second[None]
        assert np.abs(blends - shown).max(axis=2).min() < 16 / 15 / 2 + 1e-9


def test_mixed_digit_classifiers_were_really_trained(studies: dict[str, Study]) -> None:
    """They know nearly every digit that is nearly pure, and miss more the more it is blended."""
    study = studies["mixed_digits"]
    share = study.cases["true_share_a"].to_numpy()
    truth = study.cases["true_digit_a"].to_numpy()
    for model, predictions in only_task(study).predictions.items():
        right = predictions.probability.argmax(axis=1) == truth
        assert right[share > 0.85].mean() > 0.93, model
        assert right[share < 0.65].mean() < right[share > 0.85].mean() - 0.1, model
    assert study.features is not None
    assert study.features.shape == (400, 6)


@pytest.mark.parametrize("shape", [(1, 2), (3, 4), (64, 64)])
def test_png_holds_the_levels_given(tmp_path: Path, shape: tuple[int, int]) -> None:
    """Another program reads back what was encoded."""
    level = np.random.default_rng(0).integers(0, 16, size=shape)
    (tmp_path / "a.png").write_bytes(grey_png(level))
    with Image.open(tmp_path / "a.png") as image:
        np.testing.assert_array_equal(np.asarray(image), level * 17)


@pytest.mark.parametrize("level", [np.array([[0, 16]]), np.array([[-1, 0]]), np.zeros((2, 3), int)])
def test_png_refuses_other_levels_and_widths(level: np.ndarray) -> None:
    """Sixteen levels and an even width are what the format holds."""
    with pytest.raises(ValueError, match="levels from 0 to 15 and an even width"):
        grey_png(level)
