"""A thing says what it is in a line: sizes, never contents."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from core.analysis.disagreement.forecasts import given_forecasts
from core.analysis.evaluate import evaluate
from core.analysis.models.comparison import comparison
from core.analysis.models.settings import ComparisonSettings
from core.analysis.models.tables import measured, resampled
from core.analysis.raters.panel import panel
from core.cli import sample_folder
from core.metrics.adjusted.predicted_order import order_of_probabilities
from core.metrics.calibration.label_histogram import task_histograms
from core.metrics.estimate import Estimate
from core.plausibility.aggregate import aggregate
from core.plausibility.settings import Aggregation
from core.study.brief import first_names, number_of
from core.study.model import Predictions, Study
from core.study.reading.folder import read_study


@pytest.fixture(scope="module")
def study() -> Study:
    """The sample of two digits and other labels."""
    return read_study(sample_folder("mixed_digits"))


def test_a_study_says_what_was_observed(study: Study) -> None:
    """Cases, raters, and for each task readings, labels and models."""
    task = next(iter(study.tasks.values()))
    n, models = task.readings.n_readings, len(task.predictions)
    said = f"choice, {n:,} readings, {len(task.labels)} labels, {models} models"
    sizes = f"{study.n_cases} cases, {len(study.rater_ids)} raters"
    assert repr(study) == f"Study({study.name!r}: {sizes}, task {task.name!r}: {said})"
    assert repr(task) == f"Task({task.name!r}: {said}, {study.n_cases} cases)"
    assert repr(task.readings) == f"Readings({n:,} readings of {study.n_cases} cases)"
    several = read_study(sample_folder("chest_xrays"))
    assert repr(several).endswith(f"{len(several.tasks)} tasks: {', '.join(several.tasks)})")


def test_predictions_say_their_kind() -> None:
    """Probabilities, several of each case, or scores."""
    ensemble = np.full((3, 2, 4), 0.25)
    ensemble[:, 1] = np.nan
    said = [Predictions.of_ensemble("net", ensemble), Predictions.of_scores("old", np.array([1.0]))]
    assert repr(said[0]) == "Predictions('net': probabilities of 4 labels, 1 of 2 cases, 3 draws each)"
    assert repr(said[1]) == "Predictions('old': scores, 1 of 1 case)"


def test_an_estimate_is_a_number_with_its_error() -> None:
    """As far as there is one."""
    assert repr(Estimate(0.83421, 0.01234, 1200)) == "Estimate(0.8342 ± 0.0123, 1,200 cases)"
    assert repr(Estimate(1.0, float("nan"), 1)) == "Estimate(1, 1 case)"
    assert repr(Estimate(float("nan"), float("nan"), 0)) == "Estimate(undefined, 0 cases)"


def test_nothing_shows_its_arrays(study: Study) -> None:
    """However many cases and labels there are."""
    task = next(iter(study.tasks.values()))
    exact, drawn = (aggregate(study, task, Aggregation(m, 1)) for m in ("label-counts", "plackett-luce"))
    forecast = given_forecasts(task)[0]
    things = [
        exact,
        drawn,
        drawn.draws,  # type: ignore[attr-defined]
        drawn.candidates,
        drawn.mean,
        comparison(study, task),
        measured(study, task),
        resampled(study, task, ComparisonSettings(n_draws=5)),
        panel(study, task),
        panel(study, task).counts,
        task_histograms(task),
        forecast,
        order_of_probabilities(forecast.probability, 2),
        evaluate(study),
    ]
    for thing in things:
        said = repr(thing)
        assert said.startswith(f"{type(thing).__name__}(")
        assert "array(" not in said
        assert "\n" not in said
        assert len(said) < 800
    assert repr(exact) == f"DirichletPosterior({study.n_cases} cases, {len(task.labels)} labels)"
    assert repr(drawn) == f"SampledPosterior({study.n_cases} cases, {len(task.labels)} labels, 1,000 draws)"
    assert repr(things[-1]).startswith(f"Evaluation(tables: cases ({study.n_cases} rows), ")


def test_numbers_have_their_nouns() -> None:
    """One is not several, and many names are counted."""
    assert number_of(1, "case") == "1 case"
    assert number_of(2000, "case") == "2,000 cases"
    assert first_names([str(i) for i in range(12)]).endswith("9 and 2 more")


def test_a_frame_in_a_dataclass_is_its_size(study: Study) -> None:
    """Rows and columns."""
    metrics = measured(study, next(iter(study.tasks.values()))).metrics
    assert isinstance(metrics, pd.DataFrame)
    assert f"metrics=<{len(metrics)} rows × {metrics.shape[1]} columns>" in repr(
        measured(study, next(iter(study.tasks.values())))
    )
