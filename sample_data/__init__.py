"""Bundled sample studies, all simulated or built from package data, and the code that builds them."""

FIRST = "dermatology_like"
"""The sample that opens where no study is asked for."""
