"""The reference that a study gives for a case, as a label alone, and what to find out about it."""

from __future__ import annotations

from typing import NamedTuple

from core.analysis.cases.case import Case, is_known, risk_letter
from core.analysis.formatting import in_sentence
from core.analysis.risk_words import risk_phrase
from core.study.references import reference_codes


class Reference(NamedTuple):
    """The label that a study takes for the truth of a case.

    Attributes
    ----------
    label : str
        Its name, as a sentence has it.
    sentence : str
        Says which it is, and where another label leads; without its full stop.
    differs : bool
        Whether another label leads.
    """

    label: str
    sentence: str
    differs: bool


def reference_of(case: Case) -> Reference | None:
    """The reference of a case; None without one."""
    code = int(reference_codes(case.study, case.task)[case.index])
    if code < 0:
        return None
    differs = is_known(case) and code not in case.leaders
    label, level = in_sentence(case.task.labels[code]), risk_letter(case.task, code)
    risk = f" ({risk_phrase(level)})" if differs and level else ""
    what = "the leading label" if len(case.leaders) == 1 else "every leading label"
    words = f", which differs from {what}" if differs else ""
    return Reference(label, f"The study’s reference is {label}{risk}{words}", differs)


def find_out(reference: Reference | None, action: str) -> str:
    """Say what is useful next, where a reference may settle the case already.

    A file gives a reference as a label alone: by readers it is one more reading, by histology it ends the
    question. Which it is costs less to learn than whatever else would settle the case.

    Parameters
    ----------
    reference : Reference or None
        As `reference_of` gives it.
    action : str
        What would be useful without it; empty where nothing would.

    Returns
    -------
    str
        The same where there is no reference, or nobody needs one: the case is settled, and as it says.
    """
    if reference is None or not (action or reference.differs):
        return action
    first = (
        "find out how the reference was established: if by more than readers alone, the case is settled as "
        f"{reference.label}."
    )
    return f"{first} Otherwise, {action}" if action else first
