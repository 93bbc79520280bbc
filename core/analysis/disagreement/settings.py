"""How probabilities and expectations of disagreement are judged, as far as a person can choose it."""

from __future__ import annotations

from dataclasses import dataclass

from core.metrics.calibration.settings import BIN_KINDS, MOST_BINS, BinKind
from core.settings import YES_OR_NO, Settings, one_of, option, texts, whole

RESAMPLES = 200
"""Of the cases, for errors and bands."""
MOST_BINS_SHOWN = 100


@dataclass(frozen=True)
class DisagreementSettings(Settings):
    """How the models of a task are judged by the raters' disagreement.

    Attributes
    ----------
    predictor : str
        The model that makes the predictions; empty for all that give probabilities, on the page the first.
    bins : int
        Number of bins, from 1 to `core.metrics.calibration.settings.MOST_BINS`.
    bin_kind : {"equal width", "equal mass"}
        Whether bins are equally wide or hold equally many predictions.
    recalibrate : bool
        Whether all is also judged after recalibration, by every method.
    methods : tuple of str
        Some methods in place of all, of `core.analysis.disagreement.recalibrated.METHODS`.
    by_label : bool
        Whether losses and reliability diagrams have rows of each label too.
    resamples : int
        Resamples of the cases for standard errors and bands, 0 or more.
    recalibration : str
        The method that the page shows; empty for the usual one.
    probability_of : str
        The label whose probabilities the page shows; empty for all together.
    """

    predictor: str = option(
        "",
        "model that makes predictions; all if left out",
        scope="task",
        noun="the model",
        former_flags=("--model",),
        said=None,
    )
    bins: int = option(
        15,
        "number of bins",
        whole(1, MOST_BINS),
        link=whole(1, MOST_BINS_SHOWN),
        scope="everything",
        tell=lambda now: f"{now.bins}, {now.bin_kind}",
    )
    bin_kind: BinKind = option(
        "equal width",
        "bins equally wide, or with equally many predictions",
        one_of(BIN_KINDS),
        scope="everything",
        said=None,
    )
    recalibrate: bool = option(
        False, "also after recalibration, cross-fitted", YES_OR_NO, address=None, said=None
    )
    methods: tuple[str, ...] = option(
        (),
        "of recalibration, separated by commas; all if left out",
        texts("methods"),
        address=None,
        said=None,
    )
    by_label: bool = option(
        False, "also losses and reliability diagram of each label", YES_OR_NO, address=None
    )
    resamples: int = option(RESAMPLES, "of the cases, for errors and bands", whole(0), address=None)
    recalibration: str = option(
        "",
        "how the shown model is recalibrated",
        scope="task",
        flag=None,
        said=None,
        noun="the recalibration",
    )
    probability_of: str = option(
        "",
        "the label whose probabilities are shown; empty for all",
        scope="task",
        flag=None,
        said=None,
        noun="the label",
    )
