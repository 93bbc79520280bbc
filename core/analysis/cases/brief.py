"""What a case comes to beneath its sentence, a line for each question: models, label on record, what next."""

from __future__ import annotations

from core.analysis.cases.beside import kept_words
from core.analysis.cases.by_vote import Vote, vote_of
from core.analysis.cases.case import Case, is_known
from core.analysis.cases.danger_reasons import ONE_MORE
from core.analysis.cases.first_choices import OtherFirst, other_first
from core.analysis.cases.hanging import Hanging, hanging
from core.analysis.cases.left_out import left_out
from core.analysis.cases.misled_words import misled_words
from core.analysis.cases.named_danger import models_words
from core.analysis.cases.on_record import Reference, find_out, reference_of
from core.analysis.cases.settle import is_settled, settle, to_confirm

FIRST, OF_MODELS, BY_VOTE = "First choices", "Models", "Most votes"
ON_RECORD, FIRM, NEXT = "On record", "How stable", "Useful next"
"""Questions that a line answers, in their order."""
ONE_READER = "One more reader"
"""What one more reading would do, for paper: on the page it stands among the reasons."""


def brief(
    *,
    other: OtherFirst | None,
    models: str,
    by_vote: Vote | None,
    is_misled: bool,
    beside: str,
    reference: Reference | None,
    hangs: Hanging | None,
    action: str,
) -> dict[str, str]:
    """Answer each question of a case in a sentence or two.

    Parameters
    ----------
    other : OtherFirst or None
        As `core.analysis.cases.first_choices.other_first` gives it.
    models : str
        What is said of models; may be empty.
    by_vote : Vote or None
        As `core.analysis.cases.by_vote.vote_of` gives it; said where its label is open. Where first choices
        have a line, which names it, what follows stands there.
    is_misled : bool
        Whether `core.analysis.cases.misled_words.misled_words` says how accuracy counts: then nothing is said
        of votes.
    beside : str
        Of `core.analysis.cases.beside.kept_words`.
    reference : Reference or None
        As `core.analysis.cases.on_record.reference_of` gives it.
    hangs : Hanging or None
        As `core.analysis.cases.hanging.hanging` gives it.
    action : str
        Of what `core.analysis.cases.settle.settle` gives, or `core.analysis.cases.settle.to_confirm` where
        nobody needs to ask what would settle the case.

    Returns
    -------
    dict of str to str
        By question, in their order; none that there is nothing to say of. Where the reference settles the
        case it comes first, and nothing is said of how stable the readings are.
    """
    firm, is_settled_by = "", reference is not None and reference.settles
    if hangs is not None and not is_settled_by:
        firm = hangs.head if hangs.rows else f"{hangs.head} {hangs.sentence}".strip()
    first = other.alone if other is not None and other.is_riskier else ""
    if by_vote is None or not by_vote.is_open or is_misled:
        voted = ""
    elif first:
        voted, first = "", f"{first.removesuffix('.')}: {by_vote.so}." if by_vote.so else first
    else:
        voted = by_vote.sentence
    found = {
        FIRST: first,
        OF_MODELS: models,
        BY_VOTE: voted,
        ON_RECORD: f"{beside}.{'' if reference is None else f' {reference.basis}'}" if beside else "",
        FIRM: firm,
        NEXT: find_out(reference, action),
    }
    order = sorted(found, key=lambda name: name != ON_RECORD) if is_settled_by else list(found)
    return {name: f"{found[name][:1].upper()}{found[name][1:]}" for name in order if found[name]}


def brief_of(case: Case) -> dict[str, str]:
    """Work out all of `brief` of an open case, and last what one more reading would do, in a line for each.

    Parameters
    ----------
    case : Case
        As `core.analysis.cases.case.open_case` gives it.
    """
    without = left_out(case)
    hangs = hanging(case, without)
    told = frozenset() if hangs is None else hangs.readings
    to_settle = settle(case, without, told) if is_known(case) and not is_settled(case) else None
    said = brief(
        other=other_first(case),
        models=models_words(case),
        by_vote=vote_of(case),
        is_misled=bool(misled_words(case)),
        # Its readings stand beside it, wherever this does.
        beside=kept_words(case, is_counted=True),
        reference=reference_of(case),
        hangs=hangs,
        action=to_confirm(case) if to_settle is None else to_settle.action,
    )
    if to_settle is None:
        return said
    rows = to_settle.table[to_settle.table["kind"] == ONE_MORE]
    lines = [f"{head}. {words}" for head, words in zip(rows["head"], rows["sentence"], strict=True)]
    return said | ({ONE_READER: "\n".join(lines)} if lines else {})
