"""The methods of a result in words, written from the settings objects that made it."""

from __future__ import annotations

import math
import platform
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from importlib.metadata import version

import core
from core.analysis.disagreement.conformal_settings import ConformalSettings
from core.analysis.disagreement.settings import DisagreementSettings
from core.analysis.export import NOTICE, format_reliability
from core.analysis.models.settings import ComparisonSettings, OtherReadersSettings, SliceSettings
from core.analysis.overview import raters_are_identified
from core.analysis.raters.settings import RaterSettings
from core.analysis.sources import bibtex, named
from core.plausibility.settings import Aggregation, error_prior_words
from core.study.brief import number_of
from core.study.model import Study, Task

_KINDS = {"choice": "one label each", "ranking": "an ordered list of labels each", "score": "a score each"}
METHODS_BEGIN = "## Data"
"""With what the methods of a report begin."""
_SOFTWARE = ("numpy", "scipy", "pandas")


@dataclass(frozen=True)
class Paragraph:
    """What was done for one question.

    Attributes
    ----------
    heading : str
    text : str
        Sentences in the past tense.
    sources : tuple of str
        Works that the text names, by their BibTeX keys, in their order.
    """

    heading: str
    text: str
    sources: tuple[str, ...] = ()


class _Said:
    """Sentences as they come together, with the works that they name."""

    def __init__(self) -> None:
        self.sentences: list[str] = []
        self.sources: list[str] = []

    def say(self, sentence: str) -> None:
        """Add a sentence."""
        self.sentences.append(sentence)

    def cite(self, *sources: str) -> str:
        """Name works, and remember them."""
        self.sources += [source for source in sources if source not in self.sources]
        return "; ".join(map(named, sources))

    def paragraph(self, heading: str) -> Paragraph:
        """Return what was said."""
        return Paragraph(heading, " ".join(self.sentences), tuple(self.sources))


def of_data(study: Study, task: Task) -> Paragraph:
    """Say on which readings of which cases a result rests."""
    said = _Said()
    of = f"Study “{_plain(study.name)}”, task “{_plain(task.name)}”"
    readings = task.readings
    if readings.n_readings:
        read = int((readings.case_start[1:] > readings.case_start[:-1]).sum())
        by = "raters who are numbered anew in each case"
        if raters_are_identified(study, task):
            by = number_of(len(set(readings.rater.tolist())), "rater")
        said.say(
            f"{of}: {number_of(readings.n_readings, 'reading')} of {number_of(read, 'case')} by {by}, "
            f"{_KINDS[task.kind]}, among {number_of(len(task.labels), 'label')}."
        )
        if read < study.n_cases:
            said.say(f"Of {study.n_cases:,} cases {study.n_cases - read:,} had no reading.")
    else:
        said.say(f"{of}, has no readings of its own.")
    if study.condition:
        said.say(f"Only cases were taken where {_plain(study.condition)}.")
    if study.counted:
        said.say(f"Analysed {_plain(study.counted)}.")
    said.say(
        f"The data have the fingerprint {study.fingerprint}; random numbers derive from seed {study.seed}."
    )
    return said.paragraph(METHODS_BEGIN.removeprefix("## "))


def of_aggregation(aggregation: Aggregation, convergence: Mapping[str, float] | None = None) -> Paragraph:
    """Say how readings became a distribution over what the truth could be.

    Parameters
    ----------
    aggregation : Aggregation
    convergence : mapping of str to float, optional
        `core.plausibility.convergence.convergence_summary` of its draws.
    """
    said = _Said()
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
    if aggregation.confidence == "weights":
        said.say("A reading of stated confidence c counted γ·c times, and γ times where none was stated.")
    if aggregation.tie_rule == "split":
        said.say("Where labels led a case alike, each metric is its mean over all ways of breaking the tie.")
    else:
        said.say("Where labels led a case alike, the first in the study's order was taken.")
    if convergence:
        said.say(
            f"The worst potential scale reduction of any case was R-hat {convergence['worst_rhat']:.3f}, the "
            f"smallest effective number of draws {convergence['smallest_ess']:,.0f}."
        )
    return said.paragraph("Truth under disagreement")


def _label_counts(said: _Said, _: Aggregation) -> None:
    said.say(
        "The truth of each case was modelled with a Dirichlet distribution around the share of raters who "
        f"chose each label, beside half a reading given to every label ({said.cite('stutz2025')}, app. A)."
    )


def _plackett_luce(said: _Said, now: Aggregation) -> None:
    said.say(
        "The truth of each case was modelled with a Plackett–Luce model of the raters' differentials, fitted "
        f"by Gibbs sampling ({said.cite('stutz2025')}, app. B)."
    )
    prior = "the released prior on" if now.prior == "released" else "a prior for each label on"
    if not math.isinf(now.reliability):
        said.say(
            f"{now.draws:,} draws of each case were kept after {now.warmup:,}, under {prior} the labels' "
            "rates."
        )


def _prirn(said: _Said, now: Aggregation) -> None:
    said.say(
        "The truth of each case was modelled with probabilistic inverse rank normalisation, a Dirichlet "
        f"distribution around the average of the raters' differentials ({said.cite('stutz2025')}, §2.3.2)."
    )
    _ties_within(said, now)


def _irn(said: _Said, now: Aggregation) -> None:
    source = said.cite("stutz2025")
    said.say(f"Differentials were averaged by inverse rank normalisation ({source}, eq. 3 to 5).")
    _ties_within(said, now)


def _ties_within(said: _Said, now: Aggregation) -> None:
    share = (
        "divided the weight of their place"
        if now.ties == "split"
        else "each got all the weight of their place"
    )
    said.say(f"Labels that one differential ranks alike {share}.")


def _gaussian(said: _Said, _: Aggregation) -> None:
    said.say(
        "The true score was taken as uncertain around the mean of the raters' scores "
        f"({said.cite('stutz2025')}, app. A)."
    )


def _dawid_skene(said: _Said, now: Aggregation) -> None:
    said.say(
        "The truth of each case and each rater's errors were estimated together by expectation maximisation "
        f"({said.cite('dawid1979')}), with the prior of errors: {error_prior_words(now.error_prior)}."
    )


def _vote(words: str) -> Callable[[_Said, Aggregation], None]:
    def say(said: _Said, _: Aggregation) -> None:
        said.say(f"{words} ({said.cite('cabitza2020')}, eq. 5 to 8).")

    return say


_MODELS: Mapping[str, Callable[[_Said, Aggregation], None]] = {
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


def of_certainty() -> Paragraph:
    """Say what certainty and the adjusted metrics are."""
    said = _Said()
    said.say(
        "Annotation certainty is the probability, over plausible truths, that the label leading most often "
        f"leads ({said.cite('stutz2025')}, eq. 7 to 11); uncertainty-adjusted metrics are expectations of a "
        "model's top-k accuracy, set accuracy, overlap and rank agreement over plausible truths (eq. 12 to "
        "20)."
    )
    return said.paragraph("Certainty and adjusted metrics")


def of_comparison(settings: ComparisonSettings) -> Paragraph:
    """Say how models were compared."""
    said = _Said()
    positive = f" The positive label was “{_plain(settings.positive)}”." if settings.positive else ""
    said.say(
        "Models were compared by each metric against hard labels and by its counterpart against the share of "
        f"raters who see the finding ({said.cite('lionetti2025')}), with standard errors of AUROC over cases "
        f"after {said.cite('delong1988')}.{positive}"
    )
    on = (
        "on the cases that all of them predicted"
        if settings.coverage == "common"
        else "each on its own cases"
    )
    said.say(f"They were judged {on}.")
    how = (
        "by drawing the readings of each case anew"
        if settings.annotations == "bootstrap"
        else "from the aggregation model"
    )
    said.say(
        f"How sure the order is was found with {settings.n_draws:,} draws of truths, {how}, of cases, and of "
        "both together."
    )
    if settings.draw_raters:
        said.say(
            "Whole raters were drawn anew as well, with all their readings, for claims about other raters."
        )
    if settings.draw_averages:
        said.say("So was the order by AUROC and average precision averaged over labels.")
    if settings.label_pairs:
        said.say("AUROC was also averaged over pairs of labels.")
    if settings.printed:
        said.say("Soft AUROC and soft average precision are also given as they were first printed.")
    if len(settings.rivals) == 2 and not settings.measure:
        first, second = map(_plain, settings.rivals)
        said.say(f"The cases that decide between {first} and {second} were listed by {settings.metric}.")
    if settings.measure:
        order = "it" if settings.ranked_by == "hard" else "its counterpart"
        drawn = {
            "annotations": "readings",
            "cases": "cases",
            "both": "readings and cases",
            "raters": "raters",
            "all": "raters and cases",
        }[settings.source]
        said.say(f"Shown is {settings.measure}, in the order by {order}, when {drawn} are drawn anew.")
    return said.paragraph("Comparison of models")


def of_slices(settings: SliceSettings) -> Paragraph | None:
    """Say how groups of cases were compared; None where none were."""
    if not settings.by:
        return None
    said = _Said()
    said.say(
        f"Cases were grouped by {' × '.join(map(_plain, settings.by))}, columns of many numbers in "
        f"{settings.bins} bins of as many cases each. Intervals of shares are those of "
        f"{said.cite('wilson1927')}."
    )
    said.say(
        f"Groups of {settings.fewest} or more cases were compared in pairs, with p-values corrected for the "
        f"pairs of one metric and model ({said.cite('holm1979')})."
    )
    return said.paragraph("Groups of cases")


def of_readers(settings: OtherReadersSettings) -> Paragraph:
    """Say how a result was carried over to other readers and cases."""
    said = _Said()
    at = (
        ""
        if settings.threshold is None or settings.reader_metric == "AUROC"
        else (f", a reading of {settings.threshold:g} or more being positive")
    )
    positive = f" of “{_plain(settings.reader_positive)}”" if settings.reader_positive else ""
    said.say(f"{settings.reader_metric}{positive} was averaged over readers{at}.")
    if settings.own_raters:
        said.say("Readers were the study's raters, each judged without their own readings.")
    if settings.modalities:
        said.say(f"Compared were: {' and '.join(map(_plain, settings.modalities))}.")
    if settings.method == "anova":
        said.say(
            f"Variances are those of the analysis of variance of {said.cite('obuchowski1995')}, with "
            f"{settings.covariances} covariances and the degrees of freedom of {said.cite('hillis2007')}."
        )
    else:
        source = said.cite("gallas2006")
        said.say(f"Variances are U-statistics, in any design of readers and cases ({source}).")
    taken = {"random": "a sample of all there could be", "fixed": "all there are"}
    said.say(f"Readers were taken for {taken[settings.readers]}, cases for {taken[settings.cases]}.")
    if settings.margin:
        source = said.cite("chen2012")
        said.say(f"Non-inferiority was tested with a margin of {settings.margin:g} ({source}).")
    if settings.truth == "plausibility":
        said.say(
            f"The inference was repeated under {settings.n_truths:,} plausible truths and joined "
            f"({said.cite('rubin1987', 'barnard1999')})."
        )
        if settings.margin and settings.reader_metric == "AUROC":
            said.say(
                "The margin was multiplied by the share of a difference in AUROC that truths drawn from "
                f"calibrated plausibilities show ({said.cite('menon2015')})."
            )
    elif settings.truth == "reference":
        said.say("The reference of each case was taken for the truth.")
    if settings.expected is not None:
        said.say(
            f"A new study was sized for a true difference of {settings.expected:g} with a power of "
            f"{settings.power:g} ({said.cite('hillis2011')})."
        )
    return said.paragraph("Other readers and other cases")


def of_disagreement(settings: DisagreementSettings) -> Paragraph:
    """Say how probabilities and expectations of disagreement were judged."""
    said = _Said()
    of = f" of {_plain(settings.predictor)}" if settings.predictor else ""
    said.say(
        f"Class probabilities{of}, and the probability that two raters disagree, were judged by the raters' "
        f"label histograms with plug-in and debiased losses ({said.cite('mimori2021')})."
    )
    said.say(f"Reliability diagrams have {settings.bins} bins of {settings.bin_kind}.")
    if settings.resamples:
        said.say(f"Errors and bands come from {settings.resamples:,} resamples of the cases.")
    if settings.by_label:
        said.say("Losses and diagrams were made of each label too.")
    if settings.probability_of:
        said.say(f"Shown are the probabilities of “{_plain(settings.probability_of)}”.")
    if settings.recalibration:
        said.say(
            f"The recalibration that is shown is “{_plain(settings.recalibration)}”, each case by a fit that "
            "had not seen it."
        )
    if settings.recalibrate or settings.methods:
        by = f" by {', '.join(map(_plain, settings.methods))}" if settings.methods else ""
        said.say(f"Models were also judged after recalibration{by}, each case by a fit that had not seen it.")
    return said.paragraph("Calibration and disagreement")


def of_conformal(settings: ConformalSettings) -> Paragraph:
    """Say how sets of labels were made."""
    said = _Said()
    of = f" of {_plain(settings.predictor)}" if settings.predictor else ""
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
    if settings.by:
        said.say(f"Coverage was found for each group by {_plain(settings.by)} too.")
    return said.paragraph("Sets of labels")


def of_raters(settings: RaterSettings) -> Paragraph:
    """Say how raters were measured."""
    said = _Said()
    if settings.raters:
        said.say(f"Raters {', '.join(map(_plain, settings.raters))} were looked at.")
    said.say(
        f"Agreement was measured by observed agreement, weighted concordance and fineness "
        f"({said.cite('cabitza2020')}), and by κ, α, AC1 and AC2"
        + (", the labels having an order" if settings.label_order else "")
        + f" ({said.cite('gwet2014')})."
    )
    if settings.other_raters:
        said.say(f"It was compared with that of raters {', '.join(map(_plain, settings.other_raters))}.")
    judged = {
        "reference": "the reference",
        "majority": "the majority of the other raters",
        "given": "the accuracy that is given",
        "model": "a model of each rater's errors",
        "": "the best there is: a given accuracy, else the reference, else the majority of the others",
    }[settings.judged_by]
    said.say(f"Raters' accuracy was judged by {judged}.")
    if settings.rater_accuracy is not None:
        said.say(f"Every rater's accuracy was given as {settings.rater_accuracy:g}.")
    if settings.variability is not None:
        said.say(f"Raters' confidence was taken to vary by {settings.variability:g}.")
    if settings.gold:
        said.say(
            "Raters' confusion was estimated with the references of the cases as known truths "
            f"({said.cite('dawid1979')})."
        )
    if settings.resamples:
        said.say(f"Intervals come from {settings.resamples:,} resamples of the cases.")
    return said.paragraph("Raters")


def of_software() -> Paragraph:
    """Say with what it was computed."""
    versions = ", ".join(f"{name} {version(name)}" for name in _SOFTWARE)
    return Paragraph(
        "Software",
        f"Computed with Loupe {core.__version__} under Python {platform.python_version()}, {versions}. "
        f"{NOTICE}",
    )


def methods_text(paragraphs: Iterable[Paragraph | None]) -> str:
    """Write paragraphs as Markdown, a heading above each, with the software at the end."""
    written = [one for one in (*paragraphs, of_software()) if one is not None]
    return "\n".join(f"## {one.heading}\n\n{one.text}\n" for one in written)


def methods_bibtex(paragraphs: Iterable[Paragraph | None]) -> str:
    """Write the works that paragraphs name as BibTeX."""
    return bibtex(source for one in paragraphs if one is not None for source in one.sources)


def _plain(text: str) -> str:
    """Text from a study on one line, so that it ends no paragraph and begins no heading."""
    return " ".join(text.split())
