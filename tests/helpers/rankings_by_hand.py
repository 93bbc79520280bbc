"""Distances of rankings as they are printed, label by label.

A ranking is an array of distinct label codes, best first, along its last axis; −1 pads a list that is shorter
than the others. A partial ranking is a sequence of blocks of tied labels.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.study.model import FloatArray, IntArray

Blocks = Sequence[Sequence[int]]


def overlap(a: IntArray, b: IntArray, k: int) -> FloatArray:
    """Share of the first k places that two rankings fill with the same labels.

    Parameters
    ----------
    a, b : ndarray of int with shape (..., at least k)
        Rankings; the leading axes broadcast.
    k : int
        Depth, at least 1.

    Returns
    -------
    ndarray of float64 with shape (...)
        |top-k of a ∩ top-k of b| / k, in [0, 1].

    Raises
    ------
    ValueError
        Where a ranking has fewer than ``k`` places.
    """
    return _shared(a, b, k)[..., -1] / k


def average_overlap(a: IntArray, b: IntArray, length: int) -> FloatArray:
    """Mean of the overlap at depths 1 to ``length`` (Stutz 2025, app. C).

    Parameters
    ----------
    a, b : ndarray of int with shape (..., at least length)
        Rankings; the leading axes broadcast.
    length : int
        Largest depth, at least 1.

    Returns
    -------
    ndarray of float64 with shape (...)
        In [0, 1]; 1 for equal rankings without padding.

    Raises
    ------
    ValueError
        Where a ranking has fewer than ``length`` places.
    """
    return (_shared(a, b, length) / np.arange(1, length + 1)).mean(axis=-1)


def _shared(a: IntArray, b: IntArray, length: int) -> FloatArray:
    """Number of labels that both rankings have among their first k places, for k = 1 … length."""
    a, b = np.asarray(a), np.asarray(b)
    if not 1 <= length <= min(a.shape[-1], b.shape[-1]):
        raise ValueError(
            f"depth must lie between 1 and the length of both rankings ({a.shape[-1]}, {b.shape[-1]}), "
            f"got {length}"
        )
    equal = (a[..., :length, None] == b[..., None, :length]) & (a[..., :length, None] >= 0)
    return equal.cumsum(axis=-2).cumsum(axis=-1).diagonal(axis1=-2, axis2=-1).astype(float)


def kendall_tau(a: IntArray, b: IntArray) -> float:
    """Kendall's τ-a of two full rankings of the same labels.

    Parameters
    ----------
    a, b : ndarray of int with shape (n,)
        The same distinct label codes, each in its order, best first.

    Returns
    -------
    float
        (concordant − discordant pairs) / all pairs, in [−1, 1]; NaN for fewer than two labels.

    Raises
    ------
    ValueError
        Where the rankings do not hold the same distinct labels.
    """
    a, b = np.asarray(a), np.asarray(b)
    labels = np.unique(a)
    if len(labels) < len(a) or not np.array_equal(labels, np.sort(b)):
        raise ValueError(
            f"both rankings must hold the same distinct labels, got {len(a)} and {len(b)} places "
            f"with {len(np.union1d(a, b))} labels in all"
        )
    n_pairs = len(a) * (len(a) - 1) // 2
    if n_pairs == 0:
        return float("nan")
    return 1 - 2 * _inversions(np.argsort(b)[np.searchsorted(np.sort(b), a)]) / n_pairs


def _inversions(position: IntArray) -> int:
    """Count the pairs that stand in descending order."""
    count = 0
    for i in range(len(position)):
        for j in range(i + 1, len(position)):
            count += position[i] > position[j]
    return count


def spearman_footrule(a: IntArray, b: IntArray, length: int) -> FloatArray:
    """Footrule distance of two top lists, absent labels standing just below the list.

    Parameters
    ----------
    a, b : ndarray of int with shape (..., at least length)
        Rankings; the leading axes broadcast. Only the first ``length`` places count.
    length : int
        Length L of the lists; for full rankings the number of labels.

    Returns
    -------
    ndarray of float64 with shape (...)
        In [0, 1]: 0 for equal lists, 1 for two full lists without a common label.

    Raises
    ------
    ValueError
        Where a ranking has fewer than ``length`` places.

    Notes
    -----
    F^(L+1) / (L (L + 1)) with F^(L+1) = Σ |position in a − position in b| over all labels, an absent label
    at position L + 1 (Fagin, Kumar and Sivakumar, Comparing top k lists, SIAM J. Discrete Math. 2003). A
    distance of positions counts the depths k ≤ L at which only one of the lists has the label, so
    F^(L+1) = Σ_k (|A_k| + |B_k| − 2 |A_k ∩ B_k|).
    """
    shared = _shared(a, b, length)
    named = [(np.asarray(ranking)[..., :length] >= 0).cumsum(axis=-1) for ranking in (a, b)]
    return (named[0] + named[1] - 2 * shared).sum(axis=-1) / (length * (length + 1))


def partial_average_overlap(
    a: Blocks, b: Blocks, n_labels: int, length: int, *, normalized: bool = True
) -> float:
    """Average overlap of two partial rankings with ties and unranked labels (Stutz 2025, app. C).

    Parameters
    ----------
    a, b : sequence of sequences of int
        Blocks of tied label codes, first block first, no label twice.
    n_labels : int
        Number of labels of the task, K; those not named share the places after the named ones.
    length : int
        Largest depth L, from 1 to K.
    normalized : bool
        Divide by the root of the product of both self-overlaps, so that equal partial rankings give 1.

    Returns
    -------
    float
        In [0, 1]; 0 where either ranking is empty.

    Raises
    ------
    ValueError
        Where ``length`` is not in 1 … K or a ranking names a label twice.

    Notes
    -----
    UAO(a, b) = 1/L Σ_{k ≤ L} 1/k Σ_y P_a(y in first k) P_b(y in first k), where tied labels share the places
    of their block equally. This is the printed trace of products of K × K matrices, label by label; the
    labels that neither ranking names all contribute one term, so the cost grows with the labels named only.
    """
    if not 1 <= length <= n_labels:
        raise ValueError(f"length must lie between 1 and the number of labels ({n_labels}), got {length}")
    presence = [_presence(blocks, n_labels, length) for blocks in (a, b)]
    if not all(named for named, _ in presence):
        return 0.0
    value = _unnormalized(presence[0], presence[1], n_labels)
    if not normalized:
        return value
    own = [_unnormalized(ranking, ranking, n_labels) for ranking in presence]
    return value / float(np.sqrt(own[0] * own[1]))


def _presence(blocks: Blocks, n_labels: int, length: int) -> tuple[dict[int, FloatArray], FloatArray]:
    """P(label among the first k), for k = 1 … length: of each label named, and of any label not named."""
    depth = np.arange(1, length + 1)
    named: dict[int, FloatArray] = {}
    before = 0
    for block in blocks:
        share = np.clip((depth - before) / max(len(block), 1), 0, 1)
        named.update(dict.fromkeys(block, share))
        before += len(block)
    if len(named) < before:
        raise ValueError(
            f"a partial ranking must name no label twice, got {[list(block) for block in blocks]}"
        )
    unranked = np.clip((depth - before) / max(n_labels - before, 1), 0, 1)
    return named, unranked


def _unnormalized(
    a: tuple[dict[int, FloatArray], FloatArray], b: tuple[dict[int, FloatArray], FloatArray], n_labels: int
) -> float:
    """UAO of two rankings, each given by the presence of its labels."""
    labels = a[0].keys() | b[0].keys()
    shared = (n_labels - len(labels)) * a[1] * b[1]
    for label in sorted(labels):
        shared = shared + a[0].get(label, a[1]) * b[0].get(label, b[1])
    return float((shared / np.arange(1, len(shared) + 1)).mean())
