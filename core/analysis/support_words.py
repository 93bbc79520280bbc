"""What a range of supported accuracies is not, and what it is over, in the same words everywhere."""

from __future__ import annotations

NO_ESTIMATE = "Supported ranges say what the labels can prove, not how good a model is"
MAY_BE_BETTER = f"{NO_ESTIMATE}: it may be better, but they cannot show it."
ONLY_POSSIBLE = "only possible, not proven"
"""What a claim is that lies within what is supported: nobody is to take it for one that is."""
TRUTHS = "plausible truths"
TRUTHS_EXPLAINED = f"{TRUTHS} (truths that the readings leave possible)"
"""Where they are first spoken of."""
