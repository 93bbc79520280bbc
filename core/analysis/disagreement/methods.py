"""Methods of calibration, recalibration and sets of labels in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from core.analysis.disagreement.conformal_settings import ConformalSettings
from core.analysis.disagreement.forecasts import AS_GIVEN
from core.analysis.disagreement.recalibrated import METHODS
from core.analysis.disagreement.settings import DisagreementSettings
from core.analysis.methods_text import Paragraph, Said, plain

_FROM = {
    "temperature": "guo2017",
    "vector": "guo2017",
    "matrix": "guo2017",
    "Dirichlet": "kull2019",
    "α": "mimori2021",
}
"""Works by words in the names of methods of recalibration."""


def of_disagreement(settings: DisagreementSettings, fitted: Sequence[str] = ()) -> Paragraph:
    """Say how probabilities and expectations of disagreement were judged.

    Parameters
    ----------
    settings : DisagreementSettings
        What was chosen.
    fitted : sequence of str
        Methods of recalibration that were fitted, of `core.analysis.disagreement.recalibrated.METHODS`;
        those that were asked for if empty.
    """
    said = Said()
    of = f" of {plain(settings.predictor)}" if settings.predictor else ""
    said.say(
        f"Class probabilities{of}, and the probability that two raters disagree, were judged by the raters' "
        f"label histograms with plug-in and debiased losses ({said.cite('mimori2021')})."
    )
    said.say(f"Reliability diagrams have {settings.bins} bins of {settings.bin_kind}.")
    if settings.resamples:
        said.say(
            f"Standard errors and 95 % bands are over cases, from {settings.resamples:,} resamples of them."
        )
    if settings.by_label:
        said.say("Losses and diagrams were made of each label too.")
    if settings.probability_of:
        said.say(f"Shown are the probabilities of “{plain(settings.probability_of)}”.")
    if settings.recalibration:
        said.say(
            f"The recalibration that is shown is “{plain(settings.recalibration)}”"
            f"{_works(said, [settings.recalibration])}, each case by a fit that had not seen it."
        )
    if settings.recalibrate or settings.methods:
        by = [one for one in fitted or settings.methods or METHODS if one != AS_GIVEN]
        said.say(
            f"Models were also judged after recalibration by {', '.join(map(plain, by))}{_works(said, by)}, "
            "each case by a fit that had not seen it."
        )
    return said.paragraph("Calibration and disagreement")


def _works(said: Said, methods: Iterable[str]) -> str:
    """Works that methods of recalibration come from, in brackets; empty where they have none."""
    found = dict.fromkeys(work for method in methods for word, work in _FROM.items() if word in method)
    return f" ({said.cite(*found)})" if found else ""


def of_conformal(settings: ConformalSettings) -> Paragraph:
    """Say how sets of labels were made."""
    said = Said()
    of = f" of {plain(settings.predictor)}" if settings.predictor else ""
    source = {"threshold": "sadinle2019", "aps": "romano2020", "raps": "angelopoulos2021"}[settings.score]
    more = ""
    if settings.score != "threshold":
        part = "with" if settings.randomised else "without"
        more = f", {part} a random part of a label's own probability"
    if settings.score == "raps":
        more += f", with a penalty of {settings.penalty:g} for each label beyond {settings.free}"
    said.say(
        f"Sets of labels{of} that hold the truth in {settings.coverage:g} % of cases were made by split "
        f"conformal prediction with the {settings.score} score{more} ({said.cite(source)}), calibrated on "
        f"the leading label and on plausible truths ({said.cite('stutz2023')}); each of "
        f"{settings.folds} parts "
        "of the cases was judged by the others."
    )
    truth = {"leader": "the label that leads it", "label": "a label drawn with its shares"}[settings.truth]
    said.say(f"Under a plausible truth, true is {truth}.")
    said.say(
        "Coverage, the number of labels and coverage by groups are those of "
        f"{said.cite('angelopoulos2021')} (sec. 3)."
    )
    said.say(
        f"95 % intervals of coverage are those of {said.cite('wilson1927')}, of the number of labels ± 1.96 "
        "standard errors."
    )
    if settings.by:
        said.say(f"Coverage was found for each group by {plain(settings.by)} too.")
    return said.paragraph("Sets of labels")
