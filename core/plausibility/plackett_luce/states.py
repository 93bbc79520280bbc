"""Readings of differentials, compressed to what the Plackett–Luce likelihood depends on.

The likelihood of a case depends on its readings through few numbers: how often each label is ranked, how
often each set of labels had arrived before the next one did (a state), and which blocks were tied in which
state. Readings that agree at the start share their states, and a reading's weight (the reliability γ) only
multiplies these numbers.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from itertools import accumulate, pairwise
from operator import or_
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.plausibility.candidates import Candidates
from core.plausibility.plackett_luce.likelihood import LATTICE_LIMIT
from core.study.model import FloatArray, IntArray, Readings


class States(NamedTuple):
    """States, tied blocks and counts of all cases, in compressed-row form.

    The rate still to arrive in a state is the sum of its ``member`` rates and of what is still to arrive in
    its ``following`` state, a larger set; where there is none, of the rate of the unmentioned labels. Times
    spent in a state are handed on in the same way. So nothing is ever subtracted, and the cost grows with the
    lengths of the readings. The empty set is no state: there every label is still to arrive.

    Attributes
    ----------
    weight : ndarray of float64 with shape (n_candidates,)
        Number of readings that rank each candidate.
    start : ndarray of int64 with shape (n_cases + 1,)
        States of each case, small sets first.
    passes : ndarray of float64 with shape (n_states,)
        Number of readings that tell what arrived next after this set.
    following : ndarray of int64 with shape (n_states,)
        A larger state of the same case, or −1.
    member_start : ndarray of int64 with shape (n_states + 1,)
        Members of each state.
    member : ndarray of int64 with shape (n_members,)
        Slots of the labels in the following state (in the case, where there is none) and not in this one.
    block_start : ndarray of int64 with shape (n_cases + 1,)
        Tied blocks of each case. The same block tied in the same state by several readings is one.
    block_weight : ndarray of float64 with shape (n_blocks,)
        Number of readings with this block.
    tied_start : ndarray of int64 with shape (n_blocks + 1,)
        Labels of each block.
    tied : ndarray of int64 with shape (n_tied,)
        Slots of the labels.
    lattice_start : ndarray of int64 with shape (n_blocks + 1,)
        States of each block.
    lattice : ndarray of int64 with shape (n_lattice,)
        For a block of up to ``LATTICE_LIMIT`` labels, by bit mask, the state in which each subset of it has
        arrived (−1 where that is no state); for a larger one, only the state in which all of it has.
    """

    weight: FloatArray
    start: IntArray
    passes: FloatArray
    following: IntArray
    member_start: IntArray
    member: IntArray
    block_start: IntArray
    block_weight: FloatArray
    tied_start: IntArray
    tied: IntArray
    lattice_start: IntArray
    lattice: IntArray


Differential = tuple[int, ...]
"""Blocks of one reading, first choice first, each a bit mask of the case's candidates."""


def differentials_of(readings: Readings, candidates: Candidates) -> list[list[Differential]]:
    """Collect the blocks of all readings of each case as bit masks of its candidates."""
    keys = candidates.case * candidates.n_labels + candidates.label
    case = readings.case[readings.entry_reading]
    bits = (
        np.searchsorted(keys, case * candidates.n_labels + readings.label) - candidates.start[case]
    ).tolist()
    blocks, entry, first = (
        readings.block.tolist(),
        readings.entry_start.tolist(),
        readings.case_start.tolist(),
    )
    differentials: list[list[tuple[int, ...]]] = []
    for i in range(readings.n_cases):
        differentials.append([])
        for reading in range(first[i], first[i + 1]):
            masks = [0] * (blocks[entry[reading + 1] - 1] + 1 if entry[reading] < entry[reading + 1] else 0)
            for e in range(entry[reading], entry[reading + 1]):
                masks[blocks[e]] |= 1 << bits[e]
            differentials[-1].append(tuple(masks))
    return differentials


def weights_of(readings: Readings, weight: FloatArray | None) -> list[list[float]] | None:
    """Weights of the readings of each case, beside `differentials_of`; None where all count 1."""
    if weight is None:
        return None
    start = readings.case_start.tolist()
    return [weight[first:last].tolist() for first, last in pairwise(start)]


def states_of(
    differentials: list[list[Differential]],
    candidates: Candidates,
    closed: NDArray[np.bool_],
    weights: list[list[float]] | None = None,
) -> States:
    """Compress the readings of each case to states, tied blocks and counts.

    Parameters
    ----------
    differentials : list with one entry for each case
        The case's readings, as `differentials_of` gives them.
    candidates : Candidates
        Labels mentioned for each case.
    closed : ndarray of bool with shape (n_cases,)
        Whether no other label has a rate than those in the case's differentials. A block with nothing left
        outside it is then certain to arrive next, and dropped.
    weights : list with one entry for each case, optional
        How much each of its readings counts, above 0; 1 by default. Numbers of readings are their sums.
    """
    weight = np.zeros(len(candidates.label))
    passes: list[float] = []
    following: list[int] = []
    block_weight: list[float] = []
    members, ties, lattices = _Rows(), _Rows(), _Rows()
    start, block_start = [0], [0]
    for case, readings in enumerate(differentials):
        first = int(candidates.start[case])
        race = _Race(readings, bool(closed[case]), None if weights is None else weights[case])
        for bit, count in race.weight.items():
            weight[first + bit] = count
        sets = sorted(race.sets, key=lambda mask: (mask.bit_count(), mask))
        index = {mask: len(passes) + i for i, mask in enumerate(sets)}
        for mask in sets:
            passes.append(race.passes[mask])
            larger = race.following.get(mask)
            following.append(-1 if larger is None else index[larger])
            members.append(
                first + bit for bit in bits_of((race.universe if larger is None else larger) & ~mask)
            )
        for (arrived, tied), count in sorted(race.blocks.items()):
            block_weight.append(count)
            ties.append(first + bit for bit in bits_of(tied))
            lattices.append(index.get(mask, -1) for mask in _lattice(arrived, tied))
        start.append(len(passes))
        block_start.append(len(block_weight))
    return States(
        weight,
        np.array(start),
        np.array(passes, np.float64),
        np.array(following, np.int64),
        *members.arrays(),
        np.array(block_start),
        np.array(block_weight, np.float64),
        *ties.arrays(),
        *lattices.arrays(),
    )


class _Rows:
    """Rows of different lengths, one after the other."""

    def __init__(self) -> None:
        self._start = [0]
        self._flat: list[int] = []

    def append(self, row: Iterable[int]) -> None:
        self._flat.extend(row)
        self._start.append(len(self._flat))

    def arrays(self) -> tuple[IntArray, IntArray]:
        return np.array(self._start), np.array(self._flat, np.int64)


class _Race:
    """Counts of one case, keyed by bit masks of labels."""

    def __init__(self, differentials: list[Differential], closed: bool, weight: list[float] | None) -> None:
        self.weight: dict[int, float] = defaultdict(float)
        self.passes: dict[int, float] = defaultdict(float)
        self.blocks: dict[tuple[int, int], float] = defaultdict(float)
        self.following: dict[int, int] = {}
        self.universe = 0
        for masks in differentials:
            for tied in masks:
                self.universe |= tied
        counts: dict[Differential, float] = defaultdict(float)
        for masks, one in zip(differentials, weight or [1.0] * len(differentials), strict=True):
            counts[masks] += one
        for masks, count in counts.items():
            self._count(masks, count, closed)
        self.sets = set(self.passes) - {0}
        for arrived, tied in self.blocks:
            self.sets.update(_lattice(arrived, tied)[_inner(tied)])
        for masks in counts:
            chain = [mask for mask in accumulate(masks, or_) if mask in self.sets]
            for mask, larger in pairwise(chain):
                self._follow(mask, larger)
        for arrived, tied in self.blocks:
            for mask in _lattice(arrived, tied)[_inner(tied)]:
                missing = (arrived | tied) & ~mask
                if missing:
                    self._follow(mask, mask | missing & -missing)

    def _count(self, masks: Differential, count: float, closed: bool) -> None:
        arrived = 0
        for tied in masks:
            if closed and arrived | tied == self.universe:
                break
            for bit in bits_of(tied):
                self.weight[bit] += count
            size = tied.bit_count()
            if size > 1:
                self.blocks[arrived, tied] += count
            if size <= LATTICE_LIMIT:
                self.passes[arrived] += count
            arrived |= tied

    def _follow(self, mask: int, larger: int) -> None:
        """Let the smallest of the larger sets follow, whichever reading comes first."""
        if larger in self.sets:
            known = self.following.get(mask, larger)
            self.following[mask] = min(larger, known, key=lambda m: (m.bit_count(), m))


def bits_of(mask: int) -> list[int]:
    """Positions of the bits that are set, ascending."""
    bits = []
    while mask:
        low = mask & -mask
        bits.append(low.bit_length() - 1)
        mask ^= low
    return bits


def _lattice(arrived: int, tied: int) -> list[int]:
    """Sets that may have arrived while a block does: each subset of it, or only all of a large block."""
    if tied.bit_count() > LATTICE_LIMIT:
        return [arrived | tied]
    sets = [arrived]
    for bit in bits_of(tied):
        sets += [mask | 1 << bit for mask in sets]
    return sets


def _inner(tied: int) -> slice:
    """Part of a block's lattice whose sets are states of their own."""
    return slice(0, 1) if tied.bit_count() > LATTICE_LIMIT else slice(1, -1)
