"""What a comparison of models rests on and how it is looked at, as far as a person can choose it."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Literal, get_args

from core.metrics.mrmc.choices import COVARIANCE_METHODS, TAKEN, CovarianceMethod, Taken
from core.metrics.mrmc.choices import METRICS as READER_METRICS
from core.metrics.mrmc.choices import Metric as ReaderMetric
from core.settings import YES_OR_NO, Settings, number, one_of, option, texts, whole

Coverage = Literal["common", "own"]
COVERAGES: tuple[Coverage, ...] = get_args(Coverage)
Annotations = Literal["bootstrap", "plausibility"]
ANNOTATIONS: tuple[Annotations, ...] = get_args(Annotations)
Source = Literal["annotations", "cases", "both", "raters", "all"]
SOURCES: tuple[Source, ...] = ("annotations", "cases", "both")
"""What is drawn unless more is asked for."""
RATER_SOURCES: tuple[Source, ...] = ("raters", "all")
"""Whole raters drawn anew, on these cases or together with other cases and readings."""
Side = Literal["soft", "hard"]
SIDES: tuple[Side, ...] = get_args(Side)
ReaderTruth = Literal["", "reference", "plausibility"]
ReaderMethod = Literal["u-statistics", "anova"]
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
    draw_raters : bool
        Also draw whole raters anew, for claims that speak of other raters.
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
    source : {"annotations", "cases", "both", "raters", "all"}
        What is drawn where the page says how sure the order is; of the last two only with ``draw_raters``.
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
    draw_raters: bool = option(
        False,
        "also draw whole raters anew, so that claims speak of other raters",
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
        one_of((*SOURCES, *RATER_SOURCES)),
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
    def sources(self) -> tuple[Source, ...]:
        """What is drawn."""
        return (*SOURCES, *RATER_SOURCES) if self.draw_raters else SOURCES

    @property
    def basis(self) -> ComparisonSettings:
        """The part that draws depend on, whatever is looked at."""
        return ComparisonSettings(
            positive=self.positive,
            coverage=self.coverage,
            annotations=self.annotations,
            n_draws=self.n_draws,
            draw_raters=self.draw_raters,
        )


@dataclass(frozen=True)
class SliceSettings(Settings):
    """By what the cases are parted, to see whether a result holds in every group of them.

    Attributes
    ----------
    by : tuple of str
        One column of the cases' metadata, or two that are crossed; none for no slices.
    bins : int
        Bins of a column of many different numbers.
    fewest : int
        Cases that a slice must have to be compared with others.
    """

    by: tuple[str, ...] = option(
        (),
        "column of cases.csv that parts the cases into slices; a second one crosses the first",
        replace(texts("columns", most=2), repeated=True),
        noun="the column",
        said="slices by",
    )
    bins: int = option(
        4,
        "bins of a column of many numbers, each with as many cases",
        whole(2, 20),
        address=None,
        said="bins of numbers",
        applies=lambda now: bool(now.by),
    )
    fewest: int = option(
        10,
        "cases that a slice must have to be compared with others",
        whole(2),
        address=None,
        said="fewest cases of a slice that is compared",
        applies=lambda now: bool(now.by),
    )


_MARGIN = replace(
    number(0, 1),
    expected="a number from 0 to 1 without a sign, such as 0.05 (how much worse still counts as no worse)",
)


@dataclass(frozen=True)
class OtherReadersSettings(Settings):
    """Whether a result would hold with other readers and other cases, and how that is asked.

    Attributes
    ----------
    modalities : tuple of str
        Two of them: the first is to be no worse than the second. Empty for all pairs with readers.
    reader_metric : {"AUROC", "sensitivity", "specificity", "accuracy"}
        What is averaged over readers.
    threshold : float, optional
        From which score or probability on a reading says positive; 0.5 for probabilities if left out.
    reader_positive : str
        The label that counts as positive; empty for the task's own.
    margin : float
        By how much the first may be worse and still count as no worse; 0 for no margin.
    readers, cases : {"random", "fixed"}
        A sample of all readers or cases there could be, or just those that there are.
    method : {"u-statistics", "anova"}
        Variances of any design, or the analysis of variance of Obuchowski and Rockette for crossed ones.
    covariances : {"DeLong", "jackknife", "unbiased"}
        Of that analysis.
    truth : {"", "reference", "plausibility"}
        The reference of each case, or plausible truths drawn from the aggregation model; the reference where
        there is one if left open.
    n_truths : int
        Plausible truths that are drawn.
    own_raters : bool
        The raters of the study are the readers, each judged by the reference or by truths without what he or
        she said; models are compared with them.
    expected : float, optional
        True difference for which a study is sized; 0 with a margin, no sizing without one.
    power : float
        Wanted power of that study.
    """

    modalities: tuple[str, ...] = option(
        (),
        "the first of two is to be no worse than the second; all pairs with readers if left out",
        texts("modalities", count=2),
        scope="task",
        noun="the modality",
    )
    reader_metric: ReaderMetric = option(
        "AUROC", "what is averaged over readers", one_of(READER_METRICS), flag="--metric", said="metric"
    )
    threshold: float | None = option(
        None,
        "from which score or probability on a reading says positive; 0.5 for probabilities if left out",
        number(-math.inf),
        applies=lambda now: now.reader_metric != "AUROC",
    )
    reader_positive: str = option(
        "",
        "label that counts as positive; the task's own if left out",
        flag="--positive",
        said="positive",
    )
    margin: float = option(
        0.0, "by how much the first may be worse and still count as no worse", _MARGIN, scope="task"
    )
    readers: Taken = option("random", "readers are a sample of all, or these alone", one_of(TAKEN))
    cases: Taken = option("random", "cases are a sample of all, or these alone", one_of(TAKEN))
    method: ReaderMethod = option(
        "u-statistics",
        "variances of any design, or analysis of variance where all readers read all cases",
        one_of(get_args(ReaderMethod)),
    )
    covariances: CovarianceMethod = option(
        "DeLong",
        "covariances of the analysis of variance",
        one_of(COVARIANCE_METHODS),
        applies=lambda now: now.method == "anova",
    )
    truth: ReaderTruth = option(
        "",
        "the reference of each case, or plausible truths from the aggregation model; the reference where "
        "there is one if left out",
        one_of(get_args(ReaderTruth)[1:]),
    )
    n_truths: int = option(
        N_DRAWS, "plausible truths that are drawn", whole(2, 100_000), said="plausible truths"
    )
    own_raters: bool = option(
        False,
        "the raters of the study are the readers, each judged by a truth without what he or she said",
        YES_OR_NO,
        scope="task",
    )
    expected: float | None = option(
        None,
        "true difference for which a study is sized; 0 if left out with a margin",
        number(-1, 1),
        flag="--difference",
        said="difference to be shown",
    )
    power: float = option(0.8, "wanted power of that study", number(0.01, 0.999), said="wanted power")

    def __post_init__(self) -> None:
        """Refuse to size a study that would have nothing to show."""
        super().__post_init__()
        if self.expected is None:
            return
        if not self.margin and self.expected == 0:
            raise ValueError(
                "difference must not be 0 without a margin: no study, however large, shows a difference that "
                "is not there; give the difference that is to be shown, or a margin"
            )
        if self.margin and self.expected + self.margin <= 0:
            raise ValueError(
                f"difference must be above {-self.margin:g}, got {self.expected:g}: a first that is worse by "
                "the margin or more is never shown to be no worse; give another difference or a wider margin"
            )
