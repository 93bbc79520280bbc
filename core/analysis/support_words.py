"""What a range of supported accuracies is not, and what it is over, in the same words everywhere."""

from __future__ import annotations

NO_ESTIMATE = "These ranges say what the labels can show, not how often a model is right"
USUALLY_LESS = "mostly that is more."
TRUTHS = "plausible truths"
TRUTHS_EXPLAINED = f"{TRUTHS} (truths that the readings leave possible)"
"""Where they are first spoken of."""
