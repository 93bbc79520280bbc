"""What a round changed, in sentences."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from core.analysis.formatting import percent
from core.study.brief import number_of

MAIN_METRIC = "adjusted accuracy"
"""What a sentence ranks models by."""


def change_sentences(tables: Mapping[str, pd.DataFrame]) -> list[str]:
    """Say what changed in plain words, from the tables of `core.analysis.round_changes.round_changes`."""
    cases = tables["cases"]
    if cases.empty:
        return ["No case has a further reading, so nothing changed."]
    n, further = len(cases), int(cases["further_readings"].sum())
    sentences = [
        f"{number_of(n, 'case')} {'has' if n == 1 else 'have'} {number_of(further, 'further reading')}."
    ]
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


def _went(before: float, after: float) -> str:
    then, now = percent(before), percent(after)
    if then == now:
        return f"stays at {then}"
    return f"{'rises' if after > before else 'falls'} from {then} to {now}"


def _model_sentence(models: pd.DataFrame) -> list[str]:
    """Say whether the order of the models changed."""
    of = models[
        (models["metric"] == MAIN_METRIC) & models["rank_after"].notna() & models["rank_before"].notna()
    ]
    if len(of) < 2:
        return []
    moved = of[of["rank_change"] != 0]
    if moved.empty:
        return [f"By {MAIN_METRIC}, the order of the models stays as it was."]
    said = [
        f"{row.model} goes from rank {row.rank_before:.0f} to {row.rank_after:.0f}"
        for row in moved.itertuples()
    ]
    return [f"By {MAIN_METRIC}, {', '.join(said[:5])}{' …' if len(said) > 5 else ''}."]
