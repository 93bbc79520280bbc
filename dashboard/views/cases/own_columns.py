"""Columns of its own that the worklist can show: what each is called and means, and how cells are written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pandas as pd

from core.analysis.cases.misleads import MISLEADS
from core.analysis.cases.missed import MISSED
from core.analysis.cases.percent_ranges import of_hundreds, shares
from core.analysis.cases.reference_risk import REFERENCE_RISK
from core.analysis.cases.worklist import PLAUSIBLE
from core.analysis.formatting import of_hundred
from dashboard.components.case_list import Column
from dashboard.views.cases import cell_words


@dataclass(frozen=True)
class Shown:
    """How a column of the worklist is shown: its head, and what its cells say."""

    head: Column
    write: Callable[[pd.Series], list[str]] = cell_words.texts
    share: str = ""
    """Column of probabilities that stand before what the cells say."""
    has_doubt: bool = False
    """Whether the cells say how likely something is that a point estimate knows nothing of."""


SHOWN = {
    "certainty": Shown(
        Column(
            "Certainty",
            is_share=True,
            help="In how many of 100 plausible truths the leading label leads, that is, has the largest "
            "share. –: a point estimate does not say. Cases that a reference settles come last in the order "
            "Least certain first",
        ),
        shares,
        has_doubt=True,
    ),
    # A tie has one line for each of two labels, where others can take both: it needs more of the room.
    "leading": Shown(
        Column(
            "Leading label",
            is_wide=True,
            room=1.4,
            help="Label that leads most often. or: another leads as often; also: a high-risk label leads in "
            f"{of_hundred(PLAUSIBLE)} or more of 100 plausible truths",
        ),
        cell_words.tied_first,
    ),
    "runner_up": Shown(
        Column("Runner-up", is_wide=True, help="Label that leads second most often"), cell_words.tied_first
    ),
    "runner_up_probability": Shown(
        Column(
            "Runner-up leads",
            is_number=True,
            help="In how many of 100 plausible truths it leads, that is, has the largest share. –: a point "
            "estimate does not say",
        ),
        of_hundreds,
        has_doubt=True,
    ),
    "risk": Shown(
        Column(
            "Risk",
            is_risk=True,
            help="L low, M medium, H high: how dangerous the leading label would be if it were the truth. "
            "The study sets the level of each label, in its file labels.csv.",
        ),
        cell_words.letters,
    ),
    "high_risk": Shown(
        Column(
            "Danger",
            is_number=True,
            is_danger=True,
            help="In how many of 100 plausible truths any high-risk label leads, as far as readings tell: "
            "readers may all err alike, and for a patient an examination decides. The red bar shows the same "
            "number",
        ),
        of_hundreds,
        has_doubt=True,
    ),
    REFERENCE_RISK: Shown(
        Column(
            "Reference",
            head="Ref.",
            is_risk=True,
            help="L low, M medium, H high: how dangerous the study’s own reference is. Danger can be "
            "plausible where the reference is harmless, and the other way round.",
        ),
        cell_words.letters,
    ),
    "high_risk_label": Shown(
        Column(
            "High-risk label",
            is_wide=True,
            help="High-risk label that leads most often, and in how many of 100 plausible truths it does",
        ),
        cell_words.tied_first,
        share="high_risk_label_probability",
    ),
    "risk_certainty": Shown(
        Column("Risk certain", is_number=True, help="Certainty of the risk level of the leading label"),
        shares,
        has_doubt=True,
    ),
    "risk_at_stake": Shown(
        Column(
            "Levels at stake",
            is_number=True,
            help="Expected distance, in risk levels, from the leading label's level to the true one",
        ),
        cell_words.numbers,
    ),
    "disagreement": Shown(
        Column(
            "Disagree", is_number=True, help="Disagreement: 1 minus leave-one-out agreement of the readings"
        ),
        cell_words.numbers,
    ),
    "model_error": Shown(
        Column(
            "Surest error",
            is_wide=True,
            help="Model whose first label is most often wrong, and in what share of the plausible truths it "
            "is wrong",
        )
    ),
    "models_wrong": Shown(
        Column(
            "Wrong models",
            is_wide=True,
            room=1.4,
            help="Models whose first label is probably wrong, with that label; surest error first",
        )
    ),
    MISSED: Shown(
        Column(
            "Missed by",
            is_wide=True,
            room=0.28,
            help="Models that put no high-risk label first where one is plausible; what each puts first "
            "instead stands in the case",
        )
    ),
    MISLEADS: Shown(
        Column(
            "Accuracy misleads",
            is_wide=True,
            room=1.55,
            help="How accuracy, which goes by majority vote, counts models; whether their label is the "
            "likeliest, and in how many of 100 plausible truths it is right; of several, the furthest off",
        )
    ),
    "readings": Shown(Column("Readings", is_number=True, help="Number of readings")),
    "status": Shown(
        Column("Status", help="What was decided about the case: empty while it is open"), cell_words.decided
    ),
    "flags": Shown(Column("Flags", is_wide=True, room=0.85, help="Why the case is flagged")),
    "notes": Shown(Column("Notes", is_wide=True, room=0.85, help="Notes about the case")),
    "reviewer": Shown(Column("Written by", help="Who last wrote something about the case")),
    "reviewed": Shown(Column("Written at", help="When something was last written about the case")),
    "labels": Shown(Column("Labels", is_number=True, help="Number of labels that the readings name")),
}
"""By the names of the worklist's columns."""
