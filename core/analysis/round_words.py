"""What a round changed, in sentences."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import pandas as pd

from core.analysis.cases.truths import moved, of_100, times
from core.analysis.formatting import percent
from core.analysis.models.finding import signed
from core.study.brief import number_of

MAIN_METRIC = "adjusted accuracy"
"""What a sentence ranks models by."""
MOST_DIGITS = 6
"""After the point, of a change."""
FEW_CASES = 3
"""Of which each is told of."""
UNKNOWN = "–"
"""Stands for what is not known."""


def change_sentences(tables: Mapping[str, pd.DataFrame]) -> list[str]:
    """Say what changed in plain words, from the tables of `core.analysis.round_changes.round_changes`."""
    cases = tables["cases"]
    if cases.empty:
        return ["No case has a further reading, so nothing changed."]
    n, further = len(cases), int(cases["further_readings"].sum())
    sentences = [
        f"{number_of(n, 'case')} {'has' if n == 1 else 'have'} {number_of(further, 'further reading')}."
    ]
    sentences += danger_sentences(cases)
    for measure, of in tables["certainty"].groupby("measure", sort=False):
        went = [_went(float(then), float(now)) for then, now in zip(of["before"], of["after"], strict=True)]
        if of["n_cases"].iloc[0]:
            sentences.append(f"Mean {measure} of the cases read again {went[0]}; of the study it {went[1]}.")
    changed, broken = (int(tables["certainty"][name].iloc[0]) for name in ("leading_changed", "ties_broken"))
    said = [f"Another label leads in {changed:,} of them"] * bool(changed)
    said += [f"a tie is broken in {broken:,} of them"] * bool(broken)
    words = ", and ".join(said) or "No other label leads in any of them"
    sentences.append(f"{words[0].upper()}{words[1:]}.")
    if "models" in tables:
        sentences += _model_sentence(tables["models"])
    return sentences


def danger_sentences(cases: pd.DataFrame) -> list[str]:
    """Say what became of danger in the cases that were read again: in each of a few, else in how many.

    Parameters
    ----------
    cases : DataFrame
        Of `core.analysis.round_changes.case_changes`.

    Returns
    -------
    list of str
        Empty without levels of risk, and where no case has both numbers.
    """
    if "high_risk_before" not in cases:
        return []
    known = cases.dropna(subset=["high_risk_before", "high_risk_after"])
    rows = known[["case_id", "high_risk_before", "high_risk_after"]].itertuples(index=False, name=None)
    moves = [(str(case_id), float(then), float(now)) for case_id, then, now in rows]
    if len(moves) <= FEW_CASES:
        return [f"Danger in {case_id} {_danger_went(then, now)}." for case_id, then, now in moves]
    up, down = (
        sum(sign * (now - then) > 0 and times(now) != times(then) for _, then, now in moves)
        for sign in (1, -1)
    )
    if not up + down:
        return [f"Danger stays as it was in all {len(moves):,} of them."]
    most = max(moves, key=lambda move: abs(move[2] - move[1]))
    said = f"Danger rises in {up:,} and falls in {down:,} of the {len(moves):,} cases"
    return [f"{said}; in {most[0]}, where it moves most, it {_danger_went(*most[1:])}."]


def _danger_went(before: float, after: float) -> str:
    """How often a high-risk label leads, before and after, in truths of a hundred."""
    if times(before) == times(after):
        return f"stays at {of_100(after)}"
    return f"{'rises' if after > before else 'falls'} from {moved(before, after, ' to ')}"


def _went(before: float, after: float) -> str:
    then, now = percent(before), percent(after)
    if then == now:
        return f"stays at {then}"
    return f"{'rises' if after > before else 'falls'} from {then} to {now}"


def _model_sentence(models: pd.DataFrame) -> list[str]:
    """Say whether the order of the models changed by the main metric."""
    said = order_sentence(models, MAIN_METRIC)
    return [said] if said else []


def order_sentence(models: pd.DataFrame, metric: str) -> str:
    """Say whether the order of the models by a metric changed.

    Parameters
    ----------
    models : DataFrame
        Of `core.analysis.round_changes.model_changes`.
    metric : str
        Any metric of it.

    Returns
    -------
    str
        Empty where fewer than two models have a rank both before and after.
    """
    of = models[(models["metric"] == metric) & models["rank_after"].notna() & models["rank_before"].notna()]
    if len(of) < 2:
        return ""
    shifted = of[of["rank_change"] != 0]
    if shifted.empty:
        return f"By {metric}, the order of the models stays as it was."
    said = [
        f"{row.model} goes from rank {row.rank_before:.0f} to {row.rank_after:.0f}"
        for row in shifted.itertuples()
    ]
    return f"By {metric}, {', '.join(said[:5])}{' …' if len(said) > 5 else ''}."


MODEL_HEADS = ("Metric", "Model", "Before → with the round", "Change ± standard error", "Rank")
FEW = 20
"""Cases read again, of which fewer tell little of how far others would scatter."""


def error_words(n_read: int) -> str:
    """Say what the errors of `model_rows` are, where so many cases were read again."""
    rough = f" With {number_of(n_read, 'case')} read again it is rough." if n_read < FEW else ""
    return (
        "± is the standard error over cases, each before and after as a pair: how far the change would "
        f"scatter, had other cases like these been read again in the same way.{rough}"
    )


def model_rows(models: pd.DataFrame) -> list[tuple[str, ...]]:
    """Write the table of `core.analysis.round_changes.model_changes` for people, under `MODEL_HEADS`.

    By metric, the best with the round first. Models without a value, before and after, are left out; what
    else is not known is a dash.
    """
    shown = models[models["before"].notna() | models["after"].notna()]
    place = shown["metric"].map({one: i for i, one in enumerate(shown["metric"].unique())})
    shown = shown.assign(place=place).sort_values(["place", "rank_after"], kind="stable")
    return [
        (
            str(row.metric),
            str(row.model),
            f"{_known(row.before, '.3f')}\u00a0→ {_known(row.after, '.3f')}",
            _change(row.change, row.change_error),
            f"{_known(row.rank_before, '.0f')}\u00a0→\u00a0{_known(row.rank_after, '.0f')}",
        )
        for row in shown.itertuples(index=False)
    ]


def _change(change: Any, error: Any) -> str:
    """A change with its standard error, where there is one, to the second digit of the error."""
    if pd.isna(change):
        return UNKNOWN
    if pd.isna(error) or not error > 0:
        return signed(float(change)) + ("" if pd.isna(error) else " ± 0")
    digits = min(max(1 - math.floor(math.log10(error)), 0), MOST_DIGITS)
    return f"{float(change) + 0.0:+.{digits}f} ± {float(error):.{digits}f}".replace("-", "−")


def _known(value: Any, form: str) -> str:
    return UNKNOWN if pd.isna(value) else format(float(value), form)
