"""Ready-made worklists: which cases to keep, and in which order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pandas as pd

from core.analysis.cases import preset_rules as rules
from core.analysis.cases.high_risk import LEADING
from core.analysis.cases.misleads import FAR, MISLEADS, clearest_first, misleading
from core.analysis.cases.missed import MISSED
from core.analysis.cases.percent_ranges import whole_percent
from core.analysis.cases.worklist import AGREE, LEADS, PLAUSIBLE, WRONG
from core.analysis.formatting import in_sentence, of_hundred
from core.analysis.support_words import TRUTHS
from core.metrics.rank_correlation import TIE_DECIMALS

HIGH_RISK_FIRST = "a high-risk label leads"
HIGH_RISK_TIED = "a high-risk label is tied for the lead"
HIGH_RISK_LEADS = "high-risk labels lead together, none of them alone"
HIGH_RISK_BEHIND = "a high-risk label is plausible but does not lead"
HIGH_RISK_LISTS = (HIGH_RISK_FIRST, HIGH_RISK_TIED, HIGH_RISK_LEADS, HIGH_RISK_BEHIND)
"""Lists that share no case; together they hold every case in which a high-risk label is plausible.

The first two are the cases whose leading label is said to be of high risk.
"""
ANY_HIGH_RISK = "any high-risk label is plausible"
"""List of all of these together."""
UNSETTLED = "dangerous and unsettled"
"""List that cuts across those: high risk is plausible, and so is that there is none."""
NAMED_ONLY = "a high-risk label is named but not plausible"
"""List of what those leave out: somebody names danger, and it leads too rarely to be plausible."""
OF_HIGH_RISK = (UNSETTLED, *HIGH_RISK_LISTS, NAMED_ONLY)
"""Lists that stand beneath `ANY_HIGH_RISK`: what cuts across its parts, these, and what it leaves out."""
DANGER_MISSED = "a model misses danger"
"""List of the cases in which high risk is plausible and a model puts no high-risk label first."""
MISSED_LIKELY = "a model misses danger that is likely"
MISSED_BEHIND = "a model misses danger that is hidden"
MISSED_UNSETTLED = "a model misses danger that is unsettled"
MISSED_BY_ALL = "every model misses danger"
MISSED_PARTS = (MISSED_UNSETTLED, MISSED_LIKELY, MISSED_BEHIND, MISSED_BY_ALL)
"""Lists that stand beneath `DANGER_MISSED`: each of its cases is in one of the middle two; the others cut
across them. Links and saved views name a list by these words, so they stay, whatever a button says."""
OF_MISSED = (DANGER_MISSED, *MISSED_PARTS)
"""All lists of dangers that models miss, of any model or of those that are asked for."""
A_MODEL = "at least one model"
"""Whom the meaning of a list of missed dangers names, where none is asked for."""
SOME_MODEL = "a model"
"""The same in brief."""
NO_DOUBT = "A point estimate leaves nothing in doubt."
"""What is said of a list of doubts that has no case for that."""
_OF_RISK = ("high_risk", "risk", "high_risk_tied")
MODEL_DIFFERS = "readers agree, model differs"
ACCURACY_MISLEADS = "accuracy misleads"
"""List of the cases in which plain accuracy counts a model against at least half of the plausible truths."""
MARKED = "marked"
"""List of the cases about which somebody has said that they matter."""

_PLAUSIBLE_TRUTHS = f"{of_hundred(PLAUSIBLE)} or more of 100 {TRUTHS}"


@dataclass(frozen=True)
class Preset:
    """A way to shorten and sort a worklist.

    Attributes
    ----------
    keep : callable
        From the frame of `core.analysis.cases.worklist.worklist` to whether each case stays, a boolean
        series.
    sort : tuple of str
        Columns, the most important first; equal cases stay in the study's order.
    ascending : tuple of bool
        One for each column of ``sort``.
    needs : tuple of str
        Columns without which the preset makes no sense.
    meaning : str
        Which cases stay, in full.
    brief : str
        The same in a sentence that fits beside their number.
    first : str
        Which of them come first, in plain words.
    short : str
        Name on a button.
    key : callable, optional
        What of the columns of ``sort`` is compared, in place of themselves: a series from a series.
    is_quiet : bool
        Whether it is offered only where whoever lists the others asks for it, or it is chosen.
    needs_doubt : bool
        Whether a point estimate, which knows one truth alone, leaves no case in it but for ties.
    none : str
        What is said where no case stays, if anything is.
    without_risk : str
        Of one that labels without levels of risk have too, but in another order, as a column of ``sort`` is
        not there: which cases come first then.
    """

    keep: Callable[[pd.DataFrame], pd.Series]
    sort: tuple[str, ...]
    ascending: tuple[bool, ...]
    needs: tuple[str, ...]
    meaning: str
    brief: str
    first: str
    short: str
    key: Callable[[pd.Series], pd.Series] | None = None
    is_quiet: bool = False
    needs_doubt: bool = False
    none: str = ""
    without_risk: str = ""

    def suits(self, cases: pd.DataFrame) -> bool:
        """Whether the worklist has what the preset needs."""
        return set(self.needs) <= set(cases.columns)

    def _of_labels(self, cases: pd.DataFrame) -> list[str]:
        """Columns that say how often labels lead which were asked for, where danger comes first otherwise."""
        if self.sort != ("high_risk",) or self.key is not None or self.ascending != (False,):
            return []
        return [name for name in map(str, cases.columns) if name.startswith(LEADS)]

    def comes_first(self, cases: pd.DataFrame) -> str:
        """Say which cases of such a worklist come first."""
        if asked := self._of_labels(cases):
            one = in_sentence(asked[0].removeprefix(LEADS)) if len(asked) == 1 else "of these labels"
            return f"Most {one} first"
        return self.first if set(self.sort) <= set(cases.columns) else self.without_risk

    def none_in_words(self, *, is_point: bool) -> str:
        """Say why no case stays, whether of a point estimate or of plausible truths; empty if unknown."""
        return NO_DOUBT if is_point and self.needs_doubt else self.none

    def apply(self, cases: pd.DataFrame) -> pd.DataFrame:
        """Return the cases that stay, in the preset's order.

        Raises
        ------
        ValueError
            If the worklist lacks a column that the preset needs.
        """
        if not self.suits(cases):
            missing = [column for column in self.needs if column not in cases]
            raise ValueError(f"the preset needs {', '.join(self.needs)}, got no {', '.join(missing)}")
        kept = cases[self.keep(cases)]
        # One column after the other, the last one first: a stable sort keeps equal cases in order.
        for column, ascending in zip(reversed(self.sort), reversed(self.ascending), strict=True):
            if self.without_risk and column not in kept:
                continue
            kept = kept.sort_values(column, ascending=ascending, kind="stable", key=self.key)
        if asked := self._of_labels(kept):
            # Whoever asks for a label looks for where it leads, and not for where another danger does.
            often = kept[asked].sum(axis=1).round(TIE_DECIMALS).reset_index(drop=True)
            kept = kept.iloc[often.sort_values(ascending=False, kind="stable").index]
        return kept


PRESETS: dict[str, Preset] = {
    DANGER_MISSED: Preset(
        rules.danger_missed,
        ("high_risk",),
        (False,),
        ("high_risk", MISSED),
        f"A high-risk label leads in {_PLAUSIBLE_TRUTHS}, and {A_MODEL} puts no high-risk label first.",
        f"Danger is plausible; {SOME_MODEL} does not warn.",
        "Most danger first",
        "Danger missed",
    ),
    MISSED_UNSETTLED: Preset(
        rules.unsettled_missed,
        ("high_risk",),
        (True,),
        ("high_risk", MISSED),
        f"High-risk labels together lead in {of_hundred(PLAUSIBLE)} to "
        f"{of_hundred(1 - PLAUSIBLE)} of 100 {TRUTHS}, and {A_MODEL} puts none of them first.",
        f"Danger is open; {SOME_MODEL} does not warn.",
        "Nearest 50 first",
        "Still open",
        rules.from_half,
        needs_doubt=True,
    ),
    ANY_HIGH_RISK: Preset(
        rules.any_high_risk,
        ("high_risk",),
        (True,),
        _OF_RISK,
        f"A high-risk label leads the case, or leads in {_PLAUSIBLE_TRUTHS}.",
        "A high-risk label is plausible.",
        "Nearest 50 first",
        "Any danger",
        rules.from_half,
    ),
    UNSETTLED: Preset(
        rules.unsettled,
        ("high_risk",),
        (True,),
        ("high_risk",),
        f"High-risk labels together lead in {of_hundred(PLAUSIBLE)} to "
        f"{of_hundred(1 - PLAUSIBLE)} of 100 {TRUTHS}: danger is neither ruled out nor certain.",
        "Danger is neither ruled out nor certain.",
        "Nearest 50 first",
        "Still open",
        rules.from_half,
        needs_doubt=True,
    ),
    MISSED_LIKELY: Preset(
        rules.likely_missed,
        ("high_risk",),
        (False,),
        ("high_risk", MISSED),
        "A high-risk label leads or is tied for the lead, or such labels together lead in "
        f"{LEADING} or more of 100 {TRUTHS}, and {A_MODEL} puts none of them first.",
        f"Danger leads; {SOME_MODEL} does not warn.",
        "Most danger first",
        "Danger leads",
    ),
    MISSED_BEHIND: Preset(
        rules.behind_missed,
        ("high_risk",),
        (False,),
        ("high_risk", MISSED),
        "A high-risk label is plausible, but behind: such labels together lead in "
        f"{of_hundred(PLAUSIBLE)} to under {LEADING} of 100 {TRUTHS}, and {A_MODEL} puts none of them first.",
        f"Another label leads; {SOME_MODEL} does not warn.",
        "Most danger first",
        "Another label leads",
    ),
    MISSED_BY_ALL: Preset(
        rules.missed_by_all,
        ("high_risk",),
        (False,),
        ("high_risk", MISSED),
        f"A high-risk label leads in {_PLAUSIBLE_TRUTHS}, and no model puts a high-risk label first.",
        "Danger is plausible; no model warns.",
        "Most danger first",
        "By all models",
    ),
    "most uncertain": Preset(
        rules.read,
        ("certainty",),
        (True,),
        ("certainty",),
        "All cases that were read.",
        "Only cases that were read.",
        "Least certain first",
        "Least certain",
        # An order of all cases, which is offered among the orders; links and saved views may name it.
        is_quiet=True,
    ),
    HIGH_RISK_FIRST: Preset(
        rules.high_risk_first,
        ("high_risk",),
        (False,),
        _OF_RISK,
        "The leading label, or every one of a tie, is of high risk.",
        "The leading label is of high risk.",
        "Most danger first",
        "High risk leads",
    ),
    HIGH_RISK_TIED: Preset(
        rules.high_risk_tied,
        ("high_risk",),
        (False,),
        _OF_RISK,
        "A high-risk label is tied for the lead with one that is not of high risk.",
        "A high-risk label is tied for the lead.",
        "Most danger first",
        "High risk ties",
    ),
    HIGH_RISK_LEADS: Preset(
        rules.high_risk_together,
        ("high_risk",),
        (False,),
        _OF_RISK,
        f"High-risk labels together lead in {LEADING} or more of 100 {TRUTHS}, yet the single "
        f"label that leads most often is not of high risk.",
        "High-risk labels lead only together.",
        "Most danger first",
        "Leads only together",
    ),
    HIGH_RISK_BEHIND: Preset(
        rules.high_risk_behind,
        ("high_risk",),
        (False,),
        _OF_RISK,
        f"High-risk labels together lead in {of_hundred(PLAUSIBLE)} to under "
        f"{LEADING} of 100 {TRUTHS}, and no leading label is of high risk.",
        "A high-risk label is plausible; another leads.",
        "Most danger first",
        "Another label leads",
    ),
    NAMED_ONLY: Preset(
        rules.named_only,
        ("high_risk",),
        (False,),
        (*_OF_RISK, "high_risk_named"),
        "A reading names a high-risk label, in whatever place, but such labels together lead in "
        f"fewer than {of_hundred(PLAUSIBLE)} of 100 {TRUTHS}. “Any danger” has none of these cases.",
        "A high-risk label is named but not plausible.",
        "Most danger first",
        "Named, not plausible",
    ),
    MODEL_DIFFERS: Preset(
        rules.model_differs,
        ("high_risk", "model_error", "certainty"),
        (False, False, False),
        (AGREE, "model_error"),
        "The readers agree: all of them put the same label first, alone or tied with others. The first "
        f"label of at least one model is wrong in {of_hundred(WRONG)} or more of 100 {TRUTHS}.",
        "Readers agree; a model is probably wrong.",
        "Most danger first",
        "Model differs",
        # What is written alike is equal.
        whole_percent,
        without_risk="Surest error first",
    ),
    ACCURACY_MISLEADS: Preset(
        misleading,
        ("high_risk", MISLEADS),
        (False, False),
        (MISLEADS,),
        "Accuracy goes by majority vote. Here it counts the first label of at least one model as right, "
        f"though it is right in at most {100 * FAR:.0f} of 100 plausible truths, or as wrong, though it is "
        "right in at least as many. Each case says whether another label is likelier, or none is and the "
        "answer is in doubt. Labels that tie for most votes each count in part. Cases in which danger leads "
        "come first, as a wrong count weighs most there, then those in which it is plausible, then the "
        "others; within each group, those where accuracy is furthest off.",
        "Accuracy disagrees with most plausible truths.",
        "Danger first, then the furthest off",
        "Accuracy misleads",
        clearest_first,
        needs_doubt=True,
        none="Accuracy disagrees with most plausible truths in none of them.",
        without_risk="Furthest off first",
    ),
    MARKED: Preset(
        rules.marked,
        ("high_risk", "certainty"),
        (False, True),
        ("certainty", "status", "flags", "notes"),
        "Flagged, with a note, in discussion, pending a result, or to be read again.",
        "Flagged, noted, or with a status, not settled.",
        "Most danger first",
        "Marked",
        is_quiet=True,
        without_risk="Least certain first",
    ),
}
"""Presets by name."""


def list_name(preset: str) -> str:
    """Name a list of `PRESETS` as its button does, behind the name of the list that it is a part of."""
    whole = ANY_HIGH_RISK if preset in OF_HIGH_RISK else DANGER_MISSED if preset in MISSED_PARTS else ""
    return f"{PRESETS[whole].short}, {PRESETS[preset].short}" if whole else PRESETS[preset].short


def listed_in_words(n: int, of: int, order: str = "") -> str:
    """Say how many cases are listed, of how many, in which order: “All 301 cases, least certain first”."""
    cases = "case" if of == 1 else "cases"
    if not n:
        return f"None of {of:,} {cases}."
    how_many = f"All {of:,} {cases}" if n == of > 1 else f"{n:,} of {of:,} {cases}"
    return f"{how_many}, {order[:1].lower()}{order[1:]}." if n > 1 and order else f"{how_many}."
