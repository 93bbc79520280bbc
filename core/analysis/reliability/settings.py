"""What a person can choose about reliability: another aggregation model to compare with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.plausibility.settings import MODELS, Aggregation, AggregationChoice, models_for
from core.settings import Settings, number, one_of, option, options

if TYPE_CHECKING:
    from core.study.model import Task


@dataclass(frozen=True)
class AgainstSettings(Settings):
    """Another aggregation model, beside the one that is chosen.

    Attributes
    ----------
    against : str
        A key of `core.plausibility.settings.MODELS`; empty for none.
    against_reliability : float, optional
        Its γ; its own default if left out.
    """

    against: str = option(
        "",
        "also the metrics under another aggregation model, beside those under the first",
        one_of(MODELS),
        scope="task",
        noun="the aggregation model",
        said="compared with",
    )
    against_reliability: float | None = option(
        None,
        "its γ; its own if left out",
        number(0, above=True, infinite=True),
        address=None,
        said=None,
    )

    def beside(self, first: Aggregation, task: Task) -> Aggregation:
        """Return the other aggregation, with the options of the first.

        Raises
        ------
        ValueError
            Where it does not suit the task, or is the first again.
        """
        suitable = models_for(task)
        if self.against not in suitable:
            raise ValueError(
                f"task {task.name!r} is a {task.kind}, for which the model compared with must be one of "
                f"{', '.join(suitable)}, got {self.against!r}"
            )
        weighs = first.confidence if MODELS[self.against].can_weigh else "ignored"
        chosen = {of.name: getattr(first, of.name) for of in options(AggregationChoice)}
        chosen |= {"model": self.against, "reliability": self.against_reliability, "confidence": weighs}
        other = AggregationChoice(**chosen).for_task(task)
        if (other.model, other.reliability) == (first.model, first.reliability):
            raise ValueError(
                f"the model compared with is {first.model} at γ = {first.reliability:g} again: name another "
                "model or reliability"
            )
        return other
