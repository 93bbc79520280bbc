"""Raters: what the page says of each kind of study, and that a choice of raters or cases changes it all."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape
from pathlib import Path
from typing import Any, get_args

import pytest
from browser.odd_studies import HOSTILE
from streamlit.testing.v1 import AppTest

from core.analysis.raters.accuracy import STANDARDS
from core.analysis.raters.difference import agreement_difference
from core.analysis.raters.panel import panel
from core.analysis.raters.settings import Standard
from core.cli import sample_folder
from core.metrics.agreement.chance_names import AC1
from core.study.reading.folder import read_study
from dashboard.shell import address, studies
from dashboard.shell.jobs import Job
from dashboard.views.raters import choose, concordance, tables

PANELS = (
    "Who agrees with whom?",
    "How far do they agree, and how far beyond chance?",
    "Why more than one coefficient?",
    "Can their agreement be relied on?",
    "How sure are they, and how right when they are?",
    "Who reads how?",
    "Does a concordant group get more cases right?",
)


def _page() -> None:
    from dashboard.components.text import element
    from dashboard.shell import sidebar, state
    from dashboard.views.raters import page

    state.read_address()
    page.show(sidebar.choose())
    for note in state.notes():
        element("p", note)


def opened(study: str | Path, **view: str | list[str]) -> AppTest:
    """The page of a study; ``view`` is what the address says."""
    key = str(study)
    if isinstance(study, Path):
        key = studies.add_folder(key).key
    test = AppTest.from_function(_page, default_timeout=300)
    test.query_params["study"] = key
    for name, value in view.items():
        test.query_params[name] = value
    test.run()
    assert not test.exception
    return test


def words(test: AppTest) -> str:
    """Everything that the page says in words, with plain spaces."""
    bodies = " ".join(part.proto.body for part in test.get("html"))
    return unescape(re.sub(r"<[^>]+>", " ", bodies)).replace("\u00a0", " ")


def finding(test: AppTest) -> str:
    """The sentence at the top."""
    body = next(part.proto.body for part in test.get("html") if "loupe-sentence" in part.proto.body)
    return unescape(re.sub(r"<[^>]+>", "", body)).replace("\u00a0", " ")


def pictures(test: AppTest) -> list[str]:
    """Names of the pictures on the page, by the buttons to their data."""
    return [re.sub(r".*-data-", "", part.proto.id) for part in test.get("popover")]


@pytest.fixture(autouse=True)
def jobs(monkeypatch: pytest.MonkeyPatch) -> dict[str, list[Job[Any]]]:
    """Jobs by kind, each as often as it was started; none does any work: nobody here waits for it."""
    started: dict[str, list[Job[Any]]] = {}

    def start(self: Job[Any]) -> None:
        started.setdefault(self.name, []).append(self)

    monkeypatch.setattr(Job, "start", start)
    return started


Written = Callable[..., Path]


@pytest.fixture
def written(tmp_path: Path) -> Written:
    """Writes a study of two labels from readings as (case, rater, label)."""

    def write(readings: list[tuple[str, str, str]]) -> Path:
        (tmp_path / "study.toml").write_text('name = "small"\n\n[tasks.t]\nkind = "choice"\n')
        rows = ["case_id,rater_id,label", *map(",".join, readings)]
        (tmp_path / "annotations.csv").write_text("\n".join(rows) + "\n")
        return tmp_path

    return write


def test_knee_mri_has_every_panel() -> None:
    """Confidence, repeats and references: everything can be drawn."""
    test = opened("knee_mri")
    said = words(test)
    assert all(panel in said for panel in PANELS)
    expected = (
        "agreement-matrix coefficients skew concordance-by-case confidence confidence-calibration "
        "accuracy-by-confidence accuracy severity groups"
    )
    assert set(expected.split()) <= set(pictures(test))
    assert "Two raters agree on 80 % of cases (78 to 83 %)" in finding(test)
    assert "α is 0.59 (0.55 to 0.64)" in finding(test)
    assert (
        "ϱ = 0.59 (0.43 to 0.68 as confidence varies from reading to reading): below two thirds"
        in finding(test)
    )
    assert "312 repeated readings" in said


@pytest.mark.slow
@pytest.mark.parametrize(
    ("study", "lacking", "expected"),
    [
        ("dermatology_like", ("confidence",), "put the same label first on 55 % of cases (52 to 59 %)"),
        ("scores", ("confidence", "agreement-by-label"), "same side of the threshold"),
        ("chest_xrays", ("confidence", "agreement-by-label"), "Two raters agree on 71 % of cases"),
        ("mixed_digits", (), "Two raters agree on 68 % of cases"),
    ],
)
def test_other_kinds_of_study(study: str, lacking: tuple[str, ...], expected: str) -> None:
    """Rankings, scores and choices of many labels work, and say what they lack."""
    test = opened(study)
    assert expected in finding(test)
    assert not set(lacking) & set(pictures(test))
    assert {"agreement-matrix", "coefficients", "concordance-by-case", "groups"} <= set(pictures(test))
    assert ("No reading states a confidence" in words(test)) == ("confidence" in lacking)


def test_rankings_are_compared_as_differentials() -> None:
    """The matrix offers overlap and the first label, and the coefficients have both."""
    test = opened("dermatology_like")
    (measure,) = [one for one in test.button_group if one.key == "choose-pairs-ranking"]
    assert measure.options[:2] == ["Overlap of the first three labels", "Same first label"]
    assert "Two differentials of a case share 65 % of their leading labels" in words(test)
    assert "Gwet AC2 has" not in words(test)
    test.toggle[0].set_value(True).run()
    assert "near misses count as partial agreement" in words(test)
    assert test.session_state["loupe-view"].label_order


def test_a_choice_of_raters_changes_everything() -> None:
    """Finding, coefficients, concordance, profiles, groups and link are those of the raters picked."""
    test = opened("knee_mri")
    before = words(test)
    chooser = test.multiselect[0]
    assert chooser.label == "Raters: all 13"
    chooser.set_value(["reader-02", "reader-01", "reader-11"]).run()
    assert not test.exception
    after = words(test)
    assert test.multiselect[0].label == "Raters: 3 of 13"
    assert test.session_state["loupe-view"].raters == ("reader-01", "reader-02", "reader-11")
    assert finding(test) not in before
    sentences = re.findall(r"0\.\d\d \(0\.\d\d to 0\.\d\d\)\. [A-Z4]", after)
    assert len(sentences) == 7, sentences
    assert not any(sentence in before for sentence in sentences)
    assert len(test.dataframe[0].value) == 3
    assert "All groups of each size are shown." in after
    test.multiselect[0].set_value([]).run()
    assert test.session_state["loupe-view"].raters == ()
    assert finding(test) in before


@pytest.mark.slow
def test_a_choice_of_cases_changes_everything() -> None:
    """The cases that the filters keep, counted, for as long as they are asked for."""
    test = opened("knee_mri", certainty="50-90")
    all_cases = finding(test)
    kept = int(re.search(r"the (\d+) that the filters", test.radio[0].options[1]).group(1))  # type: ignore[union-attr]
    assert 0 < kept < 300
    test.radio[0].set_value(True).run()
    assert not test.exception
    assert test.session_state["loupe-view"].filtered
    assert finding(test) != all_cases
    assert "The filters: certainty 50 to under 90 %." in words(test)
    assert test.dataframe[0].value["cases"].tolist() == [kept] * 13
    again = opened("knee_mri", certainty="50-90", filtered="yes")
    assert finding(again) == finding(test)


def test_filters_that_keep_no_case_say_what_to_do() -> None:
    """Nothing is drawn, and the way back is said."""
    test = opened("knee_mri", search="no such case", filtered="yes")
    assert "No case passes the filters of the page Cases" in words(test)
    assert pictures(test) == []


def test_without_filters_all_cases_are_looked_at() -> None:
    """A link that asks for filtered cases and names no filter."""
    test = opened("knee_mri", filtered="yes")
    assert "Cases: all 300." in words(test)
    assert not test.radio


@pytest.mark.slow
def test_the_published_weights_can_be_set() -> None:
    """An accuracy that is given and a variability change ϱ, and stand in the address."""
    test = opened("knee_mri", judged="given", rater_accuracy="0.81", variability="0.08")
    assert "Confidence is taken to vary by ±0.08" in words(test)
    assert "accuracies as given" in words(test)
    first = finding(test)
    test.number_input[0].set_value(0.95).run()
    assert test.session_state["loupe-view"].rater_accuracy == 0.95
    assert finding(test) != first
    judged = test.selectbox(key="choose-judged_by")
    assert judged.options == list(concordance.JUDGED_BY.values())
    assert concordance.JUDGED_BY.keys() == STANDARDS.keys()
    judged.set_value("model").run()
    assert test.session_state["loupe-view"].judged_by == "model"
    assert "Dawid–Skene model of the truth" in words(test)


@pytest.mark.slow
def test_published_concordance_on_the_page(tmp_path: Path) -> None:
    """The 13 radiologists: agreement, α and the interval of ϱ as published."""
    from shared_data import shared_data

    from core.study.formats.rater_matrix import read_rater_matrix
    from core.study.writing import write_study

    study = read_rater_matrix(shared_data("data", "knee_mri_readers"))
    write_study(study, tmp_path / "knee")
    test = opened(tmp_path / "knee", judged="given", rater_accuracy="0.81", variability="0.08")
    assert "Two raters agree on 82 % of cases" in finding(test)
    assert "α is 0.63" in finding(test)
    assert "ϱ = 0.58 (0.51 to 0.64 as confidence varies from reading to reading)" in finding(test)


def test_addresses_that_ask_for_what_is_not_there() -> None:
    """Each is said, and the page shows what there is."""
    test = opened("chest_xrays", raters=["R01", "R02", "nobody"], judged="reference", variability="2")
    said = words(test)
    assert "the rater “nobody”, which this study does not have" in said
    assert "judged_by “reference”, which this study does not have" in said
    assert test.session_state["loupe-view"].raters == ("R01", "R02")
    _, problems = address.parse({"judged": ["luck"], "rater_accuracy": ["81"], "label_order": ["no"]})
    assert len(problems) == 3
    assert set(get_args(Standard)) == set(STANDARDS)


def test_one_rater(written: Written) -> None:
    """No agreement, no groups; the profile stays."""
    test = opened(written([("1", "a", "x"), ("2", "a", "y"), ("3", "a", "x")]))
    assert "Agreement cannot be measured here: no case has readings by two raters." in finding(test)
    said = words(test)
    assert "There is one rater only; agreement takes two." in said
    assert "Groups of raters need at least two raters" in said
    assert len(test.dataframe[0].value) == 1


def test_raters_without_a_common_case(written: Written) -> None:
    """An empty cell in the matrix, counted, and no concordance."""
    test = opened(written([("1", "a", "x"), ("2", "b", "y"), ("3", "a", "y")]))
    assert "1 pair of raters with no case in common: an empty cell." in words(test)
    assert "so there is no concordance" in words(test)
    assert "No group of these raters has read a case together" in words(test)


def test_every_reading_the_same(written: Written) -> None:
    """Coefficients beyond chance are undefined, and it says why."""
    readings = [(str(case), rater, "x") for case in range(6) for rater in "abc"]
    test = opened(written(readings))
    said = words(test)
    assert "every reading is the same, so agreement cannot be told from chance" in said
    assert "Fleiss κ has no value here" in said
    assert "agree on 100 % of cases" in finding(test)


@pytest.mark.slow
def test_ten_thousand_raters(written: Written, jobs: dict[str, list[Job[Any]]]) -> None:
    """The matrix is folded to the most active, few are offered, groups are refused, and all of it is said."""
    readings = [(str(i % 2500), f"r{i:05d}", "xyz"[i % 7 % 3]) for i in range(10_000)]
    readings += [(str(i % 2500), "busy", "xyz"[i % 5 % 3]) for i in range(2500)]
    test = opened(written(readings))
    said = words(test)
    assert "The 20 who read most cases, of 10,001" in said
    assert "10,001 raters are too many to form groups of" in said
    assert "10,001 raters are too many to compare two by two" in said
    chooser = test.multiselect[0]
    assert len(chooser.options) == choose.MOST_OFFERED
    assert "busy" in chooser.options
    assert chooser.value == []
    assert "Offered are the 500 who read most cases" in chooser.help
    assert "_many_profiles" in jobs


def test_raters_numbered_anew(written: Written) -> None:
    """Nothing is said of single raters, and why; what does not ask who reads is there."""
    readings = [(str(c), f"reader {r + 1}", "xyx"[(c + r) % 3]) for c in range(9) for r in range(2 + c % 3)]
    test = opened(written(readings))
    assert "“reader 1” is not one person" in words(test)
    assert "there is nobody to describe" in words(test)
    assert {"agreement-matrix", "rater-profiles", "groups"}.isdisjoint(pictures(test))
    assert {"coefficients", "skew", "concordance-by-case"} <= set(pictures(test))


def test_hostile_names_stay_text(hostile_study: Path) -> None:
    """Names of raters and labels reach pictures as values only, and words escaped."""
    test = opened(hostile_study)
    raw = " ".join(part.proto.body for part in test.get("html"))
    assert "<script" not in raw
    assert "<img" not in raw
    assert HOSTILE[:12] not in test.multiselect[0].label
    for part in test.get("vega_lite_chart"):
        assert HOSTILE not in part.proto.spec


def test_refused_study(refused_study: Path) -> None:
    """It says what to mend."""
    assert "This study needs mending" in words(opened(refused_study))


def test_long_work_goes_to_the_background(
    monkeypatch: pytest.MonkeyPatch, jobs: dict[str, list[Job[Any]]]
) -> None:
    """Many readings: values at once, intervals when they are there, and each work is begun and shown once."""
    monkeypatch.setattr(tables, "MOST_READINGS", 0)
    monkeypatch.setattr(tables, "MOST_PROFILED", 0)
    test = opened("toy_three_labels")
    assert "Two raters agree on 64 % of cases. Beyond" in finding(test)
    assert "Drawn as soon as each rater is described, below." in words(test)
    for work in ("_resampled_coefficients", "_resampled_labels", "_many_profiles"):
        assert len(jobs[work]) == 1


@pytest.mark.slow
def test_choices_go_with_the_study() -> None:
    """What is chosen of raters belongs to the study that it was chosen for."""
    test = opened("knee_mri", raters=["reader-01", "reader-02"], judged="model", filtered="yes")
    test.sidebar.selectbox[0].set_value("chest_xrays").run()
    assert not test.exception
    left = test.session_state["loupe-view"]
    assert (left.raters, left.judged_by, left.filtered) == ((), "", False)


def test_two_groups_of_raters_are_compared_as_the_command_does() -> None:
    """Those looked at with those picked: the difference and its interval; one rater is no group."""
    key, ids = "knee_mri", [f"reader-{at:02}" for at in range(1, 14)]
    test = opened(key, raters=ids[:4], other_raters=ids[4:9])
    said = words(test)
    assert "Do others agree as far?" in said
    study = read_study(sample_folder("knee_mri"))
    task = next(iter(study.tasks.values()))
    row = agreement_difference(
        panel(study, task, raters=ids[:4]), panel(study, task, raters=ids[4:9]), n_boot=0
    ).set_index("coefficient")
    assert f"{row['difference'][AC1]:+.2f} ({row['error_low'][AC1]:+.2f} to ".replace("-", "−") in said
    assert "Agreement takes two: pick at least two raters here" in words(opened(key, other_raters=ids[:1]))
    assert "“nobody”, which this study does not have" in words(opened(key, other_raters=["nobody"]))
