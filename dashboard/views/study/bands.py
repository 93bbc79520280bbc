"""Bars of the cases by how certain their leading label is, small enough for a card."""

from __future__ import annotations

from html import escape

import pandas as pd

from core.analysis.certainty_bands import bands_in_words, certainty_bands
from core.analysis.formatting import percent
from core.analysis.models.by_reliability import UNSURE


def markup(certainty: pd.Series) -> str:
    """Write the bars: a row for each band, however many cases it has, so that none moves another.

    To whoever listens it is one picture, told in a sentence. What its two colours are stands above.
    """
    bands = certainty_bands(certainty)
    most = max((band.share for band in bands), default=0.0) or 1.0
    rows = "".join(
        f'<span class="loupe-text">{escape(band.words)}</span>'
        f'<b{" data-unsure" * band.is_unsure}><i style="width: {100 * band.share / most:.1f}%"></i></b>'
        f'<span class="loupe-text">{band.cases:,} <small>{escape(percent(band.share))}</small></span>'
        for band in bands
    )
    key = f"<b data-unsure></b>less than {UNSURE}\u00a0% certain<b></b>{UNSURE}\u00a0% or more"
    return (
        f'<p class="loupe-text loupe-bands-key" aria-hidden="true">{key}</p>'
        f'<div class="loupe-bands" role="img" aria-label="{escape(bands_in_words(bands))}">{rows}</div>'
    )
