"""Metrics of a prediction, averaged over what the truth could be."""
