"""What a person can choose of a study as such."""

from __future__ import annotations

from dataclasses import dataclass, replace

from core.settings import Kind, Settings, option, texts

LONGEST = 2000
"""Characters that a condition may have."""
MOST_LINKED = 300
"""Labels that a link may take for dangers."""


@dataclass(frozen=True)
class StudyChoice(Settings):
    """Which cases of a study are looked at, and which of its labels are taken for dangers."""

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
    high_risk_labels: tuple[str, ...] = option(
        (),
        "a label that counts as high risk, in place of those of labels.csv, which then count as medium; once "
        "for each",
        replace(texts("labels"), repeated=True),
        scope="task",
        address="dangers",
        link=texts("labels", most=MOST_LINKED),
        flag="--high-risk-label",
        noun="the label",
        said="labels that count as high risk",
        # Names of labels may have commas.
        tell=lambda chosen: "; ".join(chosen.high_risk_labels),
    )
