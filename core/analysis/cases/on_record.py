"""The reference that a study gives for a case, as a label alone, and what to find out about it."""

from __future__ import annotations

from typing import NamedTuple

from core.analysis.cases.case import Case, is_known, risk_letter
from core.analysis.formatting import in_sentence
from core.analysis.risk_words import risk_phrase
from core.study.reference_standard import READERS, in_words, outweighs_readings, standard_of
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
    standard : str
        How it was established, as `core.study.reference_standard.standard_of` gives it.
    """

    label: str
    sentence: str
    differs: bool
    standard: str = ""

    @property
    def settles(self) -> bool:
        """Whether it is by more than readers, so that it settles the case."""
        return outweighs_readings(self.standard)

    @property
    def basis(self) -> str:
        """Say how it was established and what that is worth, as a sentence."""
        if not self.standard:
            return "How it was established is not stated."
        how = f"It was established {in_words(self.standard)}"
        if self.standard == READERS:
            if not self.differs:
                return f"{how}, as the readings are: it proves no more than they do."
            return f"{how}, who may be wrong: it does not settle the case."
        return f"{how}, which settles the case."


def reference_of(case: Case) -> Reference | None:
    """The reference of a case; None without one."""
    code = int(reference_codes(case.study, case.task)[case.index])
    if code < 0:
        return None
    differs = is_known(case) and code not in case.leaders
    label, level = in_sentence(case.task.labels[code]), risk_letter(case.task, code)
    risk = f" ({risk_phrase(level)})" if level and (differs or len(case.leaders) > 1) else ""
    what = "the leading label" if len(case.leaders) == 1 else "every leading label"
    words = f", which differs from {what}" if differs else ""
    sentence = f"The study’s reference is {label}{risk}{words}"
    return Reference(label, sentence, differs, standard_of(case.study, case.index))


def find_out(reference: Reference | None, action: str) -> str:
    """Say what is useful next, where a reference may settle the case already.

    A reference by readers is one more opinion, one by histology ends the question. Where the study does not
    say which it is, to learn that costs less than whatever else would settle the case.

    Parameters
    ----------
    reference : Reference or None
        As `reference_of` gives it.
    action : str
        What would be useful without it; empty where nothing would.

    Returns
    -------
    str
        The same where there is no reference, it is by readers, or nobody needs one: the case is settled, and
        as it says.
    """
    if reference is None or not (action or reference.differs):
        return action
    if reference.standard == READERS:
        return action or "learn why: readers established the reference, and these readings differ from it."
    if reference.settles:
        learn = " To learn from: what made the readings differ." if reference.differs else ""
        return f"nothing more: the reference settles the case.{learn}"
    first = (
        "find out how the reference was established: if by more than readers alone, the case is settled as "
        f"{reference.label}."
    )
    return f"{first} Otherwise, {action}" if action else first
