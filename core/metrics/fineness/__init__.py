"""Fineness: how often readings, reduced to one label, give the true one; raters needed for it."""
