"""What a person can choose of a study as such."""

from __future__ import annotations

from dataclasses import dataclass

from core.settings import Kind, Settings, option

LONGEST = 2000
"""Characters that a condition may have."""


@dataclass(frozen=True)
class CaseChoice(Settings):
    """Which cases of a study are looked at."""

    where: str = option(
        "",
        "only cases that fulfil a condition on columns of cases.csv, such as 'site == \"A\" and age >= 60'; "
        "==, !=, <, <=, >, >=, in [...], not in [...], and, or, not, brackets",
        Kind(
            f"a condition of up to {LONGEST:,} characters",
            allows=lambda value: isinstance(value, str) and len(value) <= LONGEST,
        ),
        noun="the condition",
        said="only cases where",
    )
