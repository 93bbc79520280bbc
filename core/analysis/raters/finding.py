"""What the raters' agreement comes to, in a few plain words with numbers and intervals."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np
import pandas as pd

from core.analysis.formatting import rounded_percent
from core.analysis.raters.coefficients import OVERLAP, SKEWED, largest_share
from core.analysis.raters.panel import Panel
from core.metrics.agreement.chance_names import AC1, ALPHA, ALPHA_INTERVAL, OBSERVED
from core.metrics.agreement.concordance import RULE_OF_THUMB

Rows = dict[str, dict[Hashable, Any]]
"""Coefficients by name."""


def finding(panel: Panel, coefficients: pd.DataFrame, steps: pd.DataFrame) -> str:
    """Say how often raters agree, how far beyond chance, and whether that can be relied on.

    Parameters
    ----------
    panel : Panel
        Raters and cases.
    coefficients : DataFrame
        From `core.analysis.raters.coefficients.coefficient_table`.
    steps : DataFrame
        From `core.analysis.raters.concordance.concordance_table`.

    Returns
    -------
    str
        Two to four sentences; intervals are those of the tables, left out where there are none.
    """
    rows: Rows = {row["coefficient"]: row for row in coefficients.to_dict("records")}
    if np.isnan(rows[OBSERVED]["value"]):
        return f"Agreement cannot be measured here: {rows[OBSERVED]['undefined']}."
    words = [_agreed(panel, rows), _beyond(panel, rows)]
    label, share = largest_share(panel)
    if share >= SKEWED and not np.isnan(rows[AC1]["value"]):
        words.append(
            f"{rounded_percent(share)} of the readings say {label}, where α is low even if raters agree; "
            f"{AC1}, which bears that, is {_number(rows[AC1])}."
        )
    return " ".join([*words, _reliable(steps.to_dict("records")[-1])])


def _agreed(panel: Panel, rows: Rows) -> str:
    """Observed agreement."""
    observed = rows[OBSERVED]
    interval = ""
    if not np.isnan(observed["low"]):
        interval = f" ({100 * observed['low']:.0f} to {rounded_percent(observed['high'])})"
    share = f"{rounded_percent(observed['value'])} of cases{interval}"
    if panel.task.kind == "score":
        return f"Two raters are on the same side of the threshold, {panel.task.threshold:g}, on {share}."
    if panel.task.kind == "choice":
        return f"Two raters agree on {share}."
    overlap = rows[OVERLAP]["value"] if OVERLAP in rows else np.nan
    more = (
        ""
        if np.isnan(overlap)
        else f"; their first three labels overlap by {rounded_percent(overlap)} on average"
    )
    return f"Two raters put the same label first on {share}{more}."


def _beyond(panel: Panel, rows: Rows) -> str:
    """Agreement beyond chance; of scores as numbers."""
    name, of = (ALPHA_INTERVAL, " of the scores") if panel.task.kind == "score" else (ALPHA, "")
    if name not in rows:
        name, of = ALPHA, ""
    if np.isnan(rows[name]["value"]):
        return f"Beyond chance nothing can be said: {rows[name]['undefined']}."
    return f"Beyond chance, Krippendorff’s α{of} is {_number(rows[name])}; 1 is full agreement, 0 is luck."


def _reliable(weighted: dict[Hashable, Any]) -> str:
    """Weighted concordance against the rule of thumb."""
    value = weighted["value"]
    low, high, why = weighted["low"], weighted["high"], " as confidence varies from reading to reading"
    if np.isnan(low):
        low, high, why = weighted["error_low"], weighted["error_high"], ""
    interval = "" if np.isnan(low) else f" ({low:.2f} to {high:.2f}{why})"
    reaches = value >= RULE_OF_THUMB
    verdict = "no less than" if reaches else "below"
    aside = ""
    if not np.isnan(low) and low < RULE_OF_THUMB <= high:
        aside = ", though the interval goes below it" if reaches else ", though the interval reaches it"
    return (
        "Counting agreement only as far as raters are sure and likely right leaves ϱ = "
        f"{value:.2f}{interval}: {verdict} two thirds, the rule of thumb for reliable annotations{aside}."
    )


def _number(row: dict[Hashable, Any]) -> str:
    """Value with its interval."""
    interval = "" if np.isnan(row["low"]) else f" ({row['low']:.2f} to {row['high']:.2f})"
    return f"{row['value']:.2f}{interval}".replace("-", "−")
