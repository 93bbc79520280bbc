"""What a comparison of models rests on and how it is looked at, as far as a person can choose it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from core.settings import YES_OR_NO, Settings, one_of, option, texts, whole

Coverage = Literal["common", "own"]
COVERAGES: tuple[Coverage, ...] = get_args(Coverage)
Annotations = Literal["bootstrap", "plausibility"]
ANNOTATIONS: tuple[Annotations, ...] = get_args(Annotations)
Source = Literal["annotations", "cases", "both"]
SOURCES: tuple[Source, ...] = get_args(Source)
Side = Literal["soft", "hard"]
SIDES: tuple[Side, ...] = get_args(Side)
N_DRAWS = 1000
"""Draws of truths and cases."""


@dataclass(frozen=True)
class ComparisonSettings(Settings):
    """How the models of a task are compared.

    Attributes
    ----------
    positive : str
        The label that counts as positive; empty for the task's own.
    coverage : {"common", "own"}
        Judge models on the cases that all predicted, or each on its own.
    annotations : {"bootstrap", "plausibility"}
        Draw truths by resampling readings, or from the aggregation model.
    n_draws : int
        Draws of truths and of cases, 1 or more.
    draw_averages : bool
        Also say how sure the order by AUROC and AP averaged over labels is, for more than two labels.
    label_pairs : bool
        Also AUROC averaged over pairs of labels, for more than two labels.
    printed : bool
        Also s-AUROC and s-AP as they were printed.
    rivals : tuple of str
        Two models between which cases decide; empty for none, on the page for the leaders.
    metric : str
        What they decide, as `core.analysis.models.deciding.deciding_cases` has it.
    measure : str
        The hard metric that the page shows beside its counterpart; empty for the first that can be had.
    source : {"annotations", "cases", "both"}
        What is drawn where the page says how sure the order is.
    ranked_by : {"soft", "hard"}
        Which of the two metrics puts the models in order there.
    """

    positive: str = option(
        "",
        "label that counts as positive; the task's own if left out",
        scope="task",
        noun="the label",
        former_flags=("--label",),
    )
    coverage: Coverage = option(
        "common",
        "judge models on the cases that all predicted, or each on its own",
        one_of(COVERAGES),
        former=("judged_on",),
    )
    annotations: Annotations = option(
        "bootstrap",
        "draw truths by resampling readings, or from the aggregation model",
        one_of(ANNOTATIONS),
        former=("truths",),
    )
    n_draws: int = option(
        N_DRAWS,
        "draws of truths and of cases",
        whole(1),
        address=None,
        former_flags=("--draws",),
        said="draws of truths and cases",
    )
    draw_averages: bool = option(
        False,
        "also draw AUROC and AP averaged over labels, which takes longer the more labels there are",
        YES_OR_NO,
        address=None,
    )
    label_pairs: bool = option(False, "also AUROC averaged over pairs of labels", YES_OR_NO, address=None)
    printed: bool = option(False, "also s-AUROC and s-AP as they were printed", YES_OR_NO, address=None)
    rivals: tuple[str, ...] = option(
        (),
        "list the cases that decide between two",
        texts("models", count=2),
        scope="task",
        noun="the model",
        former_flags=("--pair",),
        said="deciding cases",
        tell=lambda now: f"{now.rivals[0]} against {now.rivals[1]} by {now.metric}",
        applies=lambda now: len(now.rivals) == 2 and not now.measure,
    )
    metric: str = option("s-AUROC", "what the cases decide", address=None, said=None)
    measure: str = option(
        "", "the hard metric that is shown beside its counterpart", flag=None, noun="the metric"
    )
    source: Source = option(
        "annotations",
        "what is drawn",
        one_of(SOURCES),
        flag=None,
        former=("unsure",),
        applies=lambda now: bool(now.measure),
    )
    ranked_by: Side = option(
        "soft",
        "which metric puts models in order",
        one_of(SIDES),
        flag=None,
        applies=lambda now: bool(now.measure),
    )

    @property
    def label(self) -> str | None:
        """The label that counts as positive; None for the task's own."""
        return self.positive or None

    @property
    def basis(self) -> ComparisonSettings:
        """The part that draws depend on, whatever is looked at."""
        return ComparisonSettings(
            positive=self.positive,
            coverage=self.coverage,
            annotations=self.annotations,
            n_draws=self.n_draws,
        )
