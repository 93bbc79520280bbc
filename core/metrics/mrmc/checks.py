"""Studies of readers from which nothing can be said, refused with the reason and how to mend it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.metrics.mrmc.curves import NO_READER, Curves
from core.study.brief import number_of

LEAST = 2
"""Readers, and cases of each class, from which a variance can be told."""


def check_classes(curves: Curves, truth: NDArray[np.bool_]) -> None:
    """Refuse cases of one class, and readers who read no case of a class.

    Parameters
    ----------
    curves : Curves
        What was said.
    truth : ndarray of bool with shape (n_cases,) or (n_curves, n_cases)
        Whether each case is positive; perhaps by a truth of each curve's own.

    Raises
    ------
    ValueError
        Naming the class, or the readers.
    """
    if fault := class_fault(curves, truth):
        raise ValueError(fault)


def class_fault(curves: Curves, truth: NDArray[np.bool_]) -> str:
    """Say what `check_classes` refuses and how to mend it; nothing where it refuses nothing."""
    read = ~np.isnan(curves.score)
    for name, of_class in (("positive", truth), ("negative", ~truth)):
        n = int((read & of_class).any(axis=0).sum())
        if n < LEAST:
            return (
                f"{number_of(n, f'{name} case')} with a reading, and {LEAST} are needed to tell how cases "
                f"scatter; add {name} cases, or choose another positive label"
            )
        without = np.flatnonzero(~(read & of_class).any(axis=1))
        if len(without):
            shown = ", ".join(_curve(curves, at) for at in without[:5]) + (" …" if len(without) > 5 else "")
            return (
                f"no {name} case was read by {shown}, so there is no AUROC of it; let every reader read "
                "cases of both classes, or leave the reader out"
            )
    return ""


def can_judge(curves: Curves, truths: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Say of each truth whether `check_classes` lets it pass.

    Parameters
    ----------
    curves : Curves
        What was said.
    truths : ndarray of bool with shape (n_truths, n_cases) or (n_truths, n_curves, n_cases)
        Whether each case is positive.

    Returns
    -------
    ndarray of bool with shape (n_truths,)
    """
    read = ~np.isnan(curves.score)
    passed = np.ones(len(truths), bool)
    for of_class in (truths, ~truths):
        if truths.ndim == 3:
            in_class = of_class & read
            passed &= in_class.any(axis=1).sum(axis=1) >= LEAST
            passed &= np.all(in_class.any(axis=2), axis=1)
        else:
            passed &= (of_class & read.any(axis=0)).sum(axis=1) >= LEAST
            per_curve: NDArray[np.float64] = of_class.astype(np.float64) @ read.T.astype(np.float64)
            passed &= (per_curve > 0).all(axis=1)
    return passed


def check_readers(curves: Curves, modality: int) -> None:
    """Refuse a modality with one reader where readers are taken as a sample of all readers.

    Raises
    ------
    ValueError
        Naming the modality and its reader.
    """
    readers = np.unique(curves.reader[curves.of(modality)])
    if len(readers) < LEAST and readers[0] != NO_READER:
        raise ValueError(
            f"{curves.modalities[modality]} has one reader, {curves.readers[readers[0]]}, so nothing tells "
            "how readers differ; add readers, or take readers as fixed: what is said then holds for "
            "this reader alone"
        )


def _curve(curves: Curves, at: int) -> str:
    """Say which curve it is."""
    modality, reader = curves.modalities[curves.modality[at]], int(curves.reader[at])
    return f"{curves.readers[reader]} ({modality})" if reader >= 0 else modality
