"""Methods of what Cases shows, and its recipe."""

from __future__ import annotations

from core.analysis.methods_text import of_data
from core.analysis.recipe import page_recipe
from core.analysis.reliability.methods import of_certainty
from core.plausibility.settings import Aggregation
from core.study.model import Study, Task
from dashboard.views import methods_text


def show(study: Study, task: Task, aggregation: Aggregation) -> None:
    """Offer both, folded: they are of all cases, the recipe's pictures of the one that is open."""
    methods_text.show(
        lambda: (
            of_data(study, task),
            methods_text.aggregated(study, task, aggregation),
            of_certainty(has_models=bool(task.predictions), has_risk=task.has_risk),
        ),
        lambda link: page_recipe("evaluate", study, task, [aggregation], link=link, page="cases"),
        why_none=methods_text.rounds_count(study),
        reported="the study",
    )
