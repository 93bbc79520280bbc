"""What the study's own reference says of its models, beside what readings say, in words and as a table."""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from core.analysis.formatting import WHOLE, cases_on_average, percent
from core.analysis.models.by_reference import READ, ByReference
from core.analysis.models.claims import DANGER_HEADS, false_of
from core.analysis.models.finding import listed
from core.analysis.models.missed_counts import missed_in_cases
from core.metrics.rank_correlation import TIE_DECIMALS
from core.study.reference_standard import READERS, in_words, outweighs_readings
from core.study.references import MOST

NAME = "By the study’s reference, and by the readings"
READINGS_NAME = "By the readings alone"
BY_READINGS = "by readings"
"""Stands before what the readings say beneath what the reference says."""
_OUTWEIGHS = "unless by readers alone, it outweighs these readings"
ASK = f"how the study’s reference was established: {_OUTWEIGHS}"
"""What to ask for where a study has one for most cases, and does not say."""
ASK_AGAIN = "for the same numbers on cases like yours"
"""What to ask for where nothing firmer is needed."""
_DOUBT = "A reference is one label without doubt, and may itself be wrong."


def why(found: ByReference) -> str:
    """Say why the reference and the readings differ."""
    danger = ""
    if tells_danger(found):
        danger = ", and a danger that may be the truth, though the model puts none first, as missed in part"
    return (
        f"Where readers disagree, an answer counts as right in part{danger}; so even a perfect model scores "
        f"below 100\u00a0%. {_DOUBT}"
    )


def tells_danger(found: ByReference) -> bool:
    """Whether any of the cases with a reference is dangerous by it."""
    return "dangers" in found.table and bool((found.table["dangers"] > 0).any())


def is_for_most(found: ByReference) -> bool:
    """Whether most of the compared cases have a reference."""
    return found.n_cases > 0 and found.n_cases >= MOST * found.of


def lead(found: ByReference) -> str:
    """Say how many cases have a reference, and what that is worth."""
    noun = "case" if found.of == 1 else "cases"
    said = f"The study gives its own answer, a reference, for {found.n_cases:,} of {found.of:,} {noun}"
    these = f"; all below is about these{_dangers_there(found)}" * (found.n_cases < found.of)
    return f"{said}{these}. {worth(found.standards)}"


def _dangers_there(found: ByReference) -> str:
    """Say how many dangers readings leave in these cases alone; empty where these are none."""
    there = {cases_on_average(row) for row in found.table.get(f"dangers{READ}", ()) if row >= WHOLE}
    return f", about {there.pop()} of them dangerous by the readings" if len(there) == 1 else ""


def worth(standards: Mapping[str, int]) -> str:
    """Say how a study's references were established, and what that is worth.

    Parameters
    ----------
    standards : mapping of str to int
        Cases by how that was, as `core.study.reference_standard.counted_standards` gives them.
    """
    stated = {standard: n for standard, n in standards.items() if standard}
    if not stated:
        return f"How it was established is not stated; {_OUTWEIGHS}."
    if len(standards) == 1:
        (only,) = standards
        what = "outweighs these readings" if outweighs_readings(only) else "may be wrong as readings may"
        return f"It was established {in_words(only)}, so it {what}."
    each = [f"{in_words(standard)} in {n:,}" for standard, n in stated.items()]
    each += [f"in {standards['']:,} this is not stated"] * ("" in standards)
    return f"It was established {listed(each)}; where it is more than readers, it outweighs these readings."


def to_ask(standards: Mapping[str, int]) -> str:
    """Say what to ask for where claims are not proven; empty where a firmer reference is what is missing.

    Parameters
    ----------
    standards : mapping of str to int
        As `worth` takes them; empty where most cases have no reference.
    """
    if not standards:
        return ""
    usual = max(standards, key=lambda standard: standards[standard])
    return ASK if not usual else ASK_AGAIN if outweighs_readings(usual) else ""


def in_brief(found: ByReference, of: str = "", by_readings: Mapping[str, str] = MappingProxyType({})) -> str:
    """Say in a sentence which model is right most often by the reference, and how many dangers it misses.

    Parameters
    ----------
    found : ByReference
    of : str
        The model that alone is spoken of.
    by_readings : mapping of str to str
        How many dangers each model misses by the readings, in words.

    Returns
    -------
    str
        Empty where most of the compared cases have no reference.
    """
    table = found.table[found.table["names"] == of] if of and len(found.table) else found.table
    if not is_for_most(found) or table.empty or table["right"].isna().all():
        return ""
    if found.decides:
        return _judged_by(found)
    right = table["right"].round(TIE_DECIMALS)
    first = table[right == right.max()]
    best = first.iloc[0].to_dict()
    who = f"{best['names']} is right"
    often = " most often," * (len(table) > 1)
    if len(first) > 1:
        who, often = f"{len(first)} models are right", " most often,"
    of_cases = f"{best['n']:,} cases, one answer each"
    # Of several ways the table says in how many cases each.
    how = in_words(next(iter(found.standards))) if len(found.standards) == 1 else ""
    said = f"By the study’s own reference ({f'{how}; ' * bool(how)}{of_cases}), {who}{often} in "
    said += percent(best["right"])
    missed = missed_of(best, "") if len(first) == 1 else ""
    said = f"{said}, and misses {_none(missed)} dangers." if missed else f"{said}."
    counted = by_readings.get(str(best["names"]), "") if missed else ""
    return f"{said} {decide_by(found.standards, counted)}".strip()


def decide_by(standards: Mapping[str, int], missed: str = "") -> str:
    """Say by which of both to decide, the reference or what the readings support.

    Parameters
    ----------
    standards : mapping of str to int
        As `worth` takes them.
    missed : str
        How many dangers a model misses by the readings, in words, where that is to be counted on.
    """
    if not standards:
        return ""
    count_on = f", and count on {missed} dangers missed" * bool(missed)
    if all(map(outweighs_readings, standards)):
        return "Where a case has one, it outweighs the readings."
    if set(standards) == {READERS}:
        return (
            "Where readers were split, the reference keeps one answer. The readings keep all: decide by what "
            f"the readings support{count_on}."
        )
    return f"Where it is not known to be by more than readers, decide by what the readings support{count_on}."


def check(
    found: ByReference, leads: str, first_read: str, by_readings: Mapping[str, str] = MappingProxyType({})
) -> str:
    """Say in short what the other source says of which model comes first: the readings, or the reference.

    Of two numbers of missed dangers it is said which one counts.

    Parameters
    ----------
    found : ByReference
        Of several models.
    leads : str
        The model that comes first by what the models are judged by; empty where none does alone.
    first_read : str
        The model that comes first by the readings; empty where none does alone.
    by_readings : mapping of str to str
        How many dangers each model misses by the readings, in words.

    Returns
    -------
    str
        Empty where most of the compared cases have no reference.
    """
    if found.decides:
        judged = _judged_by(found)
        if not first_read:
            return f"{judged} By these alone, it would be unclear which model comes first."
        return f"{judged} These alone would {'also ' * (first_read == leads)}put {first_read} first."
    table = found.table
    if not is_for_most(found) or len(table) < 2 or table["right"].isna().all():
        return ""
    right = table["right"].round(TIE_DECIMALS)
    first = table["names"][right == right.max()].tolist()
    who = f"{len(first)} models first alike" if len(first) > 1 else f"{first[0]} first"
    also = f"The study’s own reference ({_how(found)}) {'also ' * (first == [leads])}puts {who}"
    missed = missed_of(table[table["names"] == first[0]].iloc[0].to_dict(), "") if len(first) == 1 else ""
    if missed:
        also += f". By it, {first[0]} misses {_none(missed)} dangers"
        also += _counts(found.standards, by_readings.get(first[0], ""))
    return f"{also}."


def _counts(standards: Mapping[str, int], by_readings: str) -> str:
    """Say that the number of the readings counts where the reference is not known to outweigh them."""
    if not by_readings or all(map(outweighs_readings, standards)):
        return ""
    if set(standards) == {READERS}:
        return (
            ". But it keeps one answer per case: a danger that only some readers saw is dropped. The "
            f"readings keep it: count on {by_readings}"
        )
    return f". Until it is known how it was established, count on {by_readings}"


def _judged_by(found: ByReference) -> str:
    """Say that models are judged by the reference."""
    return f"Judged by the study’s own reference ({_how(found)}), which outweighs the readings."


def _none(missed: str) -> str:
    """Write none for 0 of so many."""
    return missed.replace("0", "none", 1) if missed.startswith("0 ") else missed


def _how(found: ByReference) -> str:
    """Say in a few words how references were established, and of how many cases where not all have one."""
    of = f", {found.n_cases:,} of {found.of:,} cases" * (found.n_cases < found.of)
    if set(found.standards) == {READERS}:
        return f"one answer of readers per case{of}"
    if not any(found.standards):
        return f"how it was established is not stated{of}"
    named = [in_words(standard) for standard in found.standards if standard]
    return f"{listed(named)}{', or not stated' * ('' in found.standards)}{of}"


def table_of(found: ByReference) -> tuple[list[str], list[list[str]], list[list[str]]]:
    """Write a row for each model: heads, what the reference says, and what the readings say of the same."""
    has_danger = tells_danger(found)
    heads = ["Model", "Right", *DANGER_HEADS * has_danger]
    by = [
        [_cells(row, which, has_danger=has_danger) for row in found.table.to_dict("records")]
        for which in ("", READ)
    ]
    return (
        heads,
        [[str(name), *cells] for name, cells in zip(found.table["names"], by[0], strict=True)],
        by[1],
    )


def _cells(row: Mapping[Any, Any], which: str, *, has_danger: bool) -> list[str]:
    """Numbers of a model, by one kind of truth."""
    right = float(row[f"right{which}"])
    cells = ["–" if math.isnan(right) else percent(right)]
    if has_danger:
        missed = missed_of(row, which) or "–"
        cells += [missed.replace(" of ", "\u00a0of\u00a0"), false_of(row[f"false_alarms{which}"])]
    return cells


def missed_of(row: Mapping[Any, Any], which: str) -> str:
    """Write how many of how many dangers are missed; empty where there are none, or it is not known."""
    dangers, missed = (float(row.get(f"{name}{which}", math.nan)) for name in ("dangers", "missed"))
    if not dangers >= WHOLE:
        return ""
    return missed_in_cases(round(missed, TIE_DECIMALS), dangers)
