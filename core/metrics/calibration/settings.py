"""How bins of predictions can be chosen."""

from __future__ import annotations

from typing import Literal, get_args

BinKind = Literal["equal width", "equal mass"]
BIN_KINDS: tuple[BinKind, ...] = get_args(BinKind)
MOST_BINS = 1000
