"""Pictures of certainty, risk and metrics against reliability."""
