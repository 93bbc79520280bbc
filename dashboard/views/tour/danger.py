"""The last step: two models of the main sample, alike on average, of which one misses what is dangerous."""

from __future__ import annotations

import pandas as pd

from core.analysis import tour_danger
from core.analysis.export import provenance
from core.analysis.formatting import percent
from core.plausibility.settings import default_aggregation
from core.study.model import Study
from dashboard.charts.tour.danger import danger_chart
from dashboard.components.picture import picture
from dashboard.shell import cache, state, studies, theme, trust
from dashboard.views.tour.steps import step
from sample_data.supported import DANGER

_TITLE = "Where does it err?"


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


def found() -> pd.DataFrame:
    """How often each of two models of the sample warns of a dangerous truth, as it comes with it."""
    return tour_danger.kept_table(sample(), DANGER)


def show(number: int) -> None:
    """Draw how often each of two models warns of a dangerous truth."""
    study, table = sample(), found()
    (task,) = study.tasks.values()
    with step(number, _TITLE, tour_danger.danger_in_words(table)):
        picture(
            danger_chart(table, tokens=theme.tokens()),
            name="tour-danger",
            alternative="Share of dangerous cases that each model warns of. "
            + "; ".join(f"{row['model']}: {percent(row['caught'])}" for _, row in table.iterrows())
            + ".",
            caption="Averaged over plausible truths; each reading counts twice, as this sample’s readings "
            "support. Thin line: 95\u00a0% interval over cases.",
            table=table.round(6),
            provenance=provenance(study, task, tour_danger.AGGREGATION),
        )


def look_ahead() -> None:
    """Begin what the pages of the sample need first, where they come next; the tour waits for none of it."""
    study, now = sample(), state.view()
    (task,) = study.tasks.values()
    if now.study not in ("", studies.SAMPLE) or now.reliability is not None:
        return
    aggregation = default_aggregation(task)
    cache.steps(study, task, aggregation).compute_ahead(aggregation.reliability)
    trust.predict(study, task, aggregation, 0)
