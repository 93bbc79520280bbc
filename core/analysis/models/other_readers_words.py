"""What the tables of a reader study say, and what each statistic claims and assumes, as sentences."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, cast

from core.analysis.formatting import percent
from core.analysis.models.other_readers import SHARES, OtherReaders
from core.analysis.models.settings import OtherReadersSettings
from core.study.brief import number_of

ONE_SIDED = 0.025
"""Level of one-sided tests: a {_LEVEL} interval leaves as much on each side."""
_LEVEL = "95\u00a0%"
SOURCES = {
    SHARES[0]: "readers",
    SHARES[1]: "cases",
    SHARES[2]: "readers on single cases",
    SHARES[3]: "uncertain truth",
}
"""What a share of the variance is called."""


def finding(found: OtherReaders, settings: OtherReadersSettings) -> str:
    """Say of the first pair whether its difference would hold; the answer to a margin where there is one."""
    pair = next(found.differences.itertuples())
    said = verdict(pair, settings, n_pairs=found.n_pairs)
    return f"{said} {_interval(pair)}" if known(pair.standard_error) else said


def verdict(pair: Any, settings: OtherReadersSettings, *, n_pairs: int = 1) -> str:
    """Say in a sentence what one pair comes to, with other readers and cases or with what was chosen.

    Parameters
    ----------
    pair : named tuple
        Row of `core.analysis.models.other_readers.OtherReaders.differences`.
    settings : OtherReadersSettings
        What was asked.
    n_pairs : int
        Of how many p-values it is one: where of several, those corrected for that (Holm) decide.
    """
    whom, metric = _whom(settings), settings.reader_metric
    if not known(pair.standard_error):
        return f"{whom}: nothing can be said of {pair.first} and {pair.second}: {pair.reason}."
    corrected = f", corrected for {n_pairs} pairs" if n_pairs > 1 else ""
    if settings.margin and pair.reason:
        said = f"whether {pair.first} is no worse than {pair.second} is left open: {pair.reason}"
    elif settings.margin:
        margin = f"{settings.margin:g} {metric}{_shown(pair)}"
        p = f"one-sided p = {_p(pair.p_not_inferior_holm)}{corrected}"
        if pair.p_equivalent_holm < ONE_SIDED:
            p = f"two one-sided tests, p = {_p(pair.p_equivalent_holm)}{corrected}"
            said = f"{pair.first} and {pair.second} are equivalent within {margin} ({p})"
        elif pair.p_not_inferior_holm < ONE_SIDED:
            said = f"{pair.first} is no worse than {pair.second} by a margin of {margin} ({p})"
        else:
            said = f"it is not shown that {pair.first} is no worse than {pair.second} by {margin} ({p})"
    else:
        p = f"two-sided p = {_p(pair.p_holm)}{corrected}"
        if pair.p_holm < 2 * ONE_SIDED:
            better, other = (pair.first, pair.second) if pair.difference > 0 else (pair.second, pair.first)
            said = f"{better} has a higher {metric} than {other} ({p})"
        else:
            said = f"no difference in {metric} is shown between {pair.first} and {pair.second} ({p})"
    return f"{whom}: {said}."


def cautions(found: OtherReaders) -> list[str]:
    """Say once each what intervals are to be taken with care, and of which modalities there are none."""
    said = [
        f"No interval of {row.modality}: {row.reason}."
        for row in cast("Iterable[Any]", found.modalities.itertuples())
        if row.reason
    ]
    for table in (found.modalities, found.differences):
        what = "a modality" if table is found.modalities else "a difference"
        said += [f"Care is needed with {what}: {each}." for each in dict.fromkeys(table["caution"]) if each]
    return said


def _shown(pair: Any) -> str:
    """What uncertain truths make of the margin, where they make something else of it."""
    if pair.margin_shown == pair.margin:
        return ""
    return f", shown as {pair.margin_shown:.2g} by truths as uncertain as these"


def known(value: Any) -> bool:
    """Whether a number is there."""
    return bool(value == value)


def _interval(pair: Any) -> str:
    """The difference with its interval, and what the scatter comes from."""
    shares = {name: getattr(pair, share) for share, name in SOURCES.items()}
    told = [f"{name} {percent(share)}" for name, share in shares.items() if share > 0]
    return (
        f"The difference is {signed(pair.difference)}, {_LEVEL} interval {signed(pair.low)} to "
        f"{signed(pair.high)}; of its variance: {', '.join(told)}."
    )


def _whom(settings: OtherReadersSettings) -> str:
    """To whom the sentence applies."""
    if settings.readers == "fixed":
        return "With these readers and other cases"
    return (
        "With other readers and these cases" if settings.cases == "fixed" else "With other readers and cases"
    )


def signed(value: float) -> str:
    """Write a difference with its sign and three decimals."""
    return f"{value:+.3f}".replace("-", "\u2212")


def _p(value: float) -> str:
    """Write a p-value."""
    return "below 0.0001" if value < 0.0001 else f"{value:.4f}"


def claims(found: OtherReaders, settings: OtherReadersSettings) -> list[str]:
    """Say in one sentence each what the statistics claim and what they assume."""
    metric = settings.reader_metric
    said = [
        f"{metric} of a modality is the mean over all that was read, "
        + (
            "pairs of a positive and a negative case, a tie counting half;"
            if metric == "AUROC"
            else "case by case;"
        )
        + " readers who read more count more."
    ]
    sampled = {
        ("random", "random"): "readers and cases are a sample of all there could be",
        ("fixed", "random"): "cases are a sample of all there could be, and readers are these alone",
        ("random", "fixed"): "readers are a sample of all there could be, and cases are these alone",
    }[settings.readers, settings.cases]
    how = (
        "U-statistics of any design (Gallas 2006), degrees of freedom of Obuchowski, Gallas and Hillis 2012"
        if settings.method == "u-statistics"
        else f"Obuchowski and Rockette 1995 with {settings.covariances} covariances, degrees of freedom of "
        "Hillis 2007"
    )
    said.append(
        f"A {_LEVEL} interval of a difference holds the true one in about 95 of 100 such studies if "
        f"{sampled}: {how}; that of a single modality is symmetric in its log odds."
    )
    if settings.margin:
        said.append(
            f"No worse: a one-sided test (p_not_inferior) of the first being worse by {settings.margin:g} or "
            "more. Equivalent: two one-sided tests, of which the larger p counts (p_equivalent; Chen, "
            f"Petrick and Sahiner 2012). Both are held against {ONE_SIDED:g}"
            + (f", so that the {_LEVEL} interval decides." if found.n_pairs == 1 else ".")
            + " The two-sided p-value (p_two_sided) is of no difference."
        )
    else:
        said.append("The two-sided p-value (p_two_sided) is of no difference.")
    if found.n_pairs > 1:
        said.append(
            f"Of {found.n_pairs} pairs each verdict goes by p-values that are corrected for their number "
            "(Holm 1979: p_holm, p_not_inferior_holm, p_equivalent_holm), not by its interval alone."
        )
    if settings.own_raters:
        said += _of_own_raters(found)
    if found.study.truth == "reference":
        said.append("The truth is the reference, taken as certain.")
    else:
        said += _of_plausible_truths(found, settings)
    if len(found.sizes):
        said.append(
            "A new study (sizes): cases with which so many readers, who all read all of them, reach a power "
            f"of {settings.power:g}, if readers, cases, the share of positive ones and what is known of the "
            "truth are like these "
            "(Hillis, Obuchowski and Berbaum 2011)."
        )
    return said


def _of_own_raters(found: OtherReaders) -> list[str]:
    """Say what is made of raters who are readers."""
    left_out = found.study.n_readers_left_out
    said = [
        "The readers are the study's own raters, each with the first reading of a case: a confidence of c "
        "counts ½ ± c/2, none 1 or 0. Where they gave none, their AUROC is the mean of one sensitivity and "
        "one specificity, less than what they could reach; sensitivity and specificity then compare better."
    ]
    if found.study.beside:
        said.append(
            "Nobody judges himself: a rater's truths are drawn from what all others said, and beside each "
            "rater the model is judged on the same cases by the same truths. Raters who err on the same "
            "cases look better by one another than they are."
        )
    if left_out:
        said.append(f"Left out: {number_of(left_out, 'rater')} who read no case of a class.")
    return said


def _of_plausible_truths(found: OtherReaders, settings: OtherReadersSettings) -> list[str]:
    """Say what truths drawn from the readings are, and what they make of a difference."""
    n, left_out = len(found.study.truths), found.study.n_left_out
    said = [
        f"The truth is one of {n:,} plausible ones, drawn from the readings by the aggregation model; the "
        "inferences under each are combined by Rubin's rules, which assume that model."
    ]
    if left_out:
        said.append(
            f"{number_of(left_out, 'further plausible truth')} left out, with too few cases of a class "
            "to judge by: what is said is said of the others."
        )
    if settings.reader_metric != "AUROC":
        said.append(
            f"Truths drawn from readings know nothing of the scores: {settings.reader_metric} by them is not "
            "the true one, and a difference in it may come from the other class; no margin is answered."
        )
        return said
    kept = found.differences["attenuation"].dropna()
    if len(kept):
        said.append(
            "Truths drawn from readings know nothing of the scores, which pulls each AUROC towards one half: "
            f"they show a difference of 0.10 as {0.1 * kept.iloc[0]:.2f} (attenuation {kept.iloc[0]:.2f}; "
            "Menon and others 2015)"
            + (
                ", and the difference is held against what they show of the margin (margin_shown)"
                if settings.margin
                else ""
            )
            + ". That assumes that scores are independent of the readings given the truth, and that a "
            "plausibility of 80\u00a0% is right in 80 of 100 cases; where plausibilities are surer than "
            "right, no worse is said too easily. Rubin's rules err on the side of caution here."
        )
    return said
