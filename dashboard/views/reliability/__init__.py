"""Reliability: what trust in the raters does to certainty and to every model's score."""
