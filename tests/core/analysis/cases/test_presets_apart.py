"""What lists say of one another is so."""

from __future__ import annotations

import re

from core.analysis.cases.misleads import counted_right, with_counted
from core.analysis.cases.presets import (
    ANY_HIGH_RISK,
    DANGER_MISSED,
    HIGH_RISK_LISTS,
    MISSED_BEHIND,
    MISSED_BY_ALL,
    MISSED_LIKELY,
    MISSED_UNSETTLED,
    NAMED_ONLY,
    PRESETS,
    UNSETTLED,
)
from core.analysis.cases.presets_apart import APART
from core.analysis.cases.reviewed import with_reviews
from core.analysis.cases.worklist import worklist_of
from core.plausibility.settings import Aggregation
from core.study.model import Study

AT = Aggregation("plackett-luce", 2.0)


def test_each_list_with_a_button_says_how_it_differs() -> None:
    """In one sentence of its own; names in it are those of buttons."""
    assert set(PRESETS) - set(APART) == {MISSED_BY_ALL}
    assert len(set(APART.values())) == len(APART)
    named = {name for words in APART.values() for name in re.findall("“(.+?)”", words)}
    assert named <= {PRESETS[name].short for name in (ANY_HIGH_RISK, DANGER_MISSED)}
    for words in APART.values():
        assert words.endswith(".")
        assert ". " not in words


def test_what_is_said_to_be_a_part_of_a_list_is_one(dermatology: Study) -> None:
    """On the sample: parts share no case where that is said, *Still open* has those of both."""
    task = next(iter(dermatology.tasks.values()))
    cases = with_counted(worklist_of(dermatology, task, AT), counted_right(task))
    cases = with_reviews(cases, {})
    of = {name: set(cases.index[PRESETS[name].keep(cases)]) for name in PRESETS}
    for name, words in APART.items():
        whole = re.match("The part of “(.+?)”", words)
        if whole:
            (of_whole,) = (of[one] for one in APART if PRESETS[one].short == whole.group(1))
            assert of[name] <= of_whole, name
    assert of[MISSED_UNSETTLED] == of[UNSETTLED] & of[DANGER_MISSED] != set()
    assert of[DANGER_MISSED] == of[MISSED_LIKELY] | of[MISSED_BEHIND]
    assert of[ANY_HIGH_RISK] == set.union(*(of[name] for name in HIGH_RISK_LISTS))
    assert not of[NAMED_ONLY] & of[ANY_HIGH_RISK]
    assert of[UNSETTLED] - of[DANGER_MISSED]
    assert of[DANGER_MISSED] - of[UNSETTLED]
