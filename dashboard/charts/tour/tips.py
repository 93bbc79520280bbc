"""Tooltips of the tour: words that a layer has for the pointer, or none."""

from __future__ import annotations

from dashboard.charts.figure import Spec


def only_words(spec: Spec) -> Spec:
    """Leave the pointer what layers say alone; otherwise the browser lists the fields of a mark by name."""
    return {**spec, "config": {**spec["config"], "mark": {"tooltip": None}}}
