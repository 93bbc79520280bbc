"""Raters: how good the Diamond standard itself is."""
