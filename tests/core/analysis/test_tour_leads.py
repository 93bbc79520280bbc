"""Who leads, without compiled code: the same as the compiled race, brute force and draws."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from core.analysis import tour, tour_proof
from core.analysis.tour_leads import counts_of, leads, votes
from core.plausibility.aggregate import LABEL_COUNT_ALPHA
from core.plausibility.dirichlet import label_counts


@pytest.mark.parametrize("gamma", [0.01, 0.3, 1.0, 7.0, 300.0, 1e6])
@pytest.mark.parametrize("n_readings", [3, 30, 100])
def test_it_is_what_the_compiled_race_gives(gamma: float, n_readings: int) -> None:
    """To nine digits, for every case of the tour."""
    readings = tour_proof.read_by(tour.toy_study(), n_readings)
    posterior = label_counts(readings, 3, gamma=gamma, alpha=LABEL_COUNT_ALPHA)
    found = leads(counts_of(readings, 3), gamma)
    assert found == pytest.approx(posterior.candidates.table(posterior.top1), abs=1e-9)
    assert found.sum(axis=1) == pytest.approx(1)


def test_equals_share_the_lead_and_a_point_estimate_takes_the_votes() -> None:
    """A case that nobody read has three equals; ∞ splits ties; γ must be positive."""
    counts = np.array([[0, 0, 0], [1, 1, 1], [2, 1, 0], [1, 1, 0]])
    assert leads(counts, 1.0)[:2] == pytest.approx(1 / 3)
    assert leads(counts, np.inf).tolist() == votes(counts).tolist()
    assert votes(counts)[2:].tolist() == [[1, 0, 0], [0.5, 0.5, 0]]
    with pytest.raises(ValueError, match="reliability must be positive, got 0"):
        leads(counts, 0)


def test_the_first_steps_of_the_tour_compile_nothing(tmp_path: Path) -> None:
    """With no compiled code on the computer, its numbers come without any."""
    program = """
from numba.core.dispatcher import Dispatcher
def refuse(self, signature): raise SystemExit(f"compiles {self.py_func.__name__}")
Dispatcher.compile = refuse
from core.analysis import tour, tour_claim
tour.certainty_table(tour.toy_case(0.6)); tour.draw_table(tour.toy_case(0.6))
tour_claim.claim(0.92, 3, 0.6, 150); tour_claim.readers_needed(0.92, 0.8, 150)
"""
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path), "PYTHONPATH": str(Path(__file__).parents[3])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-500:]
