"""Methods of certainty in words: how readings became plausible truths, and what was measured over them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from core.analysis.export import format_reliability
from core.analysis.methods_text import Paragraph, Said
from core.analysis.reliability.words import states_confidence
from core.plausibility.settings import Aggregation, error_prior_words
from core.study.model import Task


def of_aggregation(
    aggregation: Aggregation,
    convergence: Mapping[str, float] | None = None,
    *,
    task: Task | None = None,
    found: bool = False,
) -> Paragraph:
    """Say how readings became a distribution over what the truth could be.

    Parameters
    ----------
    aggregation : Aggregation
        Model, reliability and options.
    convergence : mapping of str to float, optional
        `core.plausibility.convergence.convergence_summary` of its draws.
    task : Task, optional
        Whose readings they are: what became of confidences that raters stated is said of it.
    found : bool
        Whether the reliability is the one that predicts left-out readings best.
    """
    said = Said()
    _MODELS[aggregation.model](said, aggregation)
    if math.isinf(aggregation.reliability):
        said.say("The point estimate was taken for the truth: no uncertainty about it enters the results.")
    else:
        weighs = (
            "the average of all readings of a case had weight γ"
            if aggregation.model == "prirn"
            else ("each reading counted γ times")
        )
        said.say(
            f"The reliability of raters was γ = {format_reliability(aggregation.reliability)}: {weighs}."
        )
    if found:
        said.say(
            "Of all values this one predicts best, by the mean log-likelihood, each reading from the other "
            "readings of its case."
        )
    if aggregation.confidence == "weights":
        said.say("A reading of stated confidence c counted γ·c times, and γ times where none was stated.")
    elif task is not None and states_confidence(task) and aggregation.model != "confidence-weighted":
        said.say("Raters stated how sure they were; these confidences were not used here.")
    if aggregation.tie_rule == "split":
        said.say("Where labels led a case alike, each metric is its mean over all ways of breaking the tie.")
    else:
        said.say("Where labels led a case alike, the first in the study's order was taken.")
    if convergence and not math.isnan(convergence["worst_rhat"]):
        # It takes a while to load.
        from core.plausibility.convergence import RHAT_LIMIT

        said.say(
            f"The worst potential scale reduction of any case was R-hat {convergence['worst_rhat']:.3f} "
            f"(rank-normalised, of the chain in halves; {said.cite('vehtari2021')}), the smallest effective "
            f"number of draws {convergence['smallest_ess']:,.0f}; {convergence['share_above_limit']:.1%} of "
            f"cases had an R-hat above {RHAT_LIMIT:g}."
        )
    return said.paragraph("Truth under disagreement")


def _label_counts(said: Said, _: Aggregation) -> None:
    said.say(
        "The truth of each case was modelled with a Dirichlet distribution around the share of raters who "
        f"chose each label, beside half a reading given to every label ({said.cite('stutz2025')}, app. A)."
    )


def _plackett_luce(said: Said, now: Aggregation) -> None:
    said.say(
        "The truth of each case was modelled with a Plackett–Luce model of the raters' differentials, fitted "
        f"by Gibbs sampling ({said.cite('stutz2025')}, app. B)."
    )
    prior = "the released prior on" if now.prior == "released" else "a prior for each label on"
    if not math.isinf(now.reliability):
        said.say(
            f"{now.draws:,} draws of each case were kept after {now.warmup:,}, of one chain, under {prior} "
            "the labels' rates."
        )


def _prirn(said: Said, now: Aggregation) -> None:
    said.say(
        "The truth of each case was modelled with probabilistic inverse rank normalisation, a Dirichlet "
        f"distribution around the average of the raters' differentials ({said.cite('stutz2025')}, §2.3.2)."
    )
    _ties_within(said, now)


def _irn(said: Said, now: Aggregation) -> None:
    source = said.cite("stutz2025")
    said.say(f"Differentials were averaged by inverse rank normalisation ({source}, eq. 3 to 5).")
    _ties_within(said, now)


def _ties_within(said: Said, now: Aggregation) -> None:
    share = (
        "divided the weight of their place"
        if now.ties == "split"
        else "each got all the weight of their place"
    )
    said.say(f"Labels that one differential ranks alike {share}.")


def _gaussian(said: Said, _: Aggregation) -> None:
    said.say(
        "The true score was taken as uncertain around the mean of the raters' scores "
        f"({said.cite('stutz2025')}, app. A)."
    )


def _dawid_skene(said: Said, now: Aggregation) -> None:
    said.say(
        "The truth of each case and each rater's errors were estimated together by expectation maximisation "
        f"({said.cite('dawid1979')}), with the prior of errors: {error_prior_words(now.error_prior)}."
    )


def _vote(words: str) -> Callable[[Said, Aggregation], None]:
    def say(said: Said, _: Aggregation) -> None:
        said.say(f"{words} ({said.cite('cabitza2020')}, eq. 5 to 8).")

    return say


_MODELS: Mapping[str, Callable[[Said, Aggregation], None]] = {
    "label-counts": _label_counts,
    "plackett-luce": _plackett_luce,
    "prirn": _prirn,
    "gaussian": _gaussian,
    "irn": _irn,
    "frequency": _vote("The share of raters who put a label first was taken for its plausibility"),
    "majority": _vote("The label that most raters put first was taken for the truth"),
    "confidence-weighted": _vote(
        "Labels were weighed by the stated confidence of the raters who put them first"
    ),
    "accuracy-weighted": _vote(
        "Labels were weighed by the accuracy, against the other raters, of those who put them first"
    ),
    "dawid-skene": _dawid_skene,
}


def of_certainty(
    *, has_models: bool = True, has_risk: bool = False, compared_with: str = "", is_swept: bool = False
) -> Paragraph:
    """Say what certainty and the adjusted metrics are, with their errors.

    Parameters
    ----------
    has_models : bool
        Whether models were judged.
    has_risk : bool
        Whether labels have risk levels.
    compared_with : str
        Another aggregation model under which metrics were measured too; empty for none.
    is_swept : bool
        Whether all was measured at every reliability of the slider.
    """
    said = Said()
    said.say(
        "Annotation certainty is the probability, over plausible truths, that the label leading most often "
        f"leads ({said.cite('stutz2025')}, eq. 7 to 11)."
    )
    if has_models:
        said.say(
            "Uncertainty-adjusted metrics are expectations of a model's top-k accuracy, set accuracy, "
            "overlap and rank agreement over plausible truths (eq. 12 to 20)."
        )
    if has_risk:
        said.say(
            "Risk certainty is the certainty of the risk level of the leading label, and expected risk is "
            "the mean level over plausible truths (fig. 8)."
        )
    said.say(
        "Standard errors are over cases, from their sample variance; intervals over plausible truths are "
        "quantiles at 2.5 and 97.5 % of draws."
    )
    if is_swept:
        said.say("All was also measured at each of a series of reliabilities.")
    if compared_with:
        said.say(f"Metrics and ranks were compared with those under {compared_with}.")
    return said.paragraph("Certainty and adjusted metrics")
