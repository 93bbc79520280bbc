"""Readings revealed in several orders: what must hold of any, and what public readings show."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.stats import entropy
from shared_data import shared_data
from small_study import small_study

from core.analysis.planning.replay import BEGIN, Replay, entropy_of_mean_share, replay
from core.cli import main, sample_folder
from core.study.formats import import_study
from core.study.formats.rater_matrix import read_rater_matrix
from core.study.simulation.simulate import simulate_choices

FINDINGS = 14


def _wide(found: Replay) -> pd.DataFrame:
    return found.curves.pivot_table(index="further_readings", columns="strategy", values="share")


def _area(found: Replay, strategy: str, column: str) -> float:
    return float(found.areas.set_index("strategy").loc[strategy, column])


def _never_worse_than_random(found: Replay) -> None:
    """At every budget, over 20 repeats; what is asked of each mean is no slack beyond rounding."""
    shares = _wide(found)
    assert (shares["certainty"] >= shares["random"] - 1e-12).all()
    assert _area(found, "certainty", "over_random") > 5 * _area(found, "certainty", "over_random_error")


def test_thirteen_readers_of_knees() -> None:
    """Certainty beats random at every budget, and entropy over all budgets."""
    study = read_rater_matrix(shared_data("data", "knee_mri_readers"))
    found = replay(study, next(iter(study.tasks.values())))
    _never_worse_than_random(found)
    assert _area(found, "certainty", "over_entropy") > 3 * _area(found, "certainty", "over_entropy_error") > 0


def test_eight_readers_of_chest_x_rays() -> None:
    """The same of every finding, and entropy is beaten over the findings together.

    Among cases of two labels with equally many readings both orders are one, so that they part only between
    cases of different numbers. Of findings that are nearly always absent the areas are both above 0.999 and
    differ by less than their error; so each finding may lag behind by two standard errors, no more.
    """
    study = import_study("chexpert-test", shared_data("data", "chexpert_test"))
    over, error = [], []
    for task in study.tasks.values():
        found = replay(study, task)
        _never_worse_than_random(found)
        over.append(_area(found, "certainty", "over_entropy"))
        error.append(_area(found, "certainty", "over_entropy_error"))
        assert over[-1] > -2 * error[-1], task.name
    assert len(over) == FINDINGS
    assert np.mean(over) > 3 * np.sqrt(np.square(error).sum()) / FINDINGS


def test_ten_labels_and_fifty_readings() -> None:
    """As on the public set of ten labels: random, entropy, certainty, each better than the one before."""
    study = simulate_choices(
        n_cases=300, n_labels=10, raters_per_case=50, n_raters=60, reliability=3.0, ambiguity=0.3, seed=4
    ).study
    found = replay(study, next(iter(study.tasks.values())), batch=30, most=600, repeats=10)
    shares = _wide(found).loc[600]
    assert shares["random"] < shares["entropy"] < shares["certainty"]


def test_all_begin_alike_and_end_with_all_readings() -> None:
    """Every strategy starts from the same readings, and the last budget is the truth of all."""
    study, task = small_study("choice", "abc", ["aaabb", "ababab", "ccb", "ab", "abcabcab"])
    found = replay(study, task, batch=3, repeats=5)
    shares = _wide(found)
    assert found.n_cases == 4
    assert shares.index[0] == 0
    assert shares.index[-1] == 5 + 6 + 3 + 8 - 4 * BEGIN
    assert np.ptp(shares.iloc[0]) == 0
    np.testing.assert_allclose(shares.iloc[-1], 1.0)


def test_same_seed_same_numbers() -> None:
    """The study's seed decides, another gives other readings, and fewer repeats are the first of more."""
    study, task = small_study("choice", "abc", ["aaabb", "ababab", "ccbab", "abcabcab"])
    first, again = (replay(study, task, batch=2, repeats=3) for _ in range(2))
    pd.testing.assert_frame_equal(first.curves, again.curves)
    other = replay(study, task, batch=2, repeats=3, seed=9)
    assert not first.curves["share"].equals(other.curves["share"])


def test_random_is_the_mean_over_all_orders() -> None:
    """One case of three readings a a b: two of them tell the leader in (1 + ½ + ½) / 3 of the orders."""
    study, task = small_study("choice", "ab", ["aab"])
    found = replay(study, task, repeats=3000)
    assert _wide(found)["random"].iloc[0] == pytest.approx(2 / 3, abs=4 * 0.236 / np.sqrt(3000))


def test_entropy_is_that_of_all_labels() -> None:
    """Labels without a column have their part of the prior."""
    counts = np.array([[3, 1], [0, 2]])
    share = np.array([[3, 1, 0, 0, 0], [0, 2, 0, 0, 0]]) + 0.5
    expected = entropy(share / share.sum(axis=1, keepdims=True), axis=1)
    np.testing.assert_allclose(entropy_of_mean_share(counts, 5), expected, rtol=1e-12)


@pytest.mark.parametrize(
    ("kind", "cases", "options", "said"),
    [
        ("ranking", ["ab"], {}, "must be of choices"),
        ("choice", ["ab"], {}, "no case of task 't' has more than 2 readings"),
        ("choice", ["aab"], {"batch": 0}, "batch must be 1 or more"),
        ("choice", ["aab"], {"repeats": 0}, "repeats must be 1 or more"),
    ],
)
def test_refused(kind: str, cases: list[str], options: dict[str, int], said: str) -> None:
    """What cannot be replayed is said."""
    study, task = small_study("ranking" if kind == "ranking" else "choice", "ab", cases)
    with pytest.raises(ValueError, match=said):
        replay(study, task, **options)


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Curves, areas, the sentence and what made them; a study only where one is needed."""
    knee = str(sample_folder("knee_mri"))
    command = ["experiment", "replay", knee, "--repeats", "2", "--batch", "50", "--out", str(tmp_path)]
    assert main(command) == 0
    said = capsys.readouterr().out
    content = json.loads((tmp_path / "experiment" / "replay.json").read_text(encoding="utf-8"))
    assert content["sentence"] in said
    assert content["settings"]["batch"] == "50"
    curves = pd.read_csv(tmp_path / "experiment" / "replay_curves.csv")
    assert set(curves["strategy"]) == {"random", "entropy", "certainty"}
    assert main(["experiment", "replay", "--out", str(tmp_path)]) == 1
    assert "needs a STUDY" in capsys.readouterr().err
    assert main(["experiment", "perfect-predictor", knee, "--out", str(tmp_path)]) == 1
    assert "takes no STUDY" in capsys.readouterr().err
