"""Malformed studies: refused with reasons, quickly, and never by another exception."""

from __future__ import annotations

import pytest
from malformed import STUDIES, Damaged, fault_of, write

from core.study.reading.folder import read_study

TRIES = 500
PARTS = 10


@pytest.mark.parametrize("name", sorted(STUDIES))
def test_undamaged_studies_are_read(tmp_path, name):
    """What is damaged below is a study to begin with."""
    write(Damaged({path: text.encode() for path, text in STUDIES[name].items()}), tmp_path)
    assert read_study(tmp_path).n_cases >= 2


@pytest.mark.parametrize("part", range(PARTS))
def test_malformed_studies(part):
    """Each seed is one study; ``python tests/helpers/malformed.py`` tries as many as wanted."""
    seeds = range(part * TRIES // PARTS, (part + 1) * TRIES // PARTS)
    faults = [fault for fault in map(fault_of, seeds) if fault]
    assert not faults, "\n".join(faults)
