"""How labels can be scored for conformal sets, as far as a person can choose it."""

from __future__ import annotations

from typing import Literal, get_args

ScoreName = Literal["threshold", "aps", "raps"]
SCORES: tuple[ScoreName, ...] = get_args(ScoreName)
PENALTY, FREE = 0.01, 5
"""Weight of the penalty of RAPS, and how many labels a set holds free of it (Angelopoulos 2021, sec. 3)."""
