"""What all tasks of a study come to, in sentences with their uncertainty."""

from __future__ import annotations

import pandas as pd

from core.analysis.formatting import of_hundred
from core.analysis.models.all_tasks_draws import AVERAGE, TasksDrawn
from core.analysis.models.finding import listed, ordinal, p_words, signed
from core.metrics.share_intervals import STATED
from core.study.brief import number_of

SAID = ("AUROC", "s-AUROC")
"""Metrics that a summary speaks of."""
CLAIM = (
    "Differences are claimed for other cases, read by as many raters. Each p is two-sided, from Student's t "
    "like the interval, and corrected after Holm for all pairs of models in all tasks by the same metric: a "
    "metric and its counterpart apart, and averages over tasks apart."
)
_LEVEL = 1 - STATED
_FEWEST = 2


def most_changed(table: pd.DataFrame) -> str:
    """Say where hard and soft order differ most.

    Parameters
    ----------
    table : DataFrame
        ``all_tasks`` of `core.analysis.models.all_tasks.all_tasks`, or its rows of some metrics.
    """
    moved = table[table["rank_change"].notna() & (table["rank_change"] != 0)]
    pairs = table.drop_duplicates(["task", "metric"])
    metrics = table["metric"].unique()
    if table.groupby(["task", "metric"])["hard_rank"].count().max() < _FEWEST:
        return "In no task are there two models to be put in order."
    if moved.empty:
        by = metrics[0] if len(metrics) == 1 else "any metric"
        return f"No model changes its rank by {by} in any of {number_of(pairs['task'].nunique(), 'task')}."
    steps = moved["rank_change"].abs()
    top = moved[steps == steps.max()].drop_duplicates("task").to_dict("records")
    said = [
        f"{row['model']} in {row['task']} (by {row['metric']} {ordinal(int(row['hard_rank']))}, "
        f"by {row['counterpart']} {ordinal(int(row['soft_rank']))})"
        for row in top
    ]
    changed = moved.drop_duplicates(["task", "metric"])
    what = "tasks" if len(metrics) == 1 else "pairs of task and metric"
    return (
        f"The order changes in {len(changed)} of {len(pairs)} {what} when every reading is kept; most for "
        f"{listed(said)}."
    )


def drawn_sentences(drawn: TasksDrawn) -> list[str]:
    """Say of `SAID` how sure the differences in all tasks are, and who is best on average."""
    metrics = set(drawn.tables["all_tasks_best"]["metric"])
    said = [differences_words(drawn, metric) for metric in SAID if metric in metrics]
    said += [average_words(drawn, metric) for metric in SAID if metric in metrics and not drawn.no_average]
    said.append(CLAIM)
    return [*said, *([f"Nothing is drawn of averages: {drawn.no_average}."] if drawn.no_average else [])]


def differences_words(drawn: TasksDrawn, metric: str, *, source: str = "cases") -> str:
    """Say how many differences of two models hold once corrected for all, and which is the clearest."""
    table = drawn.tables["all_tasks_differences"]
    rows = table[(table["metric"] == metric) & (table["source"] == source) & (table["task"] != AVERAGE)]
    tested = rows.dropna(subset=["p_holm"])
    if tested.empty:
        why = [reason for reason in rows["caution"].unique() if reason]
        return f"No difference of two models by {metric} is tested{': ' + why[0] if why else ''}."
    clear = int((tested["p_holm"] < _LEVEL).sum())
    top = tested.sort_values(["p_holm", "p"], kind="stable").iloc[0]
    first, second = ("a", "b") if top["difference"] >= 0 else ("b", "a")
    low, high = (top["low"], top["high"]) if first == "a" else (-top["high"], -top["low"])
    n = int(tested["n_comparisons"].iloc[0])
    return (
        f"Of {number_of(n, 'difference')} of two models by {metric} in "
        f"{number_of(tested['task'].nunique(), 'task')}, "
        f"{clear if clear else 'none'} {'has' if clear <= 1 else 'have'} p < {_LEVEL:.2g} once corrected for "
        f"all of them; the clearest: {top[f'model_{first}']} less {top[f'model_{second}']} in {top['task']}, "
        f"{signed(abs(top['difference']))} (95 % interval {signed(low)} to {signed(high)}, corrected "
        f"p {p_words(top['p_holm'])})."
    )


def average_words(
    drawn: TasksDrawn, metric: str, *, source: str = "cases", draws: str = "resamplings of the cases"
) -> str:
    """Say who has the best average over tasks, and in how many draws, which are called so."""
    table = drawn.tables["all_tasks_best"]
    rows = table[(table["metric"] == metric) & (table["source"] == source) & (table["task"] == AVERAGE)]
    known = rows.dropna(subset=["probability"])
    if known.empty:
        return f"The average of {metric} over tasks ranks no two models."
    first = known[known["observed_rank"] == 1]
    shares = [of_hundred(share) for share in first["probability"]]
    said = [f"{name} in {share}" for name, share in zip(first["model"], shares, strict=True)]
    return (
        f"Averaged over tasks, {listed(first['model'].tolist())} {'leads' if len(first) == 1 else 'lead'} by "
        f"{metric} ({first['observed'].iloc[0]:.3f}); best in 100 {draws}: {listed(said)}."
    )
