"""Other labels count as high risk than a study's files say."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.analysis.cases.worklist import worklist_of
from core.analysis.export import made_by
from core.analysis.risk_words import dangers_in_words, meaning
from core.cli import sample_folder
from core.metrics.risk import HIGH
from core.plausibility.settings import default_aggregation
from core.study.high_risk import counting_as_high_risk, high_risk_labels
from core.study.model import RISK_NAMES, Study, Task
from core.study.narrowed import narrowed
from core.study.reading.folder import read_study

CANCERS = ("Basal Cell Carcinoma", "Cutaneous T Cell Lymphoma", "Melanoma", "SCC/SCCIS")


@pytest.fixture(scope="module")
def study() -> Study:
    """A study with eight labels of high risk."""
    return read_study(sample_folder("dermatology_like"))


def _only_task(study: Study) -> Task:
    (task,) = study.tasks.values()
    return task


def test_those_that_are_chosen_count_and_the_others_are_of_medium_risk(study: Study) -> None:
    """In the order of the task; what was observed is the same."""
    before = _only_task(study)
    chosen = counting_as_high_risk(study, ["Melanoma", *CANCERS])
    after = _only_task(chosen)
    assert chosen.high_risk_labels == high_risk_labels(after) == CANCERS
    assert high_risk_labels(after, published=True) == high_risk_labels(before)
    for label, was, now in zip(before.labels, before.risk, after.risk, strict=True):
        lowered = RISK_NAMES.index("medium") if was == HIGH else was
        assert now == (HIGH if label in CANCERS else lowered), label
    assert chosen.fingerprint == study.fingerprint
    assert after.readings is before.readings
    assert study.high_risk_labels == (), "the study itself is left alone"


def test_what_may_be_dangerous_is_counted_by_them(study: Study) -> None:
    """The probability that danger leads is that of the chosen labels; certainty is as it was."""
    of = default_aggregation(_only_task(study))
    before = worklist_of(study, _only_task(study), of)
    chosen = counting_as_high_risk(study, CANCERS)
    after = worklist_of(chosen, _only_task(chosen), of)
    assert np.array_equal(before["certainty"], after.loc[before.index, "certainty"])
    less = before["high_risk"] - after.loc[before.index, "high_risk"]
    assert less.min() >= 0
    cellulitis = before.index[before["leading"] == "Cellulitis"]
    assert (before.loc[cellulitis, "high_risk"] >= before.loc[cellulitis, "certainty"]).all()
    assert less[cellulitis].min() > 0


def test_what_the_files_say_is_no_choice(study: Study) -> None:
    """Neither their own labels nor none of them; and a choice can be taken back."""
    own = high_risk_labels(_only_task(study))
    assert counting_as_high_risk(study, own) is study
    assert counting_as_high_risk(study, ()) is study
    chosen = counting_as_high_risk(study, CANCERS)
    for back in (own, ()):
        again = counting_as_high_risk(chosen, back)
        assert (again.high_risk_labels, _only_task(again).published_risk) == ((), None)
        assert np.array_equal(_only_task(again).risk, _only_task(study).risk)
    other = counting_as_high_risk(chosen, ["Scabies"])
    assert other.high_risk_labels == high_risk_labels(_only_task(other)) == ("Scabies",)
    assert high_risk_labels(_only_task(other), published=True) == own


def test_a_study_without_risk_has_dangers_that_are_chosen() -> None:
    """The other labels stay unknown; a table of the whole says what was chosen."""
    knee = counting_as_high_risk(read_study(sample_folder("knee_mri")), ["Tear"])
    task = _only_task(knee)
    assert task.has_risk
    assert list(task.risk) == [-1, HIGH]
    assert high_risk_labels(task, published=True) == ()
    assert made_by(knee, task)["labels that count as high risk"] == "Tear"
    assert "labels that count as high risk" not in made_by(read_study(sample_folder("knee_mri")), task)


def test_a_task_without_these_labels_is_left_alone(study: Study) -> None:
    """And keeps its own dangers."""
    other = replace(_only_task(study), name="other", labels=tuple(f"o{i}" for i in range(40)))
    both = replace(study, tasks={**study.tasks, "other": other})
    chosen = counting_as_high_risk(both, ["Melanoma"])
    assert chosen.tasks["other"] is other
    assert high_risk_labels(chosen.tasks[_only_task(study).name]) == ("Melanoma",)


def test_an_unknown_label_is_refused_with_the_nearest(study: Study) -> None:
    """Before anything is counted."""
    with pytest.raises(ValueError, match=r"no label 'Melanom' in study .*; did you mean 'Melanoma'\?"):
        counting_as_high_risk(study, ["Melanom"])
    with pytest.raises(ValueError, match=r"no label '<b>' in study .*; there are 'Acne'"):
        counting_as_high_risk(study, ["<b>"])


def test_some_cases_and_other_dangers_go_together(study: Study) -> None:
    """Whichever is chosen first."""
    where = 'practice == "B"'
    one = counting_as_high_risk(narrowed(study, where), CANCERS)
    two = narrowed(counting_as_high_risk(study, CANCERS), where)
    assert (one.condition, one.high_risk_labels) == (two.condition, two.high_risk_labels)
    assert one.case_ids == two.case_ids
    assert np.array_equal(_only_task(one).risk, _only_task(two).risk)


def test_words_say_whose_choice_it_is(study: Study) -> None:
    """No sentence says that the study calls a label dangerous where somebody else does."""
    chosen = _only_task(counting_as_high_risk(study, ["Melanoma"]))
    of_study = "Danger: Melanoma, SCC/SCCIS, Cellulitis and 5 more (high-risk by the study)."
    assert meaning(_only_task(study)) == of_study, "those that readings name most often"
    assert meaning(chosen) == "Danger: Melanoma (chosen)."
    assert dangers_in_words(chosen) == "Which labels are dangerous was chosen by whoever made this: Melanoma."
