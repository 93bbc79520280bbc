"""What the tables of a reader study say, and what each statistic claims and assumes, as sentences."""

from __future__ import annotations

from typing import Any

from core.analysis.formatting import percent
from core.analysis.models.other_readers import SHARES, OtherReaders
from core.analysis.models.settings import OtherReadersSettings

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
    return f"{verdict(pair, settings)} {_interval(pair)}"


def verdict(pair: Any, settings: OtherReadersSettings) -> str:
    """Say in a sentence what one pair comes to, with other readers and cases or with what was chosen."""
    whom, metric = _whom(settings), settings.reader_metric
    if settings.margin:
        margin = f"{settings.margin:g} {metric}"
        p = f"one-sided p = {_p(pair.p_not_inferior)}"
        if pair.p_equivalent < ONE_SIDED:
            p = f"two one-sided tests, p = {_p(pair.p_equivalent)}"
            said = f"{pair.first} and {pair.second} are equivalent within {margin} ({p})"
        elif pair.p_not_inferior < ONE_SIDED:
            said = f"{pair.first} is no worse than {pair.second} by a margin of {margin} ({p})"
        else:
            said = f"it is not shown that {pair.first} is no worse than {pair.second} by {margin} ({p})"
    elif pair.p_two_sided < 2 * ONE_SIDED:
        better, other = (pair.first, pair.second) if pair.difference > 0 else (pair.second, pair.first)
        said = f"{better} has a higher {metric} than {other} (two-sided p = {_p(pair.p_two_sided)})"
    else:
        said = (
            f"no difference in {metric} is shown between {pair.first} and {pair.second} (two-sided p = "
            f"{_p(pair.p_two_sided)})"
        )
    return f"{whom}: {said}."


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
            f"Petrick and Sahiner 2012). Both are held against {ONE_SIDED:g}, so that the {_LEVEL} interval "
            "decides. The two-sided p-value (p_two_sided) is of no difference."
        )
    else:
        said.append(
            "The two-sided p-value (p_two_sided) is of no difference; p_holm is it corrected for the "
            "number of pairs."
        )
    n = len(found.study.truths)
    said.append(
        f"The truth is one of {n:,} plausible ones, drawn from the readings by the aggregation model; the "
        "inferences under each are combined by Rubin's rules, which assume that model."
        if found.study.truth == "plausibility"
        else "The truth is the reference, taken as certain."
    )
    if len(found.sizes):
        said.append(
            "A new study (sizes): cases with which so many readers, who all read all of them, reach a power "
            f"of {settings.power:g}, if readers, cases and the share of positive ones are like these "
            "(Hillis, Obuchowski and Berbaum 2011)."
        )
    return said
