"""What becomes of coefficients of agreement where one label is very common, everything else being equal."""

from __future__ import annotations

import numpy as np
import pandas as pd

from core.analysis.raters.coefficients import largest_share
from core.analysis.raters.panel import Panel
from core.metrics.agreement.chance import agreement_per_case, beyond
from core.metrics.agreement.chance_names import AC1, FLEISS

N_STEPS = 61


def skew_table(panel: Panel) -> pd.DataFrame:
    """Fleiss' κ and Gwet's AC1 if the commonest label were rarer or more common, at the agreement observed.

    Parameters
    ----------
    panel : Panel
        Raters and cases.

    Returns
    -------
    DataFrame
        ``coefficient``; ``share`` of the readings that say the commonest label, ascending; ``value``;
        ``here``, whether the share is the one observed. ``attrs["label"]`` names the label and
        ``attrs["observed"]`` is the agreement. Empty where no two raters read a case, or all agree.

    Notes
    -----
    P_o stays as it is, and the other labels keep their proportions: with the share s of the commonest label
    and q_k of label k among the others (Σ q_k = 1), P_e = s² + (1 − s)² Σ q_k² for κ, and
    (1 − P_s) / (K − 1) for AC1, with P_s that same sum. A pair that disagrees has a reading that says another
    label, so s ≤ 1 − (1 − P_o) / 2.
    """
    label, share = largest_share(panel)
    agreement = agreement_per_case(panel.counts)
    defined = agreement[~np.isnan(agreement)]
    columns = ["coefficient", "share", "value", "here"]
    observed = float(defined.mean()) if len(defined) else np.nan
    if not observed < 1:
        return pd.DataFrame(columns=columns)
    given = np.bincount(panel.code, minlength=panel.n_labels) / len(panel.code)
    others = np.delete(given, int(given.argmax()))
    rest = others / others.sum() if others.sum() > 0 else others
    shares = np.append(np.linspace(1 / panel.n_labels, 1 - (1 - observed) / 2, N_STEPS), share)
    same = shares**2 + (1 - shares) ** 2 * (rest**2).sum()
    agreed = np.full(len(shares), observed)
    values = {FLEISS: beyond(agreed, same), AC1: beyond(agreed, (1 - same) / (panel.n_labels - 1))}
    table = pd.concat(
        [
            pd.DataFrame(
                {
                    "coefficient": name,
                    "share": shares,
                    "value": value,
                    "here": np.arange(len(shares)) == N_STEPS,
                }
            )
            for name, value in values.items()
        ]
    )
    table = table.sort_values(["coefficient", "share"], kind="stable", ignore_index=True)
    table.attrs |= {"label": label, "observed": observed}
    return table
