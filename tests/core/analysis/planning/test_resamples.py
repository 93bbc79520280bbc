"""Raters and cases drawn again: what stays, what varies, and what plans say of it."""

from __future__ import annotations

import numpy as np
import pytest
from small_study import small_study

from core.analysis.planning.certainty import of_panel, plan_certainty_like
from core.analysis.planning.raters_and_cases import (
    Assumptions,
    fitted_assumptions,
    plan_fineness,
    plan_ranking,
)
from core.analysis.planning.resamples import resampled_assumptions
from core.analysis.raters.fineness import judge
from core.analysis.raters.panel import panel
from core.cli import sample_folder
from core.study.model import Study, Task
from core.study.reading.folder import read_study


@pytest.fixture(scope="module")
def knee() -> tuple[Study, Task]:
    """The bundled 13 readers."""
    study = read_study(sample_folder("knee_mri"))
    return study, study.tasks["tear"]


def _simulated(n_raters: int, n_cases: int, right: float) -> tuple[Study, Task]:
    """Independent readers of one accuracy; the reference is always a."""
    rng = np.random.default_rng(5)
    said = [["a" if rng.random() < right else "b" for _ in range(n_raters)] for _ in range(n_cases)]
    return small_study(
        "choice", "ab", said,
        rater_ids=[str(i) for i in range(n_raters)], metadata={"reference": ["a"] * n_cases},
    )  # fmt: skip


def test_resamples_spread_as_sampling_theory_says() -> None:
    """Independent readers who are equally good: the mean accuracy varies with raters and with cases."""
    judged = judge(panel(*_simulated(12, 150, 0.8)))
    found = resampled_assumptions(judged, n=300)
    accuracy = np.array([a.accuracy for a in found])
    assert accuracy.mean() == pytest.approx(judged.accuracy.mean(), abs=0.005)
    per_case = np.sqrt(0.8 * 0.2 / (12 * 150))
    # Drawing raters and cases each adds a variance of its own to that of the readings.
    assert per_case < accuracy.std() < 2.2 * per_case
    assert {a.n_labels for a in found} == {2}


def test_copies_of_a_rater_are_no_agreement() -> None:
    """Raters who never agree with each other do not begin to when some of them are drawn twice."""
    said = [["a", "b", "c", "d"]] * 30
    study, task = small_study("choice", "abcd", said, metadata={"reference": ["a"] * 30})
    found = resampled_assumptions(judge(panel(study, task)), n=50)
    assert all(a.difficulty == 0 for a in found)


def test_few_raters_are_kept_and_cases_drawn() -> None:
    """With three raters only the cases vary; all cases alike, so nothing does."""
    study, task = small_study("choice", "ab", [["a", "a", "b"]] * 10, metadata={"reference": ["a"] * 10})
    found = resampled_assumptions(judge(panel(study, task)), n=20)
    assert {round(a.accuracy, 12) for a in found} == {round(2 / 3, 12)}


def test_the_same_seed_the_same_resamples(knee: tuple[Study, Task]) -> None:
    """The study's seed decides; progress is told and may stop the work."""
    judged, told = judge(panel(*knee)), []
    first = resampled_assumptions(judged, n=5, progress=lambda share, _: told.append(share))
    assert first == resampled_assumptions(judged, n=5)
    assert told == [0, 0.2, 0.4, 0.6, 0.8]


def test_a_plan_says_between_which_ends_it_lies(knee: tuple[Study, Task]) -> None:
    """The fitted curve lies within the band, and the ends of the answer are those of the resamples."""
    judged = judge(panel(*knee))
    resampled = [Assumptions(accuracy) for accuracy in (0.75, 0.81, 0.9)]
    plan = plan_fineness(Assumptions(0.81), 0.95, resampled=resampled)
    assert plan.raters == 7
    # Of accuracy .75, nine raters reach .951 and seven .929; of .9, three reach .972.
    assert "3 to 9 raters" in plan.doubt
    table = plan_fineness(
        fitted_assumptions(judged), 0.85, resampled=resampled_assumptions(judged, n=30)
    ).table
    for name in ("fineness", "fineness_dependent"):
        assert table[name].between(table[f"{name}_low"], table[f"{name}_high"]).all()


def test_a_ranking_says_between_which_ends_its_cases_lie() -> None:
    """Worse readers need more cases; the doubt names the fewest and the most."""
    resampled = [Assumptions(0.7), Assumptions(0.95)]
    plan = plan_ranking(Assumptions(0.8), 0.9, 0.8, 0.9, sizes=(1, 3), resampled=resampled)
    assert plan.raters is not None
    ends = [
        plan_ranking(a, 0.9, 0.8, 0.9, sizes=(plan.raters,)).table.set_index("truth")["cases_needed"]
        for a in (resampled[1], resampled[0])
    ]
    truth = plan.table.dropna().sort_values(["readings_needed", "n_raters"])["truth"].iloc[0]
    assert f"{ends[0][truth]:,} to {ends[1][truth]:,} cases" in plan.doubt


def test_a_plan_from_a_panel_knows_only_its_raters_and_cases(knee: tuple[Study, Task]) -> None:
    """The whole panel is the study; a part of it holds the part's readings, repeats included."""
    study, task = knee
    whole = of_panel(panel(study, task))
    sizes = (1, 3)
    assert (
        plan_certainty_like(*whole, 0.8, sizes=sizes).table.to_numpy().tolist()
        == plan_certainty_like(study, task, 0.8, sizes=sizes).table.to_numpy().tolist()
    )
    part, its_task = of_panel(panel(study, task, raters=["reader-02", "reader-05"], cases=[3, 4, 50]))
    assert part.case_ids == tuple(study.case_ids[i] for i in (3, 4, 50))
    names = {study.rater_ids[rater] for rater in its_task.readings.rater}
    assert names == {"reader-02", "reader-05"}
    assert its_task.readings.n_readings >= 6
