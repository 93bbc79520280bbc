"""Ability and leaning of raters where nobody knows the truth."""
