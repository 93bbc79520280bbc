"""What further readings are expected to tell: other ways of working it out, and what must not matter."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from small_study import small_study

from core.analysis.planning import further_counts
from core.analysis.planning.further_counts import expected_by_counts
from core.analysis.planning.further_draws import expected_by_draws
from core.analysis.planning.further_readings import outlook
from core.analysis.planning.questions import question
from core.cli import sample_folder
from core.metrics.certainty import leading_risk
from core.plausibility.aggregate import aggregate, aggregate_readings
from core.plausibility.dirichlet import DirichletPosterior
from core.plausibility.settings import Aggregation
from core.study.model import Study, Task
from core.study.reading.folder import read_study
from core.study.seeds import case_seeds

CASES = ["ab", "aab", "c", "abcd", "aaaaab"]
MODELS = {"M": np.eye(4)[[0, 0, 1, 2, 0]], "N": np.eye(4)[[1, 0, 2, 3, 1]]}


def _small(labels: str = "abcd", risk: str = "LMHL") -> tuple[Study, Task]:
    return small_study("choice", labels, CASES, risk=risk, predictions=MODELS)


@pytest.mark.parametrize("gamma", [1.0, 2.5])
def test_counts_are_the_mean_over_all_sequences(gamma: float) -> None:
    """Every sequence of two further readings, weighted by its probability, aggregated as the study is."""
    study, task = _small()
    model = Aggregation("label-counts", gamma)
    got = outlook(study, task, question(task, "risk"), most=2, aggregation=model)
    sure = outlook(study, task, question(task, "certainty"), most=2, aggregation=model)
    for case, said in enumerate(CASES):
        expected = np.zeros(3)
        for sequence in product("abcd", repeat=2):
            probability, so_far = 1.0, said
            for label in sequence:
                # The plausibility is what it is: readings drawn from it tell of each other once.
                further = so_far[len(said) :]
                counts = [gamma * said.count(k) + further.count(k) + 0.5 for k in "abcd"]
                probability *= counts["abcd".index(label)] / sum(counts)
                so_far += label
            again, of = small_study("choice", "abcd", [so_far], risk="LMHL")
            posterior = aggregate(again, of, model)
            levels = leading_risk(posterior, of.risk)[0]
            most = max(map(so_far.count, so_far))
            lead = [k for k in set(so_far) if so_far.count(k) == most]
            above = np.mean([levels[of.risk["abcd".index(k)] + 1 :].sum() for k in lead])
            expected += probability * np.array([posterior.certainty(1)[0], levels.max(), above])
        assert sure.worth[case, 2] == pytest.approx(expected[0], abs=1e-9)
        assert got.worth[case, 2] == pytest.approx(expected[1], abs=1e-9)
        assert got.need[case, 2] == pytest.approx(expected[2], abs=1e-9)
    posterior = aggregate(study, task, model)
    np.testing.assert_allclose(sure.worth[:, 0], posterior.certainty(1), atol=1e-12)
    np.testing.assert_allclose(got.worth[:, 0], leading_risk(posterior, task.risk).max(axis=1), atol=1e-12)


@pytest.mark.parametrize("order", ["certainty", "risk", "models"])
@pytest.mark.parametrize("gamma", [1.0, 2.0])
def test_draws_agree_with_counts(order: str, gamma: float) -> None:
    """Draws of a Dirichlet, reweighted by the readings, give what its counts give exactly."""
    study, task = _small()
    asked = question(task, order, ("M", "N"))
    posterior = aggregate(study, task, Aggregation("label-counts", gamma))
    assert isinstance(posterior, DirichletPosterior)
    cases = np.flatnonzero(asked.of(study.n_cases))
    exact = expected_by_counts(posterior, asked, cases, most=3, gamma=gamma, tell=lambda _: None)
    runs = []
    for seed in range(10):
        seeds = case_seeds(seed, study.case_ids, "draws")
        drawn = posterior.sample(2000, seeds)
        runs.append(
            expected_by_draws(
                drawn, asked, cases, most=3, gamma=gamma, seeds=seeds[cases], tell=lambda _: None
            )
        )
    # Ten runs of 200 sequences each; the largest of means over draws is a little too large, by about 0.01.
    np.testing.assert_allclose(np.mean([worth for _, worth in runs], axis=0), exact[1], atol=0.03)
    # Of labels that lead alike, each run takes one by chance, so that the risk at stake scatters more.
    close = 0.2 if order == "risk" else 0.03
    np.testing.assert_allclose(np.mean([need for need, _ in runs], axis=0), exact[0], atol=close)


def test_one_further_reading_of_drawn_plausibilities_is_the_closed_form() -> None:
    """Σ_j p_j max_k E[λ_j 1(k leads)] / E[λ_j] over the draws, where every label was mentioned."""
    study, task = small_study("ranking", "ab", [["a", "b"], ["a", "a"], ["ab", "b"]])
    model = Aggregation("plackett-luce", 1.0, draws=4000)
    got = outlook(study, task, question(task, "certainty"), most=1, aggregation=model)
    posterior = aggregate(study, task, model)
    draws = posterior.draws  # type: ignore[attr-defined]
    for case in np.flatnonzero(draws.candidates.per_case == 2).tolist():
        share = draws.value[draws.candidates.of_case(case)].astype(float)
        leads = share.argmax(axis=0)[None] == np.arange(2)[:, None]
        joint = share @ leads.T / share.shape[1]
        # p_j E[λ_j 1(k leads)] / E[λ_j] is the joint mean itself.
        assert got.worth[case, 1] == pytest.approx(joint.max(axis=1).sum(), abs=0.02)


def test_certainty_never_falls_at_reliability_one() -> None:
    """A reading that counts once is expected to teach something, or nothing."""
    study = read_study(sample_folder("mixed_digits"))
    task = next(iter(study.tasks.values()))
    known = outlook(study, task, question(task, "certainty"), most=4)
    assert (np.diff(known.worth, axis=1) > -1e-12).all()


def test_what_must_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    """How many cases are worked out together, which others there are, and the order of the labels."""
    study, task = _small()
    whole = outlook(study, task, question(task, "risk"), most=3)
    monkeypatch.setattr(further_counts, "PATTERNS_AT_ONCE", 1)
    single = outlook(study, task, question(task, "risk"), most=3)
    np.testing.assert_array_equal(whole.worth, single.worth)
    renamed = [case.translate(str.maketrans("abcd", "dcba")) for case in CASES]
    other = small_study("choice", "abcd", renamed, risk="LHML")
    turned = outlook(*other, question(other[1], "risk"), most=3)
    np.testing.assert_allclose(whole.worth, turned.worth, atol=1e-12)
    np.testing.assert_allclose(whole.need, turned.need, atol=1e-12)


def test_draws_of_a_case_do_not_depend_on_the_others() -> None:
    """The same case among others gives the same numbers, to the last bit."""
    cases = [["a bc", "b"], ["c", "c b"], ["d", "a"]]
    study, task = small_study("ranking", "abcdef", cases)
    model = Aggregation("plackett-luce", 2.0, draws=300, warmup=100)
    asked = question(task, "certainty")
    posterior = aggregate(study, task, model)
    seeds = case_seeds(0, study.case_ids, "x")
    every = np.arange(3)
    together = expected_by_draws(
        posterior,
        asked,
        every,
        most=3,
        gamma=2.0,
        seeds=seeds,
        tell=lambda _: None,  # type: ignore[arg-type]
    )
    alone = aggregate_readings(study, task, model, task.readings.take_cases([1]), [study.case_ids[1]])
    single = expected_by_draws(
        alone,
        asked,
        np.arange(1),
        most=3,
        gamma=2.0,
        seeds=seeds[1:2],
        tell=lambda _: None,  # type: ignore[arg-type]
    )
    for one, of_all in zip(single, together, strict=True):
        np.testing.assert_array_equal(one[0], of_all[1])


def test_many_labels_nobody_mentioned() -> None:
    """Of 300 labels two were mentioned: an unmentioned one may be named, and may then lead."""
    labels = "".join(map(chr, range(0x4E00, 0x4E00 + 300)))
    study, task = small_study("choice", labels, [labels[:2], labels[0] * 3])
    known = outlook(study, task, question(task, "certainty"), most=3)
    posterior = aggregate(study, task, Aggregation("label-counts", 1.0))
    assert isinstance(posterior, DirichletPosterior)
    seeds = case_seeds(0, study.case_ids, "draws")
    drawn = expected_by_draws(
        posterior.sample(2000, seeds),
        question(task, "certainty"),
        np.arange(2),
        most=3,
        gamma=1.0,
        seeds=seeds,
        tell=lambda _: None,
    )
    np.testing.assert_allclose(drawn[1], known.worth, atol=0.05)


@pytest.mark.parametrize(
    ("order", "models", "said"),
    [
        ("speed", None, "order must be one of certainty, risk, models"),
        ("risk", None, "give labels.csv a column risk"),
        ("models", ("M", "M"), "must be two of those"),
        ("models", ("M", "X"), r"\(M, N\), got M, X"),
        ("models", None, "got none"),
    ],
)
def test_refused(order: str, models: tuple[str, str] | None, said: str) -> None:
    """What is missing is named."""
    _, task = _small(risk="")
    with pytest.raises(ValueError, match=said):
        question(task, order, models)  # type: ignore[arg-type]


def test_nothing_to_plan() -> None:
    """Scores, and a study without readings."""
    study, task = small_study("score", "", [[1.0]])
    with pytest.raises(ValueError, match="score task"):
        outlook(study, task, question(task, "certainty"), most=1)
    study, task = small_study("choice", "ab", ["", ""])
    with pytest.raises(ValueError, match="nothing to plan"):
        outlook(study, task, question(task, "certainty"), most=1)
    study, task = small_study("choice", "ab", ["a"])
    with pytest.raises(ValueError, match="most must be 1 or more"):
        outlook(study, task, question(task, "certainty"), most=0)
