"""What a range of supported accuracies is not, and what it is over, in the same words everywhere."""

from __future__ import annotations

NO_ESTIMATE = "These ranges do not estimate how often a model is right"
USUALLY_LESS = "they say what these labels can support, usually less."
TRUTHS = "truths that the readings leave possible"
"""Plausible truths, for whoever does not know the term."""
