"""What further readings are expected to be worth, in the order chosen and at random."""

from __future__ import annotations

import pandas as pd

from core.analysis.planning.budget import Budget
from core.study.brief import number_of
from dashboard.charts.raters.fineness import Figure, Style, curves_chart
from dashboard.shell.theme import Tokens

_STYLES = {"chosen": Style("soft", "solid"), "random": Style("hard", "dashed")}
_NAMES = {"chosen": "in this order", "random": "at random"}


def reread_chart(budget: Budget, *, tokens: Tokens) -> Figure:
    """Draw expected worth against further readings; the budget is ringed, and what it is worth is dotted."""
    curves = pd.concat(
        [
            pd.DataFrame(
                {
                    "series": _NAMES[column],
                    "place": budget.curve["further_readings"],
                    "value": budget.curve[column],
                    "low": float("nan"),
                    "high": float("nan"),
                }
            )
            for column in _STYLES
        ],
        ignore_index=True,
    )
    at = float(budget.curve.set_index("further_readings")["chosen"][budget.readings])
    words = number_of(budget.readings, "reading")
    return curves_chart(
        curves,
        {_NAMES[column]: style for column, style in _STYLES.items()},
        title=budget.worth[0].upper() + budget.worth[1:],
        x_title="Further readings",
        wanted=at,
        answer=pd.DataFrame({"place": [budget.readings], "value": [at], "words": [words]}),
        linear=True,
        tokens=tokens,
    )
