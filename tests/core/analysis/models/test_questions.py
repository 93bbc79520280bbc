"""Who is best by which question: the winner of each kind of draw, equals together, in Study's words first."""

from __future__ import annotations

import pandas as pd
import pytest

from core.analysis.models.questions import ACCURACY, COLUMNS, who_is_best
from core.analysis.models.settings import ComparisonSettings
from core.analysis.models.supported import supported
from core.analysis.models.supported_words import details, headline
from core.analysis.models.tables import measured, resampled
from core.cli import sample_folder
from core.plausibility.settings import default_aggregation
from core.study.reading.folder import read_study

METRICS = pd.DataFrame(
    {"metric": ACCURACY, "model": ["A", "B", "twin of A"], "same_as": ["", "", "A"], "hard": 0.8, "soft": 0.7}
)
SUPPORTED = pd.DataFrame({"names": ["B", "A = twin of A"], "value": [0.7, 0.6], "best": [0.91, 0.09]})


def drawn(*rows: tuple[str, str, float, float, float]) -> pd.DataFrame:
    """P(best) of A, B and the twin by source and metric."""
    return pd.DataFrame(
        [
            {"source": source, "metric": metric, "model": model, "probability": p}
            for source, metric, *shares in rows
            for model, p in zip(METRICS["model"], shares, strict=True)
        ],
        columns=["source", "metric", "model", "probability"],
    )


def test_each_draw_has_its_winner() -> None:
    """Support first, then other cases, then agreement by what is drawn; twins win together."""
    best = drawn(
        ("annotations", "accuracy", 0.3, 0.4, 0.3),
        ("cases", "accuracy", 0.25, 0.5, 0.25),
        ("cases", "adjusted accuracy", 0.01, 0.98, 0.01),
    )
    found = who_is_best(SUPPORTED, METRICS, best, annotations="bootstrap", is_point=False)
    assert tuple(found.columns) == COLUMNS
    support, elsewhere, again, other = found.itertuples(index=False, name=None)
    assert support[2:] == ("B", 0.91)
    assert support[1].startswith("the truth")
    assert elsewhere[1:] == ("the cases", "B", 0.98)
    assert again[1:] == ("the readings", "A = twin of A", pytest.approx(0.6))
    assert other[1:] == ("the cases", "A = twin of A and B", 0.5)
    assert again[0] == other[0] != elsewhere[0] != support[0]


def test_without_draws_only_support_is_told_and_of_a_point_nothing() -> None:
    """A point estimate is one truth: no share of truths."""
    none = drawn()
    assert len(who_is_best(SUPPORTED, METRICS, none, annotations="bootstrap", is_point=False)) == 1
    assert who_is_best(SUPPORTED, METRICS, none, annotations="bootstrap", is_point=True).empty


def test_plausible_truths_are_called_so() -> None:
    """Their leading labels are taken for certain, which readings drawn anew are not called."""
    best = drawn(("annotations", "accuracy", 0.3, 0.4, 0.3), ("both", "accuracy", 0.3, 0.4, 0.3))
    found = who_is_best(SUPPORTED, METRICS, best, annotations="plausibility", is_point=False)
    assert all("taken for certain" in words for words in found["drawn anew"].iloc[1:])


def test_the_first_row_is_what_study_says() -> None:
    """The same model and the same number for the same question."""
    study = read_study(sample_folder("toy_three_labels"))
    (task,) = study.tasks.values()
    aggregation, settings = default_aggregation(task), ComparisonSettings(n_draws=50)
    judged = supported(study, task, aggregation)
    found = measured(study, task, settings, aggregation=aggregation)
    best = resampled(
        study, task, settings, metrics=("accuracy", "adjusted accuracy"), aggregation=aggregation
    ).best
    rows = who_is_best(
        judged.table,
        found.metrics[found.metrics["metric"] == ACCURACY],
        best,
        annotations="bootstrap",
        is_point=False,
    )
    first = rows.iloc[0]
    assert f": {first['winner']}, supported in" in headline(judged)
    one = first["winner"].split(" and ")[0]
    assert f"{one} is the most accurate in {100 * first['share']:.0f} of 100" in details(judged)
    assert rows["drawn anew"].tolist()[1:] == ["the cases", "the readings", "the cases", "readings and cases"]
