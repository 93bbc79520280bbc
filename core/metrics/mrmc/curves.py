"""What readers and models said of every case: a curve for each modality and reader."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.study.brief import brief
from core.study.model import FloatArray, IntArray, freeze

NO_READER = -1
"""Reader of a modality that nobody reads: a model by itself."""


@dataclass(frozen=True, eq=False)
class Curves:
    """Scores of modalities, each read by some readers, or by none where a model stands by itself.

    Attributes
    ----------
    modalities, readers : tuple of str
        Their names.
    modality, reader : ndarray of int with shape (n_curves,)
        Of each curve, as an index into the names; `NO_READER` where there is no reader.
    score : ndarray of float64 with shape (n_curves, n_cases)
        A higher one speaks more for the positive label; NaN for a case that was not read.
    """

    modalities: tuple[str, ...]
    readers: tuple[str, ...]
    modality: IntArray
    reader: IntArray
    score: FloatArray

    def __post_init__(self) -> None:
        for array in (self.modality, self.reader, self.score):
            freeze(array)
        n = len(self.modality)
        if self.score.ndim != 2 or len(self.score) != n or len(self.reader) != n:
            raise ValueError(
                f"expected a modality, a reader and a row of scores for each curve, got {n}, "
                f"{len(self.reader)} and shape {self.score.shape}"
            )

    __repr__ = brief

    @classmethod
    def of_matrix(cls, score: FloatArray, modalities: Sequence[str], readers: Sequence[str]) -> Curves:
        """Curves of a crossed study, with scores of shape (n_modalities, n_readers, n_cases)."""
        n_modalities, n_readers = score.shape[:2]
        modality = np.repeat(np.arange(n_modalities), n_readers)
        reader = np.tile(np.arange(n_readers), n_modalities)
        flat = np.array(score, np.float64).reshape(n_modalities * n_readers, -1)
        return cls(tuple(modalities), tuple(readers), modality, reader, flat)

    @property
    def same_reader(self) -> NDArray[np.bool_]:
        """Whether two curves are of one reader, with shape (n_curves, n_curves).

        Never of a model by itself: it would say the same again, whoever looked on.
        """
        return (self.reader[:, None] == self.reader) & (self.reader >= 0)

    def of(self, modality: int) -> IntArray:
        """Curves of one modality."""
        return np.flatnonzero(self.modality == modality)

    def has_readers(self, modality: int) -> bool:
        """Whether somebody reads the modality."""
        return bool((self.reader[self.of(modality)] >= 0).any())
