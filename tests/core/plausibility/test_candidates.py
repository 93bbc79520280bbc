"""Slots of labels, against looking at every slot."""

from __future__ import annotations

import numpy as np

from core.plausibility.candidates import Candidates


def test_find_looks_at_the_labels_of_the_case() -> None:
    """Labels that were mentioned, others, and codes that are none; cases without labels and with many."""
    rng = np.random.default_rng(2)
    named = [np.flatnonzero(rng.random(30) < share) for share in (0.0, 0.1, 0.5, 1.0, 0.0)]
    start = np.concatenate([[0], np.cumsum([len(of) for of in named])]).astype(np.int64)
    candidates = Candidates(start, np.concatenate(named).astype(np.int32), 30)
    labels = np.tile(np.arange(-2, 30), (5, 1))
    wanted = np.full(labels.shape, -1)
    for i, row in enumerate(labels):
        for k, label in enumerate(row):
            for slot in range(start[i], start[i + 1]):
                if candidates.label[slot] == label:
                    wanted[i, k] = slot
    np.testing.assert_array_equal(candidates.locate(labels), wanted)
    np.testing.assert_array_equal(candidates.find(np.array(3), labels[3]), wanted[3])
    assert Candidates(np.zeros(3, np.int64), np.zeros(0, np.int32), 4).locate(
        np.zeros((2, 1), int)
    ).tolist() == [
        [-1],
        [-1],
    ]
