"""Studies with readers beside models, made from scores."""

from __future__ import annotations

import numpy as np
import pandas as pd

from core.study.model import Study
from core.study.reading.frames import study_of_frames
from tests.helpers.reader_studies import roe_metz


def reader_study_of(
    seed: int = 0, *, n_readers: int = 4, n_cases: tuple[int, int] = (30, 30), raters: int = 3
) -> Study:
    """Study of two modalities and a model; raters who tell the truth nine times in ten; a reference."""
    rng = np.random.default_rng(seed)
    curves, truth = roe_metz(rng, n_readers=n_readers, n_cases=n_cases)
    ids = [f"case {at + 1}" for at in range(len(truth))]
    names = np.where(truth, "ill", "well")
    said = rng.uniform(size=(raters, len(truth))) < 0.9
    annotations = pd.DataFrame(
        {
            "case_id": np.tile(ids, raters),
            "rater_id": np.repeat([f"rater {at + 1}" for at in range(raters)], len(truth)),
            "label": np.where(said == truth, "ill", "well").ravel(),
        }
    )
    read = [
        pd.DataFrame(
            {"case_id": ids, "model": curves.modalities[m], "reader": curves.readers[r], "score": score}
        )
        for m, r, score in zip(curves.modality, curves.reader, curves.score, strict=True)
    ]
    alone = pd.DataFrame({"case_id": ids, "model": "net", "score": 2 * truth + rng.normal(size=len(truth))})
    return study_of_frames(
        annotations,
        predictions=pd.concat([*read, alone]),
        labels=pd.DataFrame({"label": ["well", "ill"]}),
        cases=pd.DataFrame({"case_id": ids, "reference": names}),
        tasks={"main": {"kind": "choice", "positive": "ill"}},
        name="readers",
    )
