"""The last step: two models of the main sample, alike on average, of which one misses what is dangerous."""

from __future__ import annotations

import pandas as pd

from core.analysis import tour_danger
from core.analysis.export import provenance
from core.analysis.formatting import percent
from core.plausibility.settings import default_aggregation
from core.progress import Progress
from core.study.model import Study, Task
from dashboard.charts.tour.danger import danger_chart
from dashboard.components.picture import picture
from dashboard.shell import cache, compiling, state, studies, theme, trust
from dashboard.shell.progress import wait_shortly
from dashboard.views import parts
from dashboard.views.tour.steps import step

PATIENCE = 1.0
"""Seconds that the page waits for what is mostly known at once."""
_TITLE = "Where does it err?"
_AWAITED = (
    "An accuracy does not say where a model errs. Here two models of the simulated dermatology sample are "
    "compared on the dangerous cases.\n\nAt the first use on this computer that takes a minute or two, once; "
    "the rest of the tour does not wait for it."
)
_WORK = "Judging two models"


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


@cache.background
def judging(progress: Progress, study: Study) -> pd.DataFrame:
    """Find in the background how often each of two models warns of a dangerous truth."""
    progress(0.0, "preparing the program")
    compiling.wait()
    progress(0.5, "drawing truths")
    return tour_danger.danger_table(study)


def show(number: int) -> None:
    """Draw how often each of two models warns of a dangerous truth, once that is known."""
    study = sample()
    (task,) = study.tasks.values()
    job = judging(study)
    wait_shortly(job, PATIENCE)
    if job.result is None:
        with step(number, _TITLE, _AWAITED):
            parts.result_of(job, what=_WORK, key="tour-danger", quiet=True)
        return
    table = job.result
    with step(number, _TITLE, tour_danger.danger_in_words(table)):
        picture(
            danger_chart(table, tokens=theme.tokens()),
            name="tour-danger",
            alternative="Share of dangerous truths that a model warns of. "
            + "; ".join(f"{row['model']}: {percent(row['caught'])}" for _, row in table.iterrows())
            + ".",
            caption="Bar: of the cases in which a high-risk label is the truth, those in which the model "
            "puts such a label first, on average over plausible truths. Here each reading counts twice, not "
            "once: that is what the readings of this sample support. Thin line: where the bar would mostly "
            "end with other cases of this kind (95\u00a0% interval).",
            table=table.round(6),
            provenance=provenance(study, task, tour_danger.AGGREGATION),
        )
    look_ahead(study, task)


def look_ahead(study: Study, task: Task) -> None:
    """Begin what the pages of the sample need first, where they come next; the tour waits for none of it."""
    now = state.view()
    if now.study not in ("", studies.SAMPLE) or now.reliability is not None:
        return
    aggregation = default_aggregation(task)
    cache.steps(study, task, aggregation).compute_ahead(aggregation.reliability)
    trust.predict(study, task, aggregation, 0)
