"""What a plan was read from: quality, or cases needed, against the number of raters."""

from __future__ import annotations

import pandas as pd

from dashboard.charts.raters.fineness import Figure, Style, curves_chart
from dashboard.shell.theme import Tokens

RATERS = "Raters a case"
_FINENESS = {"if independent": Style("soft", "solid"), "if dependent": Style("soft", "dashed")}
_CERTAINTY = {"mean certainty": Style("soft", "solid"), "certain cases": Style("other", "dashed")}
_RANKING = {"by majority": Style("hard", "solid"), "by shares": Style("soft", "dashed")}
_TRUTHS = {"majority": "by majority", "shares": "by shares"}


def fineness_plan_chart(
    table: pd.DataFrame, *, wanted: float, raters: int | None, dependent: bool, tokens: Tokens
) -> Figure:
    """Draw the fineness of the majority against the number of raters; the answer is ringed.

    Where raters err on the same cases (``dependent``), it is on that curve.
    """
    columns = {"if independent": "fineness"} | ({"if dependent": "fineness_dependent"} if dependent else {})
    curves = pd.concat([_curve(table, name, column) for name, column in columns.items()], ignore_index=True)
    column = "fineness_dependent" if dependent else "fineness"
    return curves_chart(
        curves,
        _FINENESS,
        title="Cases that the majority gets right",
        x_title=RATERS,
        wanted=wanted,
        answer=_answer(table, raters, column),
        tokens=tokens,
    )


def certainty_plan_chart(table: pd.DataFrame, *, wanted: float, raters: int | None, tokens: Tokens) -> Figure:
    """Draw certainty against the number of raters, with the simulation's error; parameters as above."""
    error = 1.96 * table["standard_error"]
    mean = _curve(table, "mean certainty", "certainty").assign(
        low=(table["certainty"] - error).to_numpy(), high=(table["certainty"] + error).to_numpy()
    )
    return curves_chart(
        pd.concat([mean, _curve(table, "certain cases", "share_certain")], ignore_index=True),
        _CERTAINTY,
        title="Certainty, and share of certain cases",
        x_title=RATERS,
        wanted=wanted,
        answer=_answer(table, raters, "certainty"),
        tokens=tokens,
    )


def ranking_plan_chart(
    table: pd.DataFrame, *, raters: int | None, cases: int | None, tokens: Tokens
) -> Figure:
    """Draw the cases needed to rank two models rightly against the number of raters, logarithmically."""
    known = table.dropna(subset=["cases_needed"])
    curves = pd.DataFrame(
        {
            "series": known["truth"].map(_TRUTHS),
            "place": known["n_raters"],
            "value": known["cases_needed"].astype(float),
            "low": float("nan"),
            "high": float("nan"),
        }
    )
    answer = None
    if raters is not None and cases is not None:
        answer = pd.DataFrame({"place": [raters], "value": [float(cases)], "words": ["fewest readings"]})
    return curves_chart(
        curves, _RANKING, title="Cases needed", x_title=RATERS, answer=answer, shares=False, tokens=tokens
    )


def _curve(table: pd.DataFrame, series: str, column: str) -> pd.DataFrame:
    """One curve with its band, where it has one."""
    frame = pd.DataFrame({"series": series, "place": table["n_raters"], "value": table[column]})
    for end in ("low", "high"):
        name = f"{column}_{end}"
        frame[end] = table[name] if name in table else float("nan")
    return frame


def _answer(table: pd.DataFrame, raters: int | None, column: str) -> pd.DataFrame | None:
    """The first row of the table that has as many raters as the answer."""
    found = table[table["n_raters"] >= raters].head(1) if raters is not None else table.iloc[:0]
    if found.empty:
        return None
    words = f"{raters} rater" + "s" * (raters != 1)
    return pd.DataFrame({"place": found["n_raters"], "value": found[column], "words": words})
