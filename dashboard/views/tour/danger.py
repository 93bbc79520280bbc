"""The last step: two models of the main sample, alike on average, of which one misses what is dangerous."""

from __future__ import annotations

import pandas as pd

from core.analysis import tour_danger
from core.analysis.export import provenance
from core.analysis.formatting import percent
from core.study.model import Study
from dashboard.charts.tour.danger import danger_chart
from dashboard.components.picture import picture
from dashboard.shell import cache, studies, theme
from dashboard.views.tour.steps import step


def sample() -> Study:
    """The main sample, which the pages show as well.

    Raises
    ------
    RuntimeError
        If it cannot be read.
    """
    source = studies.sources()[studies.SAMPLE]
    study = cache.open_source(source).study
    if study is None:
        raise RuntimeError(f"the bundled sample {source.title} cannot be read")
    return study


@cache.cached(2)
def _table(study: Study) -> pd.DataFrame:
    return tour_danger.danger_table(study)


def show(number: int) -> None:
    """Draw how often each of two models names a dangerous truth."""
    study = sample()
    (task,) = study.tasks.values()
    table = _table(study)
    with step(number, "Where does it err?", tour_danger.danger_in_words(table)):
        picture(
            danger_chart(table, tokens=theme.tokens()),
            name="tour-danger",
            alternative="Share of dangerous truths that a model names. "
            + "; ".join(f"{row['model']}: {percent(row['high_risk'])}" for _, row in table.iterrows())
            + ".",
            caption="Bar: of the cases in which a high-risk label is the truth, how many the model names, on "
            "average over plausible truths (γ = 1). Thin line: 95\u00a0% interval for other cases of this "
            "kind.",
            table=table.round(6),
            provenance=provenance(study, task, tour_danger.AGGREGATION),
        )
