"""Inferences from a reader study, one modality or pair at a time, with reasons and cautions."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from core.analysis.models.reader_study import ReaderStudy
from core.analysis.models.settings import OtherReadersSettings
from core.metrics.mrmc.attenuation import attenuation, shown_margin
from core.metrics.mrmc.inference import Inference
from core.metrics.mrmc.obuchowski_rockette import obuchowski_rockette
from core.metrics.mrmc.pair_sums import PairSums, Shared
from core.metrics.mrmc.plausible_truths import OverTruths, over_truths
from core.metrics.mrmc.sizing import cases_needed
from core.metrics.mrmc.variance import READER, Variance, variance

LEVEL = 0.95
SHARES = ("share_readers", "share_cases", "share_readers_and_cases", "share_truth")
"""Columns that divide a variance by what it comes from; negative parts are counted as 0."""
FEWEST_READERS = 4
"""Random readers below which intervals were seen to hold the truth less often than they say."""
_SEEN = {
    ("modality", 2): "88 to 93",
    ("modality", 3): "91 to 95",
    ("difference", 2): "91 to 95",
    ("difference", 3): "94 to 95",
}
"""Percent of simulated studies in which a 95 % interval held the truth, as readers differ more or less."""
_SIZED_READERS = (3, 4, 5, 6, 8, 10, 15, 20, 30)
_TRUTH = "truth"
_UNKNOWN = ("standard_error", "df", "low", "high")


class Inferring:
    """Inferences of one reader study, each from the same sums."""

    def __init__(self, study: ReaderStudy, sums: PairSums, settings: OtherReadersSettings) -> None:
        self._study = study
        self._curves = study.curves
        self._sums = sums
        self._settings = settings
        self._is_uncertain = study.truth == "plausibility"
        is_auroc = settings.reader_metric == "AUROC"
        self._kept = (
            attenuation(study.curves, study.truths)
            if is_auroc or not self._is_uncertain
            else np.full(len(study.curves.modalities), np.nan)
        )
        if study.beside and settings.method == "anova":
            raise ValueError(
                "an analysis of variance needs one truth for all readers, and here each rater is judged by "
                "truths without their own readings; take the method u-statistics, or the reference"
            )
        self._has_anova = settings.method == "anova"
        self._analyses = (
            [
                obuchowski_rockette(study.curves, sums.under(truth), method=settings.covariances)
                for truth in range(len(sums.total))
            ]
            if self._has_anova
            else []
        )

    def modality_row(self, modality: int) -> dict[str, object]:
        """Row of `core.analysis.models.other_readers.OtherReaders.modalities`."""
        of = self._curves.of(modality)
        row: dict[str, object] = {
            "modality": self._curves.modalities[modality],
            "n_readers": len(of) if self._study.is_read(modality) else 0,
            "n_cases": int((~np.isnan(self._curves.score[of])).any(axis=0).sum()),
            "estimate": self._estimate(modality),
        }
        kept, caution = {"attenuation": float(self._kept[modality])}, self._caution(modality)
        try:
            over, parts = self._inferred(modality, None)
        except ValueError as why:
            missing = dict.fromkeys((*_UNKNOWN, *SHARES), np.nan)
            return row | missing | kept | {"reason": str(why), "caution": ""}
        found = over.inference
        low, high = found.share_interval(LEVEL)
        reason = (
            f"the estimate is {found.estimate:g}, and an interval in log odds has no end there; add cases "
            "that are harder to tell"
            if np.isnan(low)
            else ""
        )
        told = {"standard_error": found.standard_error, "df": found.df, "low": low, "high": high}
        return row | told | _shares(over, parts) | kept | {"reason": reason, "caution": caution}

    def difference_row(self, first: int, second: int) -> dict[str, object]:
        """Row of `core.analysis.models.other_readers.OtherReaders.differences`.

        Raises
        ------
        ValueError
            Where nothing tells the variance, saying how to mend it.
        """
        over, parts = self._inferred(first, second)
        found = over.inference
        low, high = found.interval(LEVEL)
        row = self._pair(first, second) | {
            "standard_error": found.standard_error,
            "df": found.df,
            "low": max(low, -1.0),
            "high": min(high, 1.0),
            "p_two_sided": found.p_two_sided(),
            **_shares(over, parts),
            "attenuation": float(min(self._kept[first], self._kept[second])),
        }
        reason = ""
        if self._settings.margin:
            shown, reason = self._margin(first, second)
            row |= {
                "margin": self._settings.margin,
                "margin_shown": shown,
                "p_not_inferior": np.nan if reason else found.p_not_inferior(shown),
                "p_equivalent": np.nan if reason else found.p_equivalent(shown),
            }
        return row | {"reason": reason, "caution": self._caution(first, second)}

    def unknown_difference_row(self, first: int, second: int, reason: str) -> dict[str, object]:
        """Row of a pair of which `difference_row` can say nothing but the difference itself."""
        names = [*_UNKNOWN, "p_two_sided", *SHARES, "attenuation"]
        row = self._pair(first, second) | dict.fromkeys(names, np.nan)
        if self._settings.margin:
            row |= {"margin": self._settings.margin}
            row |= dict.fromkeys(["margin_shown", "p_not_inferior", "p_equivalent"], np.nan)
        return row | {"reason": reason, "caution": ""}

    def sizes(self, first: int, second: int) -> Iterator[dict[str, object]]:
        """Rows of `core.analysis.models.other_readers.OtherReaders.sizes`, where something is to be shown.

        Notes
        -----
        Of readers and cases that are a sample of others: of fixed ones a new study has no others. The cases
        of each kind, and the scatter between plausible truths, are in proportion to all cases.
        """
        settings, n_cases = self._settings, len(self._study.cases)
        if (settings.expected is None and not settings.margin) or "fixed" in (
            settings.readers,
            settings.cases,
        ):
            return
        margin, reason = self._margin(first, second) if settings.margin else (0.0, "")
        kept = float(min(self._kept[first], self._kept[second]))
        if reason or not kept > 0:
            return
        found = variance(self._curves, self._sums, first, second)
        component: dict[Shared, float] = {of: float(value.mean()) for of, value in found.component.items()}
        shares = {kind: float(n.mean()) / n_cases for kind, n in self._sums.n_cases.items()}
        between = over_truths(found.estimate, found.variance, found.df).between
        if between:
            component[frozenset([_TRUTH])], shares[_TRUTH] = between * n_cases, 1.0
        for n_readers in _SIZED_READERS:
            yield {
                "first": self._curves.modalities[first],
                "second": self._curves.modalities[second],
                "n_readers": n_readers,
                "n_cases": cases_needed(
                    component,
                    n_readers,
                    shares,
                    difference=kept * (settings.expected or 0.0),
                    margin=margin,
                    wanted=settings.power,
                ),
            }

    def components(self) -> pd.DataFrame:
        """Mean squares and components of the analysis of variance, their means over truths."""
        if not self._analyses:
            return pd.DataFrame(columns=["component", "value"])
        each = [
            {f"MS({name})": value for name, value in of.mean_squares.items()} | of.components
            for of in self._analyses
        ]
        return pd.DataFrame(
            [
                {"component": name, "value": float(np.mean([values[name] for values in each]))}
                for name in each[0]
            ]
        )

    def _pair(self, first: int, second: int) -> dict[str, object]:
        """Names of two modalities and their difference."""
        return {
            "first": self._curves.modalities[first],
            "second": self._curves.modalities[second],
            "difference": self._estimate(first) - self._estimate(second),
        }

    def _estimate(self, modality: int) -> float:
        """Mean success of a modality, and its mean over truths."""
        of = self._curves.of(modality)
        return float((self._sums.total[:, of].sum(axis=1) / self._sums.weight[:, of].sum(axis=1)).mean())

    def _margin(self, first: int, second: int) -> tuple[float, str]:
        """What a difference is held against; NaN with the reason where no margin can be answered."""
        margin, metric = self._settings.margin, self._settings.reader_metric
        if not self._is_uncertain:
            return margin, ""
        if metric != "AUROC":
            return np.nan, (
                "by truths drawn from readings a difference in sensitivity or specificity shows in the other "
                f"too, so that nothing tells what a margin of {metric} becomes; take the reference for the "
                "truth, or AUROC"
            )
        shown = shown_margin(margin, self._kept[first], self._kept[second])
        if shown > 0:
            return shown, ""
        return np.nan, (
            f"plausible truths show {self._kept[first]:.2f} of a difference of the first and "
            f"{self._kept[second]:.2f} of one of the second, which leaves nothing of a margin of {margin:g}; "
            "let both be read on the same cases, get more readings of these, or take the reference"
        )

    def _caution(self, *modalities: int) -> str:
        """Say that so few readers tell little of others; nothing where they are enough or fixed."""
        of_each = [len(self._curves.of(each)) for each in modalities if self._study.is_read(each)]
        if self._settings.readers == "fixed" or min(of_each, default=FEWEST_READERS) >= FEWEST_READERS:
            return ""
        seen = _SEEN["modality" if len(modalities) == 1 else "difference", min(of_each)]
        return (
            f"{min(of_each)} readers tell little of how others differ: a 95\u00a0% interval held the "
            f"truth in {seen}\u00a0% of simulated studies, less often the more readers differ"
        )

    def _inferred(self, first: int, second: int | None) -> tuple[OverTruths, dict[str, float]]:
        """Inference over truths, and the parts of the variance within one, as the U-statistics have them."""
        taken = {"readers": self._settings.readers, "cases": self._settings.cases}
        by_u = variance(self._curves, self._sums, first, second, **taken)
        if not self._has_anova:
            return over_truths(by_u.estimate, by_u.variance, by_u.df), _parts(by_u)
        by_truth = [
            of.single(first, **taken) if second is None else of.difference(first, second, **taken)
            for of in self._analyses
        ]
        return _combined(by_truth), _parts(by_u)


def _combined(found: list[Inference]) -> OverTruths:
    """Rubin's rules of inferences under each truth."""
    estimate, error, df = np.array([[of.estimate, of.standard_error, of.df] for of in found]).T
    return over_truths(estimate, error**2, df)


def _parts(found: Variance) -> dict[str, float]:
    """Mean parts of a variance: of readers, of cases, and of both together, none below 0."""
    parts = dict.fromkeys(SHARES[:3], 0.0)
    for of, value in found.part.items():
        name = SHARES[1] if READER not in of else SHARES[0] if of == {READER} else SHARES[2]
        parts[name] += float(value.mean())
    return {name: max(value, 0.0) for name, value in parts.items()}


def _shares(over: OverTruths, parts: dict[str, float]) -> dict[str, object]:
    """Shares of the total variance, of what is within one truth in proportion to its parts."""
    within, total = sum(parts.values()), 1 - over.truth_share
    shares: dict[str, object] = {
        name: value / within * total if within else np.nan for name, value in parts.items()
    }
    return {**shares, SHARES[3]: over.truth_share}
