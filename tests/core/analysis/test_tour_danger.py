"""Two models of the main sample: alike on average, far apart where the truth is dangerous."""

from __future__ import annotations

import re

import numpy as np
import pytest

from core.analysis import tour_danger
from core.analysis.models.supported import supported
from core.cli import sample_folder
from core.plausibility.aggregate import aggregate
from core.plausibility.settings import Aggregation
from core.study.model import Study
from core.study.reading.folder import read_study


@pytest.fixture(scope="module")
def study() -> Study:
    """The main sample."""
    return read_study(sample_folder())


def test_what_is_said_of_danger_is_what_the_sample_shows(study: Study) -> None:
    """Of both models what labels support, as Study shows it where the readings support it, and danger."""
    (task,) = study.tasks.values()
    table = supported(study, task, Aggregation("plackett-luce", 2.0)).table.set_index("model")
    words = tour_danger.danger_in_words(tour_danger.danger_table(study))
    rows = [table.loc[name] for name in tour_danger.MODELS]
    assert [int(number) for number in re.findall(r"\d+", words)] == [
        round(100 * row["caught"]) for row in rows
    ]
    low, high = ([row[end] for row in rows] for end in ("low", "high"))
    assert max(low) < min(high), "about alike"
    assert max(abs(low[0] - low[1]), abs(high[0] - high[1])) < 0.05


def test_the_dangerous_truths_are_counted_by_hand(study: Study) -> None:
    """P(it is of high risk) over the cases in which such a label is named, of its sum over all cases."""
    (task,) = study.tasks.values()
    posterior = aggregate(study, task, tour_danger.AGGREGATION)
    leads = posterior.candidates.table(posterior.top1)
    dangerous = np.flatnonzero(task.risk == 2)
    table = tour_danger.danger_table(study).set_index("model")
    for model in tour_danger.MODELS:
        named = task.predictions[model].probability.argmax(axis=1)
        hit = leads[:, dangerous].sum(axis=1) * np.isin(named, dangerous)
        share = hit.sum() / leads[:, dangerous].sum()
        assert table.loc[model, "caught"] == pytest.approx(share, abs=0.01)


def test_they_are_about_alike_on_average_and_not_in_danger(study: Study) -> None:
    """As the sentence says: their ranges nearly agree, and the intervals of danger lie apart."""
    one, other = (row for _, row in tour_danger.danger_table(study).iterrows())
    assert (one["low"], one["high"]) == pytest.approx((other["low"], other["high"]), abs=0.02)
    assert other["caught_high"] < one["caught_low"]
    with pytest.raises(KeyError):
        tour_danger.danger_table(read_study(sample_folder("toy_three_labels")))
