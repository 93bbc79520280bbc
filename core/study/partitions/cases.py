"""Which part a case belongs to, of millions of cases, by hashes of their ids."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from core.study.model import IntArray
from core.study.reading.tables import as_text

UNKNOWN = -1


def clean_ids(column: pa.ChunkedArray | pa.Array) -> pa.DictionaryArray:
    """Ids of cases as the study's tables mean them: text in normal form C, without spaces at the ends."""
    texts = as_text(column if isinstance(column, pa.ChunkedArray) else pa.chunked_array([column]))
    encoded = texts if pa.types.is_dictionary(texts.type) else texts.dictionary_encode()
    whole = encoded.combine_chunks()
    if isinstance(whole, pa.ChunkedArray):
        whole = whole.unify_dictionaries().combine_chunks()
    distinct = pc.utf8_normalize(pc.utf8_trim_whitespace(whole.dictionary), form="NFC")
    return pa.DictionaryArray.from_arrays(whole.indices, distinct)


def _hashes(texts: pa.Array) -> np.ndarray:
    """64 bits of each text; the chance that two of ten million texts share them is 3 in a million."""
    return pd.util.hash_array(texts.to_numpy(zero_copy_only=False), categorize=False)


class CasePlaces:
    """Position of every case in the study.

    Parameters
    ----------
    ids : iterable of pyarrow.DictionaryArray
        As `clean_ids` gives them, in the order of the study; an id that came before does not count again.
    """

    def __init__(self, ids: Iterable[pa.DictionaryArray]) -> None:
        hashes = []
        for some in ids:
            order = some.indices.drop_null().to_numpy(zero_copy_only=False)
            first = order[np.sort(np.unique(order, return_index=True)[1])]
            hashes.append(_hashes(some.dictionary)[first])
        every = np.concatenate(hashes) if hashes else np.zeros(0, np.uint64)
        first = np.sort(np.unique(every, return_index=True)[1])
        self.n_ids = len(every)
        kept = every[first]
        self._place = np.argsort(kept, kind="stable")
        self._hash = kept[self._place]

    def __len__(self) -> int:
        return len(self._hash)

    def find(self, ids: pa.DictionaryArray) -> IntArray:
        """Position of the case of each row, with shape (n_rows,); `UNKNOWN` where there is none."""
        if len(self) == 0:
            return np.full(len(ids), UNKNOWN, np.int64)
        hashes = _hashes(ids.dictionary)
        at = np.minimum(np.searchsorted(self._hash, hashes), len(self._hash) - 1)
        of_text = np.append(np.where(self._hash[at] == hashes, self._place[at], UNKNOWN), UNKNOWN)
        code = pc.fill_null(ids.indices, len(hashes)).to_numpy(zero_copy_only=False)
        found: IntArray = of_text[code]
        return found
