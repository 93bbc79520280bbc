"""Metrics of scores against soft labels, and against hard ones with ties."""
