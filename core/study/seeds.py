"""Seeds that depend on the study's seed, the purpose and the case alone: never on order, batch or workers."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray


def case_seeds(seed: int, case_ids: Sequence[str], purpose: str) -> NDArray[np.uint64]:
    """Derive one seed for each case.

    Parameters
    ----------
    seed : int
        The study's seed.
    case_ids : sequence of str
        Ids of the cases.
    purpose : str
        What the random numbers are for, such as the name of the model: two purposes never share numbers.

    Returns
    -------
    ndarray of uint64 with shape (n_cases,)
    """
    root = blake2b(f"{seed}\0{purpose}\0".encode(), digest_size=8)
    digests = []
    for case_id in case_ids:
        hasher = root.copy()
        hasher.update(case_id.encode())
        digests.append(hasher.digest())
    return np.frombuffer(b"".join(digests), "<u8").astype(np.uint64)
