"""What a comparison of models found, in sentences with their uncertainty."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from core.analysis.formatting import of_hundred
from core.analysis.models.rank_change import COUNTERPARTS, LOSSES
from core.study.model import Study, Task

SAME = " = "
"""Between the names of models that predict the very same."""
_MOST_NAMES = 3
_MOST_DIGITS = 6
_LEAST_P = 0.0001
_CLAIMED = 0.05


def subject(study: Study, task: Task, metric: str, label: str) -> str:
    """Name what a comparison by a metric is about, where it could be taken for something else.

    Parameters
    ----------
    study, task
        What is compared.
    metric : str
        A hard metric of `core.analysis.models.rank_change.rank_change`.
    label : str
        The label that counts as positive.

    Returns
    -------
    str
        The task where there are several, and of its labels the one that counts as positive, or all; empty
        where there is one task and its own positive label.
    """
    of_label = metric in COUNTERPARTS and metric != "accuracy"
    n_labels = len(task.labels)
    parts = [task.name] if len(study.tasks) > 1 else []
    if of_label and n_labels > 2:
        parts.append(f"“{label}” against all other labels")
    elif of_label and label != task.positive:
        parts.append(f"“{label}” as the positive label")
    elif n_labels > 2:
        parts.append(f"over all {n_labels:,} labels")
    about = ", ".join(parts)
    return about[:1].upper() + about[1:] if about.startswith("over") else about


def finding(metrics: pd.DataFrame, best: pd.DataFrame, *, draws: str, about: str = "") -> str:
    """Say who leads by a hard metric and by its counterpart, and how sure that is.

    Parameters
    ----------
    metrics : DataFrame
        Rows of one metric of `core.analysis.models.rank_change.rank_change`.
    best : DataFrame
        Rows of one source and metric of `core.analysis.models.best.best_table`; without any row nothing
        is said of uncertainty.
    draws : str
        What the draws are, such as "resamplings of the readings".
    about : str
        Of `subject`: stands before what was found.

    Returns
    -------
    str
        Models that predict the very same are named together.
    """
    said = _finding(metrics, best, draws)
    return f"{about}: {said}" if about else said


def _finding(metrics: pd.DataFrame, best: pd.DataFrame, draws: str) -> str:
    """Say what was found of whatever it is about."""
    rows = distinct(metrics).dropna(subset=["hard", "soft"])
    metric, counterpart = metrics[["metric", "counterpart"]].iloc[0]
    if rows.empty:
        return f"The models cannot be compared by {metric}: {reasons(metrics)}."
    if len(rows) == 1:
        return _single(rows, metric, counterpart)
    first, then = (rows[rows[rank] == rows[rank].min()] for rank in ("hard_rank", "soft_rank"))
    sentences = [_who_leads(first, then, metric, counterpart)]
    if list(first["model"]) == list(then["model"]):
        sentences.append(_who_moves(rows, first))
    if often := best_in_draws(metrics, best, draws=draws):
        sentences.append(often)
    return " ".join(sentences)


def best_in_draws(metrics: pd.DataFrame, best: pd.DataFrame, *, draws: str) -> str:
    """Say in how many draws the leaders by a hard metric and by its counterpart are the best.

    Parameters
    ----------
    metrics, best, draws
        As of `finding`; ``best`` says by which of the two metrics.

    Returns
    -------
    str
        Empty where nothing was drawn, and where there is no order.
    """
    rows = distinct(metrics).dropna(subset=["hard", "soft"])
    if len(rows) < 2 or not best["probability"].notna().any():
        return ""
    first, then = (rows[rows[rank] == rows[rank].min()] for rank in ("hard_rank", "soft_rank"))
    return _how_often(first, then, chances(metrics, best), best["metric"].iloc[0], draws)


def distinct(metrics: pd.DataFrame) -> pd.DataFrame:
    """Rows of the models that differ, with a column ``names``: all that predict the very same."""
    names: dict[str, list[str]] = {}
    for model, same_as in zip(metrics["model"], metrics["same_as"], strict=True):
        names.setdefault(same_as or model, []).append(model)
    kept = metrics[(metrics["same_as"] == "").to_numpy()]
    return kept.assign(names=[SAME.join(names[model]) for model in kept["model"]])


def reasons(metrics: pd.DataFrame) -> str:
    """Why values are missing, each reason once, with the models where it is not that of all."""
    given = metrics[metrics["reason"] != ""]
    found = []
    for reason, of in given.groupby("reason", sort=False):
        whom = "" if len(of) == len(metrics) else f"{listed(of['model'].tolist())}: "
        found.append(f"{whom}{reason}")
    return "; ".join(found)


def chances(metrics: pd.DataFrame, best: pd.DataFrame) -> pd.Series:
    """P(best) by the name of the first of those that predict the very same, their shares added up."""
    same = metrics["same_as"].where(metrics["same_as"] != "", metrics["model"])
    first = dict(zip(metrics["model"], same, strict=True))
    return best.set_index("model")["probability"].groupby(first).sum(min_count=1)


def _single(rows: pd.DataFrame, metric: str, counterpart: str) -> str:
    """A model alone has values and no rank."""
    names, hard, soft = rows[["names", "hard", "soft"]].iloc[0]
    who = f"Only one model can be judged: {names}"
    if SAME in names:
        who = f"There is no order, for these models predict the very same: {names}"
    return f"{who}. Its {metric} is {hard:.3f}, its {counterpart} {soft:.3f}."


def _who_leads(first: pd.DataFrame, then: pd.DataFrame, metric: str, counterpart: str) -> str:
    """Who is first by each metric, and where the first by the hard one stands by the other."""
    soft = then["soft"].iloc[0]
    leads = f"{_lead(first)} on {metric} ({first['hard'].iloc[0]:.3f})"
    if list(first["model"]) == list(then["model"]):
        return f"{leads} and on {counterpart} ({soft:.3f})."
    digits = _digits([soft, *first["soft"]])
    left = first[~first["model"].isin(then["model"])]
    places = [
        f"{'it' if len(first) == 1 else name} is {ordinal(int(rank))} ({value:.{digits}f})"
        for name, rank, value in left[["names", "soft_rank", "soft"]].itertuples(index=False)
    ]
    return f"{leads}; on {counterpart} {listed([*places, f'{_lead(then)} ({soft:.{digits}f})'])}."


def _digits(values: Sequence[float]) -> int:
    """Decimals, three to six, that keep different values apart."""
    n_values = len(set(values))
    return next((n for n in (3, 4, 5) if len({f"{value:.{n}f}" for value in values}) == n_values), 6)


def _lead(rows: pd.DataFrame) -> str:
    names = listed(rows["names"].tolist())
    return f"{names} leads" if len(rows) == 1 else f"{names} share the lead"


def _who_moves(rows: pd.DataFrame, leaders: pd.DataFrame) -> str:
    """How many of the others change places."""
    others = rows[~rows["model"].isin(leaders["model"])]
    moved = int((others["rank_change"] != 0).sum())
    if others.empty or moved == 0:
        return "No model changes its place."
    return f"Behind, {moved} of {len(others)} change places."


def _how_often(first: pd.DataFrame, then: pd.DataFrame, chance: pd.Series, metric: str, draws: str) -> str:
    """In how many draws each leader is the best."""
    leaders = pd.concat([first, then]).drop_duplicates("model").head(_MOST_NAMES)
    shares = [of_hundred(chance.get(model, float("nan"))) for model in leaders["model"]]
    said = [f"{name} in {share}" for name, share in zip(leaders["names"], shares, strict=True)]
    return f"Best by {metric} in 100 {draws}: {listed(said)}."


def pair_finding(pair: pd.Series, deciding: pd.DataFrame, *, draws: str) -> str:
    """Say how far two models are apart, how sure that is, and for whom the cases speak.

    Parameters
    ----------
    pair : Series
        A row of `core.analysis.models.best.pair_table`.
    deciding : DataFrame
        Of `core.analysis.models.deciding.deciding_cases`, for the same models and metric.
    draws : str
        What the draws are, such as "resamplings of the readings".
    """
    a, b, metric = pair["model_a"], pair["model_b"], pair["metric"]
    speaks = [int((deciding["favours"] == model).sum()) for model in (a, b)]
    cases = f"Of {len(deciding):,} cases, {speaks[0]:,} speak for {a} and {speaks[1]:,} for {b}."
    if pd.isna(pair["probability"]):
        return f"{metric} of {a} less that of {b}: {signed(pair['difference'])}. {cases}"
    less = ", less being better" if metric in LOSSES else ""
    interval = pair["caution"]
    if pd.notna(pair["low"]):
        of = f"{pair['interval_of']}; {interval}" if interval else pair["interval_of"]
        interval = f"95 % interval {signed(pair['low'])} to {signed(pair['high'])} ({of})"
    if pd.notna(pair["p"]):
        interval += f", p {p_words(pair['p'])}"
        if pair["n_comparisons"] > 1:
            interval += f", corrected for {pair['n_comparisons']} pairs of models p {p_words(pair['p_holm'])}"
    return (
        f"{metric} of {a} less that of {b}: {signed(pair['difference'])}{less}; {interval}. "
        f"Of 100 {draws}, {a} is better in {of_hundred(pair['probability'])}. {cases}"
    )


def p_words(p: float) -> str:
    """A p-value as it stands in a sentence, with its sign; as written, it is on its side of 0.05."""
    if p < _LEAST_P:
        return f"< {_LEAST_P}"
    digits = next(
        (n for n in range(2, _MOST_DIGITS) if (float(f"{p:.{n}g}") < _CLAIMED) == (p < _CLAIMED)), 2
    )
    return f"= {p:.{digits}g}"


def signed(value: float) -> str:
    """A difference with its sign: three decimals, or up to six where fewer show none."""
    rounded = round(value, _MOST_DIGITS) + 0.0
    digits = 3
    while digits < _MOST_DIGITS and round(rounded, digits) == 0 and rounded != 0:
        digits += 1
    return f"{rounded:+.{digits}f}".replace("-", "−")


def ordinal(number: int) -> str:
    """Place in an order: 1st, 2nd, 3rd, 4th."""
    ending = "th" if 10 <= number % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def listed(parts: Sequence[str]) -> str:
    """A, B and C; of many the first few and how many more."""
    if len(parts) > _MOST_NAMES + 1:
        parts = [*parts[:_MOST_NAMES], f"{len(parts) - _MOST_NAMES} more"]
    return " and ".join([", ".join(parts[:-1]), parts[-1]]) if len(parts) > 1 else "".join(parts)
