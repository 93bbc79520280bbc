"""Studies of readers for tests: public ones, and simulated ones with a known truth."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from core.metrics.mrmc.curves import Curves
from tests.helpers.shared_data import shared_data


def van_dyke() -> tuple[Curves, NDArray[np.bool_]]:
    """Two modalities, five readers, 114 cases, 45 of them positive (Van Dyke et al. 1993); and the truth."""
    table = pd.read_csv(shared_data("data", "mrmc", "vandyke.csv"))
    wide = table.pivot_table(index=["treatment", "reader"], columns="case", values="rating")
    truth = table.drop_duplicates("case").set_index("case").truth.loc[wide.columns].to_numpy() == 1
    return Curves.of_matrix(wide.to_numpy().reshape(2, 5, -1), ["1", "2"], list("12345")), truth


def viper() -> tuple[Curves, NDArray[np.bool_]]:
    """Film read by twenty readers in four blocks, and a model with a score for each case (VIPER)."""
    table = pd.read_csv(shared_data("data", "mrmc", "viper_screeningHighP.csv"))
    cases = table.drop_duplicates("caseID").set_index("caseID").cancerStatus455
    film = table[table.modalityID == "SFM"].pivot_table(index="readerID", columns="caseID", values="score")
    model = table[table.modalityID == "FFDM"].drop_duplicates("caseID").set_index("caseID").score
    score = np.vstack([film[cases.index].to_numpy(), model[cases.index].to_numpy()])
    n = len(film)
    curves = Curves(
        ("SFM", "AI"), tuple(film.index), np.repeat([0, 1], [n, 1]), np.append(np.arange(n), -1), score
    )
    return curves, cases.to_numpy() == 1


def roe_metz(
    rng: np.random.Generator,
    *,
    n_readers: int = 5,
    n_cases: tuple[int, int] = (50, 50),
    separation: float = 1.5,
    reader_variance: float = 0.0055,
    case_variance: float = 0.3,
) -> tuple[Curves, NDArray[np.bool_]]:
    """Two modalities of one accuracy by the model of Roe and Metz 1997; and the truth.

    A score is the sum of a case's part, its part in the modality, a reader's part by truth, that in the
    modality, and an error; the last three of the case add up to a variance of 1.
    """
    truth = np.repeat([False, True], n_cases)
    n, by_truth = len(truth), truth.astype(int)
    modality_case, reader_case = 0.3, 0.2
    error = 1 - case_variance - modality_case - reader_case
    reader, reader_modality = (
        rng.normal(0, reader_variance**0.5, (m, n_readers, 2))[:, :, by_truth] for m in (1, 2)
    )
    case = rng.normal(0, case_variance**0.5, n) + rng.normal(0, modality_case**0.5, (2, 1, n))
    both = rng.normal(0, reader_case**0.5, (1, n_readers, n)) + rng.normal(0, error**0.5, (2, n_readers, n))
    score = separation * truth + reader + reader_modality + case + both
    return Curves.of_matrix(score, ["A", "B"], [f"R{i + 1}" for i in range(n_readers)]), truth
