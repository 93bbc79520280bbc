"""What a range of supported accuracies is not, in the same words wherever one is shown."""

from __future__ import annotations

NO_ESTIMATE = "These ranges do not estimate how often a model is right"
USUALLY_LESS = "they say what these labels can support, usually less."
