"""Labels that the readings of a case cannot tell apart: exchanging two of them gives the same readings."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.plausibility.candidates import Candidates
from core.study.model import FloatArray, IntArray, Readings

_Hash = NDArray[np.uint64]
_SHIFTS = np.uint64(30), np.uint64(27), np.uint64(31)
_FACTORS = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_STEP = np.uint64(0x9E3779B97F4A7C15)
_MOST_ROUNDS = 64
"""Kinds of labels with the same places that are told apart in a case; further ones count as like no other."""


def alike_candidates(
    readings: Readings, candidates: Candidates, weight: FloatArray | None = None
) -> IntArray:
    """Find the candidates of each case that its readings cannot tell apart.

    Two labels are alike where exchanging them in every reading of the case gives the same readings again,
    each as often and with the same weight. Whatever a posterior says of one it says of the other, if its
    prior treats labels alike.

    Parameters
    ----------
    readings : Readings
    candidates : Candidates
        The labels that these readings mention.
    weight : ndarray of float with shape (n_readings,), optional
        How much each reading counts; all alike by default.

    Returns
    -------
    ndarray of int64 with shape (n_candidates,)
        For each slot the first slot of the labels that it is alike; its own where it is like no other.

    Notes
    -----
    Readings are compared by 64-bit hashes: sums, over entries, of the hash of label and block. A case's hash
    is the sum over readings of the hash of that sum and of the weight, so neither order matters. By chance
    two labels would be taken for alike about once in 10¹⁹ pairs.
    """
    n_slots = len(candidates.label)
    alike = np.arange(n_slots, dtype=np.int64)
    reading = np.repeat(np.arange(readings.n_readings), np.diff(readings.entry_start))
    case = readings.case[reading]
    slot = candidates.find(case, readings.label.astype(np.int64))
    says = _hashed(_hashed(slot.astype(np.uint64)) ^ readings.block.astype(np.uint64))
    whole = np.zeros(readings.n_readings, np.uint64)
    np.add.at(whole, reading, says)
    heavy = np.ones(readings.n_readings) if weight is None else np.asarray(weight, np.float64)
    weighs = _hashed(heavy.view(np.uint64))
    # Two labels that are alike have the same places in readings of the same shape and weight.
    shape = np.zeros(readings.n_readings, np.uint64)
    np.add.at(shape, reading, _hashed(readings.block.astype(np.uint64)))
    place = np.zeros(n_slots, np.uint64)
    np.add.at(
        place, slot, _hashed(_hashed(shape[reading] ^ weighs[reading]) ^ readings.block.astype(np.uint64))
    )
    order = np.lexsort((place, candidates.case))
    for _ in range(_MOST_ROUNDS):
        begins = np.ones(len(order), np.bool_)
        begins[1:] = (candidates.case[order[1:]] != candidates.case[order[:-1]]) | (
            place[order[1:]] != place[order[:-1]]
        )
        first, second = order[begins][np.cumsum(begins) - 1][~begins], order[~begins]
        if not len(second):
            break
        same = _exchanged_alike(first, second, slot, reading, readings, whole, weighs)
        alike[second[same]] = first[same]
        order = second[~same]
    return alike


def _exchanged_alike(
    first: IntArray,
    second: IntArray,
    slot: IntArray,
    reading: IntArray,
    readings: Readings,
    whole: _Hash,
    weighs: _Hash,
) -> NDArray[np.bool_]:
    """Whether a case has the same readings after two labels of it are exchanged, for each pair of slots."""
    by_slot = np.argsort(slot, kind="stable")
    start = np.searchsorted(slot[by_slot], np.arange(int(slot.max()) + 2))
    pair_of, entry, other = [], [], []
    for mine, theirs in ((first, second), (second, first)):
        count = start[mine + 1] - start[mine]
        pair_of.append(np.repeat(np.arange(len(mine)), count))
        offset = np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)
        entry.append(by_slot[np.repeat(start[mine], count) + offset])
        other.append(np.repeat(theirs, count))
    pair, at, becomes = map(np.concatenate, (pair_of, entry, other))
    block = readings.block[at].astype(np.uint64)
    was = _hashed(_hashed(slot[at].astype(np.uint64)) ^ block)
    now = _hashed(_hashed(becomes.astype(np.uint64)) ^ block)
    # A reading that names both changes by both.
    key, row = np.unique(pair * readings.n_readings + reading[at], return_inverse=True)
    change = np.zeros(len(key), np.uint64)
    np.add.at(change, row, now - was)
    of_pair, of_reading = np.divmod(key, readings.n_readings)
    before = _hashed(_hashed(whole[of_reading]) ^ weighs[of_reading])
    after = _hashed(_hashed(whole[of_reading] + change) ^ weighs[of_reading])
    moved = np.zeros(len(first), np.uint64)
    np.add.at(moved, of_pair, after - before)
    return moved == 0


def _hashed(words: _Hash) -> _Hash:
    """Mix 64 bits (the finaliser of SplitMix64)."""
    with np.errstate(over="ignore"):
        mixed = words + _STEP
        mixed = (mixed ^ (mixed >> _SHIFTS[0])) * _FACTORS[0]
        mixed = (mixed ^ (mixed >> _SHIFTS[1])) * _FACTORS[1]
        return mixed ^ (mixed >> _SHIFTS[2])
