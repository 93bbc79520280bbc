"""Methods of a comparison of models in words."""

from __future__ import annotations

from core.analysis.methods_text import Paragraph, Said, plain
from core.analysis.models.settings import ComparisonSettings, OtherReadersSettings, SliceSettings


def of_comparison(settings: ComparisonSettings, *, all_tasks: bool = False) -> Paragraph:
    """Say how models were compared, of one task or of ``all_tasks`` that have predictions."""
    said = Said()
    positive = f" The positive label was “{plain(settings.positive)}”." if settings.positive else ""
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
    _inference(said, all_tasks=all_tasks)
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
        first, second = map(plain, settings.rivals)
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


def _inference(said: Said, *, all_tasks: bool) -> None:
    """Say what intervals and p-values are."""
    said.say(
        "A 95 % interval holds the value on the readings as they are, and is as wide as the draws scatter, "
        "on a scale without ends and with Student's t where the rarer side is small; it is of these cases "
        "read again, or of other cases, as its column says."
    )
    pairs = "pairs of models in all tasks" if all_tasks else "pairs of models"
    said.say(
        "The p-value of a difference of two models is two-sided, from the same Student's t as its interval, "
        f"and is corrected for all {pairs} by one metric ({said.cite('holm1979')})."
    )
    if all_tasks:
        said.say("Averages over tasks are plain means: each task counts as much as any other.")
    else:
        said.say(
            "The one-sided sign test over draws is given as it was published "
            f"({said.cite('lionetti2025')}, app. C); it does not say how sure a difference is."
        )


def of_slices(settings: SliceSettings) -> Paragraph | None:
    """Say how groups of cases were compared; None where none were."""
    if not settings.by:
        return None
    said = Said()
    said.say(
        f"Cases were grouped by {' × '.join(map(plain, settings.by))}, columns of many numbers in "
        f"{settings.bins} bins of as many cases each. 95 % intervals of shares are those of "
        f"{said.cite('wilson1927')} with effective cases ({said.cite('korn1998')}), of AUROC and s-AUROC "
        f"those of {said.cite('delong1988')}, of AP and s-AP those of the jackknife, with Student's t."
    )
    said.say(
        f"Groups of {settings.fewest} or more cases were compared in pairs, with the degrees of freedom of "
        f"{said.cite('welch1947')} and p-values corrected for the pairs of one metric and model "
        f"({said.cite('holm1979')})."
    )
    return said.paragraph("Groups of cases")


def of_readers(settings: OtherReadersSettings) -> Paragraph:
    """Say how a result was carried over to other readers and cases."""
    said = Said()
    at = (
        ""
        if settings.threshold is None or settings.reader_metric == "AUROC"
        else (f", a reading of {settings.threshold:g} or more being positive")
    )
    positive = f" of “{plain(settings.reader_positive)}”" if settings.reader_positive else ""
    said.say(f"{settings.reader_metric}{positive} was averaged over readers{at}.")
    if settings.own_raters:
        said.say("Readers were the study's raters, each judged without their own readings.")
    if settings.modalities:
        said.say(f"Compared were: {' and '.join(map(plain, settings.modalities))}.")
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
    said.say(
        "95 % intervals and two-sided p-values are from Student's t; those of several pairs are corrected "
        f"({said.cite('holm1979')})."
    )
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
