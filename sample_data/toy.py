"""The toy problem: one number is observed, three overlapping classes could have caused it."""

from __future__ import annotations

from core.analysis.tour import toy_study
from sample_data.sample import Sample


def build() -> Sample:
    """Draw the sample, its cases in ascending order of the observation."""
    simulated = toy_study()
    return Sample(simulated.study, simulated.truth)
