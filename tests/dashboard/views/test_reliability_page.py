"""Reliability: what is said of a sampled posterior, and the way from a picture to its cases."""

from __future__ import annotations

import pandas as pd
import pytest
from named import named
from streamlit.testing.v1 import AppTest

from core.analysis.cases.select import MOST_ONLY
from core.analysis.reliability.measure_sums import ANNOTATIONS, NOT_MIXED, SMALLEST_ESS, WORST_RHAT
from core.plausibility.settings import RELIABILITIES
from dashboard.shell import jobs, state, steps, studies, trust
from dashboard.views.reliability import curves


def _swept(*given: object, progress: object = None) -> pd.DataFrame:
    """A sweep whose chains mix at small reliabilities only."""
    rows = []
    for step, gamma in enumerate(RELIABILITIES[:-1]):
        values = {
            "top-1 certainty": 0.5,
            WORST_RHAT: 1 + step / 100,
            SMALLEST_ESS: 1000 - step,
            NOT_MIXED: 0.0,
        }
        if step > 1:
            values[NOT_MIXED] = 0.25
        rows += [(gamma, ANNOTATIONS, name, value, 0.1, 0.0, 1.0, 301) for name, value in values.items()]
    columns = ["reliability", "subject", "metric", "value", "standard_error", "low", "high", "n_cases"]
    return pd.DataFrame(rows, columns=columns)


def _page() -> None:
    from dashboard.shell import sidebar, state
    from dashboard.views.reliability import page as reliability

    state.read_address()
    reliability.show(sidebar.choose())


def _words(monkeypatch: pytest.MonkeyPatch, gamma: str) -> str:
    monkeypatch.setattr(curves, "sweep", _swept)
    monkeypatch.setattr(trust, "predictive_curve", lambda *given, progress: None)
    monkeypatch.setattr(trust, "keep_curve", lambda *given: None)
    monkeypatch.setattr(steps.Steps, "compute_ahead", lambda self, around: None)
    monkeypatch.setattr(jobs.Job, "start", lambda self: setattr(self, "result", self._compute(self._report)))
    test = AppTest.from_function(_page, default_timeout=300)
    for name, value in {"study": studies.SAMPLE, "model": "plackett-luce", "reliability": gamma}.items():
        test.query_params[name] = value
    test.run()
    assert not test.exception
    return " ".join(element.proto.body for element in test.get("html"))


def test_places_of_pictures_are_kept_while_they_are_made(monkeypatch: pytest.MonkeyPatch) -> None:
    """Their headings stand over as much room as they take; without work under way there is none."""
    for running in (True, False):
        monkeypatch.setattr(jobs.Job, "start", lambda self: None)
        monkeypatch.setattr(jobs.Job, "running", property(lambda self, now=running: now))
        monkeypatch.setattr(steps.Steps, "compute_ahead", lambda self, around: None)
        test = AppTest.from_function(_page, default_timeout=300)
        test.query_params["study"], test.query_params["model"] = "toy_three_labels", "label-counts"
        test.run()
        assert not test.exception
        words = " ".join(element.proto.body for element in test.get("html"))
        assert (f"height: {curves._AWAITED}px" in words) == running
        assert ("How certain is the truth?" in words) == running


def test_a_sampled_posterior_says_how_well_it_has_mixed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Worst R-hat and smallest effective number where the slider stands, and the worst anywhere."""
    words = _words(monkeypatch, f"{RELIABILITIES[0]:g}")
    assert "Over 301 cases the worst R-hat is 1.000 and the fewest effective draws are 1,000" in words
    assert "all chains have mixed" in words
    worst = len(RELIABILITIES) - 2
    assert f"the worst R-hat is {1 + worst / 100:.3f}, at γ = {RELIABILITIES[worst]:g}" in words
    assert "above 1.01 in 25\u00a0% of the cases" in _words(monkeypatch, f"{RELIABILITIES[5]:g}")


def test_between_the_steps_only_the_worst_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """A reliability from a link that is no step of the slider has not been measured."""
    words = _words(monkeypatch, "1.2345")
    assert "Over all reliabilities drawn the worst R-hat" in words
    assert "fewest effective draws" not in words


def test_no_model_is_compared_with_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever chooses the model that was compared with is shown another there, as the address says."""
    monkeypatch.setattr(curves, "sweep", _swept)
    monkeypatch.setattr(steps.Steps, "compute_ahead", lambda self, around: None)
    monkeypatch.setattr(jobs.Job, "start", lambda self: None)
    test = AppTest.from_function(_page, default_timeout=300)
    for name, value in {"study": studies.SAMPLE, "model": "irn", "against": "prirn"}.items():
        test.query_params[name] = value
    test.run()
    assert test.query_params["against"] == "prirn"
    test.selectbox(key="choose-model").set_value("prirn").run()
    assert not test.exception
    assert named(test.selectbox, "against").value != "prirn"
    assert "against" not in test.query_params


def _marked(n: int) -> None:
    import pandas as pd

    from dashboard.views import marked

    cases = pd.DataFrame({"case_id": [f"c{i}" for i in range(n)], "share": [i / n for i in range(n)]})
    marked.offer(cases, {"brush": {"share": [0.5, 2.0], "unknown": [0, 1]}, "click": []}, key="test")
    marked.offer(cases, {"brush": {}, "click": []}, key="none")


@pytest.mark.parametrize("n", [10, 1000])
def test_marked_cases_open_in_cases(monkeypatch: pytest.MonkeyPatch, n: int) -> None:
    """The button names how many, and hands them on as the only filter; a link takes so many and no more."""
    went = []
    monkeypatch.setattr(state, "open_page", went.append)
    test = AppTest.from_function(_marked, args=(n,), default_timeout=300).run()
    (button,) = test.button
    number = n // 2
    assert (f"first {MOST_ONLY} of {number:,} cases" if number > MOST_ONLY else "Open 5") in button.label
    button.click().run()
    assert not test.exception
    assert went == ["cases"]
    view = test.session_state["loupe-view"]
    assert view.only == tuple(f"c{i}" for i in range(number, number + min(number, MOST_ONLY)))
    assert view.case == f"c{number}"
