"""Correspondence: whether one set of cases looks like another."""
