"""Models that are probably wrong, in few words: the surest error, and how many more there are."""

from __future__ import annotations

import numpy as np
import pandas as pd

from core.analysis.cases.worklist import METADATA, WRONG

_ERROR = ": error"


def wrong_told(cases: pd.DataFrame) -> dict[str, tuple[str, ...]]:
    """Say in ever fewer words what ``models_wrong`` of a worklist says, by these words.

    Of one model, “Model A: Eczema”, its answer; of several, “Model A: Eczema and 2 more”, and that without
    the name of the model.

    Parameters
    ----------
    cases : DataFrame
        As `core.analysis.cases.worklist.worklist` gives it, with models that give probabilities.
    """
    models = [
        str(name).removesuffix(_ERROR)
        for name in cases
        if str(name).endswith(_ERROR) and not str(name).startswith(METADATA)
    ]
    error = np.column_stack([np.nan_to_num(cases[f"{name}{_ERROR}"].to_numpy(float)) for name in models])
    surest, n_wrong = error.argmax(axis=1), (error >= WRONG).sum(axis=1)
    answers = [cases[f"{name}: answer"].tolist() for name in models]
    told: dict[str, tuple[str, ...]] = {}
    for row, words in enumerate(cases["models_wrong"].tolist()):
        model, more = int(surest[row]), int(n_wrong[row]) - 1
        answer = answers[model][row]
        if more > 0:
            short = f"{answer} and {more:,} more"
            told[words] = (f"{models[model]}: {short}", short)
        elif more == 0:
            told[words] = (answer,)
    return told
