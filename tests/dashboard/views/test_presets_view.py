"""Buttons for ready-made worklists."""

from __future__ import annotations

import re

import pandas as pd
import pytest
from named import named
from streamlit.testing.v1 import AppTest

from core.analysis.cases.presets import (
    ACCURACY_MISLEADS,
    ANY_HIGH_RISK,
    DANGER_MISSED,
    HIGH_RISK_BEHIND,
    HIGH_RISK_FIRST,
    HIGH_RISK_LEADS,
    HIGH_RISK_TIED,
    MARKED,
    MISSED_BEHIND,
    MISSED_BY_ALL,
    MISSED_LIKELY,
    MISSED_PARTS,
    MISSED_UNSETTLED,
    MODEL_DIFFERS,
    NAMED_ONLY,
    NO_DOUBT,
    OF_HIGH_RISK,
    OF_MISSED,
    PRESETS,
    UNSETTLED,
)
from core.analysis.cases.select import EVERY_MODEL
from dashboard.views.cases.presets import why_not

NAMES = list(PRESETS)
UNCERTAIN = "most uncertain"
QUIET = (UNCERTAIN, MARKED)
FIRST = [name for name in NAMES if name not in (*OF_HIGH_RISK, *MISSED_PARTS, *QUIET)]
ROW, PARTS, MISSED = "choose-preset-button", "choose-preset-part", "choose-preset-missed-part"
OF_MARKED, BOX = "choose-preset-marked", "choose-preset-missed"
OF_PILLS = [name for name in MISSED_PARTS if name != MISSED_BY_ALL]


def _cases() -> pd.DataFrame:
    return pd.DataFrame(
        {
            "certainty": [0.9, float("nan"), 0.4, 0.7, 0.3, 0.5],
            "disagreement": [0.0, float("nan"), 0.5, 0.0, 0.5, 0.5],
            "readers_agree": [True, False, False, True, False, False],
            "risk": ["low", "", "low", "high", "medium", "high"],
            "high_risk": [0.02, float("nan"), 0.3, 0.8, 0.6, 0.4],
            "high_risk_tied": [False, False, False, False, False, True],
            "high_risk_named": [True, False, True, True, True, True],
            "accuracy_misleads": [0.9, 0.0, 0.1, 0.7, 0.2, 0.0],
            "models_missing": ["", "", "m: x", "m: x", "n: x", ""],
            "m: misses danger": [False, False, True, True, False, False],
            "n: misses danger": [False, False, False, False, True, False],
            "model_error": [0.9, float("nan"), 0.9, 0.1, 0.1, 0.1],
            "status": ["settled", "open", "to re-read", "open", "open", "in discussion"],
            "flags": ["", "", "", "", "", "odd"],
            "notes": ["", "blurred", "", "", "", ""],
        },
        index=pd.Index(["a", "b", "c", "d", "e", "f"], name="case_id"),
    )


def _script(rows: object, is_point: bool) -> None:
    import streamlit as st

    from core.analysis.cases.presets import MARKED, PRESETS
    from dashboard.views.cases import presets

    def adopt(name: str) -> None:
        st.query_params["preset"] = name

    by_model = presets.ByModel(("m", "n"), (), lambda said: None)
    chosen = st.query_params.get("preset", "")
    offered = [MARKED] if "flags" in rows and PRESETS[MARKED].keep(rows).any() else []  # type: ignore
    found = presets.choose(
        rows,  # type: ignore
        chosen,
        adopt=adopt,
        by_model=by_model,
        offered=offered,
        is_point=is_point,
    )
    st.dataframe(found.rows)
    st.text(found.meaning)


def _open(rows: pd.DataFrame, preset: str = "", *, is_point: bool = False) -> AppTest:
    test = AppTest.from_function(_script, args=(rows, is_point), default_timeout=300)
    if preset:
        test.query_params["preset"] = preset
    return test.run()


def _listed(test: AppTest) -> list[str]:
    assert not test.exception
    return list(test.dataframe[0].value.index)


def _words(test: AppTest) -> str:
    return "\n".join(element.proto.body for element in test.get("html"))


def test_without_a_preset_unsettled_danger_comes_first_or_without_levels_the_least_certain() -> None:
    """All cases stay; those without a certainty stand last."""
    assert _listed(_open(_cases())) == ["e", "f", "c", "d", "a", "b"]
    without = _cases().drop(columns=["risk", "high_risk", "high_risk_tied", "high_risk_named"])
    assert _listed(_open(without)) == ["e", "c", "f", "d", "a", "b"]


LISTED = {
    UNCERTAIN: ["e", "c", "f", "d", "a"],
    ANY_HIGH_RISK: ["e", "f", "c", "d"],
    UNSETTLED: ["e", "f", "c", "d"],
    HIGH_RISK_FIRST: ["d"],
    HIGH_RISK_TIED: ["f"],
    HIGH_RISK_LEADS: ["e"],
    HIGH_RISK_BEHIND: ["c"],
    NAMED_ONLY: ["a"],
    DANGER_MISSED: ["d", "e", "c"],
    MISSED_LIKELY: ["d", "e"],
    MISSED_BEHIND: ["c"],
    MISSED_BY_ALL: [],
    MISSED_UNSETTLED: ["e", "c", "d"],
    MODEL_DIFFERS: ["a"],
    ACCURACY_MISLEADS: ["d", "a"],
    MARKED: ["f", "c", "b"],
}


@pytest.mark.parametrize("preset", [name for name in NAMES if name not in (*QUIET, MISSED_BY_ALL)])
def test_a_preset_filters_and_sorts(preset: str) -> None:
    """The cases that each preset means, in its order; a second click lists all again.

    Those of high risk, and of danger that is missed, unfold beneath the button of them all, which stays on.
    """
    test = _open(_cases())
    assert [of.key for of in test.pills] == [ROW, OF_MARKED]
    folds = dict.fromkeys(OF_HIGH_RISK, (ANY_HIGH_RISK, PARTS, OF_HIGH_RISK))
    folds |= dict.fromkeys(MISSED_PARTS, (DANGER_MISSED, MISSED, OF_PILLS))
    whole, parts, names = folds.get(preset, (preset, "", ()))
    test.pills(key=ROW).set_value(whole).run()
    if parts:
        assert test.pills(key=parts).options == [PRESETS[name].short for name in names]
        test.pills(key=parts).set_value(preset).run()
        assert test.pills(key=ROW).value == whole
    assert _listed(test) == LISTED[preset]
    assert PRESETS[preset].brief in _words(test)
    if whole not in OF_MISSED:
        assert test.text[0].value.startswith(PRESETS[preset].meaning)
    if parts:
        test.pills(key=parts).set_value(None).run()
        assert _listed(test) == LISTED[whole]
    test.pills(key=ROW).set_value(None).run()
    assert len(_listed(test)) == 6
    assert [of.key for of in test.pills] == [ROW, OF_MARKED]
    assert not test.text[0].value


def test_the_least_certain_are_an_order_and_a_list_for_links_alone() -> None:
    """Beside lists that leave cases out it looked like one; a link that names it, and none else, has it."""
    assert PRESETS[UNCERTAIN].short not in _open(_cases()).pills(key=ROW).options
    test = _open(_cases(), UNCERTAIN)
    assert _listed(test) == LISTED[UNCERTAIN]
    assert test.pills(key=ROW).value == UNCERTAIN
    assert PRESETS[UNCERTAIN].brief in _words(test)
    test.pills(key=ROW).set_value(None).run()
    assert len(_listed(test)) == 6


def test_where_accuracy_misleads_is_a_list_beside_the_others() -> None:
    """Why it has no case is said, and what a study lacks for it."""
    rows = _cases()
    assert _open(rows).pills(key=ROW).options == [
        *("Danger missed", "Any danger", "Model differs", "Accuracy misleads"),
    ]
    none = rows.assign(accuracy_misleads=0.0)
    assert PRESETS[ACCURACY_MISLEADS].none in _words(_open(none, ACCURACY_MISLEADS))
    assert NO_DOUBT in _words(_open(none, ACCURACY_MISLEADS, is_point=True))
    assert NO_DOUBT not in _words(_open(rows, ACCURACY_MISLEADS, is_point=True))
    assert "It would need readers who name labels and predictions" in _words(
        _open(_cases().drop(columns="accuracy_misleads"), ACCURACY_MISLEADS)
    )


def test_a_preset_that_a_study_cannot_have_is_not_offered() -> None:
    """Without risks and models there are none; why is said of one that a link asks for."""
    rows = _cases()[["certainty", "readers_agree"]]
    test = _open(rows, ANY_HIGH_RISK)
    assert not test.pills
    assert "It would need risk levels of the labels." in _words(test)
    assert "predictions of a model" not in _words(test)
    assert "It would need predictions of a model." in _words(_open(rows, MODEL_DIFFERS))
    assert "It would need" not in _words(_open(rows))
    assert len(_listed(test)) == 6
    assert not why_not(rows, PRESETS[UNCERTAIN])


def test_a_list_of_what_is_marked_is_offered_once_something_is() -> None:
    """Before that it would be one more that holds nothing; a link that asks for it has an answer.

    It stands apart: those that are always there do not move as it comes.
    """
    rows = _cases().assign(status="open", flags="", notes="")
    assert [of.key for of in _open(rows).pills] == [ROW]
    test = _open(rows, MARKED)
    assert _listed(test) == []
    assert "None of 6 cases." in _words(test)
    assert PRESETS[MARKED].brief not in _words(test)
    test = _open(_cases())
    test.pills(key=OF_MARKED).set_value(MARKED).run()
    assert _listed(test) == LISTED[MARKED]
    assert PRESETS[MARKED].brief in _words(test)
    test.pills(key=ROW).set_value(ANY_HIGH_RISK).run()
    assert named(test.pills, "preset-marked").value is None
    assert _listed(test) == LISTED[ANY_HIGH_RISK]


def _counts(test: AppTest) -> list[int]:
    """Numbers behind the buttons' names."""
    assert not test.exception
    return [int(number) for number in re.findall(r'content: "(\d+)"', _words(test))]


def test_buttons_count_the_rows_that_pass() -> None:
    """Each says how many of the given rows it would list, whichever is pressed."""
    for rows in (_cases(), _cases().loc[["b", "c", "d"]]):
        test = _open(rows, HIGH_RISK_FIRST)
        assert test.pills(key=ROW).options == [PRESETS[name].short for name in FIRST]
        assert _counts(test) == [len(PRESETS[name].apply(rows)) for name in (*FIRST, *OF_HIGH_RISK, MARKED)]


def test_how_many_are_named_only_is_said_where_all_of_high_risk_are_listed() -> None:
    """They are not among these; where there is none, nothing is said."""
    told = _open(_cases(), ANY_HIGH_RISK).text[0].value
    assert "In 1 more, a reading names one that leads less often: “Named, not plausible”." in told
    assert "“Named, not plausible”" not in _open(_cases().loc[["b", "c", "d"]], ANY_HIGH_RISK).text[0].value


def _of_models(rows: pd.DataFrame, preset: str = DANGER_MISSED) -> AppTest:
    test = AppTest.from_function(_by_model_script, args=(rows,), default_timeout=300)
    test.query_params["preset"] = preset
    return test.run()


def _by_model_script(rows: object) -> None:
    import streamlit as st

    from dashboard.views.cases import presets

    def adopt(said: tuple[str, ...]) -> None:
        st.query_params["by"] = list(said)

    def adopt_list(said: str) -> None:
        st.query_params["preset"] = said

    by_model = presets.ByModel(("m", "n"), tuple(st.query_params.get_all("by")), adopt)
    listed = presets.choose(rows, st.query_params["preset"], adopt=adopt_list, by_model=by_model)  # type: ignore[arg-type]
    st.dataframe(listed.rows)
    st.text(listed.meaning)


def test_the_model_that_misses_danger_can_be_chosen() -> None:
    """Each model is offered in a box, with how many it misses; the first is for any of them."""
    test = _of_models(_cases())
    assert _listed(test) == ["d", "e", "c"]
    box = test.selectbox(key=BOX)
    assert box.options == ["By any model", "By all models", "By m", "By n"]
    assert _counts(test)[-6:] == [2, 1, 3, 0, 2, 1]
    plausible = "A high-risk label leads in 5 or more of 100 plausible truths, and "
    assert f"{plausible}at least one model puts no high-risk label first." in test.text[0].value
    assert "3 of 6 cases.</strong> Danger is plausible; a model does not warn." in _words(test)
    assert plausible not in _words(test), "what is meant in full is folded beneath the list"
    box.set_value("m").run()
    assert _listed(test) == ["d", "c"]
    assert _counts(test)[FIRST.index(DANGER_MISSED)] == 2, "the button counts as the list does"
    assert _counts(test)[-6:] == [1, 1, 3, 0, 2, 1]
    assert "2 of 6 cases.</strong> Danger is plausible; m does not warn." in _words(test)
    assert f"{plausible}m puts no high-risk label first." in test.text[0].value
    named(test.selectbox, "preset-missed").set_value("*").run()
    assert _listed(test) == ["d", "e", "c"]


def test_what_every_model_misses_is_one_choice_of_the_box() -> None:
    """Beside any model and each; a part that is chosen then is of all models still."""
    rows = _cases().assign(**{"n: misses danger": [False, False, True, False, True, False]})
    test = _of_models(rows, DANGER_MISSED)
    test.selectbox(key=BOX).set_value(EVERY_MODEL).run()
    assert _listed(test) == ["c"]
    assert test.pills(key=MISSED).value is None
    assert PRESETS[MISSED_BY_ALL].brief in _words(test)
    assert "every model puts no high-risk label first" in test.text[0].value
    assert _counts(test)[-4:] == [3, 1, 2, 2]
    test.pills(key=MISSED).set_value(MISSED_LIKELY).run()
    assert named(test.selectbox, "preset-missed").value == EVERY_MODEL, "a part is of all models still"
    assert _listed(test) == []
    test.pills(key=MISSED).set_value(MISSED_BEHIND).run()
    assert _listed(test) == ["c"]
    named(test.selectbox, "preset-missed").set_value("m").run()
    assert _listed(test) == ["c"]
    named(test.selectbox, "preset-missed").set_value("*").run()
    assert "by" not in test.query_params


def test_a_link_to_what_every_model_misses_has_it_in_the_box() -> None:
    """The list that a link names is that choice; another one leaves it."""
    rows = _cases().assign(**{"n: misses danger": [False, False, True, False, True, False]})
    test = _of_models(rows, MISSED_BY_ALL)
    assert _listed(test) == ["c"]
    assert test.selectbox(key=BOX).value == EVERY_MODEL
    test.selectbox(key=BOX).set_value("m").run()
    assert test.query_params["preset"] == DANGER_MISSED
    assert _listed(test) == ["d", "c"]


def test_the_model_is_chosen_of_unsettled_danger_too() -> None:
    """As of the whole that it is a part of: any, all, or one."""
    rows = _cases().assign(**{"n: misses danger": [False, False, True, False, True, False]})
    test = _of_models(rows, MISSED_UNSETTLED)
    assert test.pills(key=ROW).value == DANGER_MISSED
    assert test.pills(key=MISSED).value == MISSED_UNSETTLED
    assert test.selectbox(key=BOX).options == ["By any model", "By all models", "By m", "By n"]
    assert _counts(test)[-4:] == [3, 1, 2, 2]
    test.selectbox(key=BOX).set_value(EVERY_MODEL).run()
    assert _listed(test) == ["c"]
    assert "Danger is open; no model warns." in _words(test)


def test_what_a_reference_settles_is_open_no_more() -> None:
    """It is left out of what is open, and counted there; it stays in the other lists."""
    rows = _cases().assign(settled_by_reference=[False, False, True, False, True, False])
    test = _of_models(rows, MISSED_UNSETTLED)
    assert _listed(test) == ["d"]
    more = "2 more are settled by the study’s reference."
    assert "Danger is open; a model does not warn.</p>" in _words(test), "in a line of its own"
    assert f'loupe-expected">{more}</p>' in _words(test)
    test.selectbox(key=BOX).set_value("m").run()
    assert 'loupe-expected">1 more is settled by the study’s reference.</p>' in _words(test)
    assert _listed(_of_models(rows, UNSETTLED)) == ["f", "d"]
    assert _listed(_of_models(rows, ANY_HIGH_RISK)) == ["e", "f", "c", "d"]
    assert "settled by the study" not in _words(_of_models(rows, ANY_HIGH_RISK))
    assert "settled by the study" not in _words(_of_models(_cases(), UNSETTLED))
    assert _listed(_of_models(rows, "")) == ["f", "d", "e", "c", "a", "b"], "then the least certain"


def test_what_is_expected_and_nearly_certain_stands_beneath_the_list() -> None:
    """Of the listed cases and the chosen model; certain danger is left out of what is open alone."""
    rows = _cases()
    rows.loc["d", "high_risk"] = 0.96
    told = _words(_of_models(rows, MISSED_UNSETTLED))
    on_average = "Danger is expected in about 1 of these 2 cases."
    assert f"{on_average} In 1 more danger is nearly certain" in told
    assert "nearly certain" not in _words(_of_models(rows, DANGER_MISSED))
    assert "about 2 of these 3 cases.</p>" in _words(_of_models(rows))
    of_n = _of_models(rows, MISSED_UNSETTLED)
    of_n.selectbox(key=BOX).set_value("n").run()
    assert "loupe-expected" not in _words(of_n)


def test_no_two_lists_in_sight_are_called_alike() -> None:
    """Those that a row unfolds are told from those above it by words, and named as Study names them."""
    for unfolded in (OF_HIGH_RISK, MISSED_PARTS):
        shorts = [PRESETS[name].short for name in (*FIRST, *unfolded)]
        assert len(set(shorts)) == len(shorts)
    assert PRESETS[HIGH_RISK_BEHIND].short == PRESETS[MISSED_BEHIND].short == "Another label leads"
    assert "hidden" not in " ".join(of.meaning.lower() for of in PRESETS.values())


def _moved_script(first: object, then: object) -> None:
    import streamlit as st

    from dashboard.views.cases import presets

    presets.choose(then if st.toggle("moved") else first, "", adopt=lambda name: None)  # type: ignore[arg-type]


def test_other_counts_leave_the_buttons_as_they_are() -> None:
    """A press that meets new numbers is not lost: what is pressed is the same widget still."""
    given = (_cases(), _cases().loc[["b", "c", "d"]])
    test = AppTest.from_function(_moved_script, args=given, default_timeout=300).run()
    before, counts = test.pills(key="choose-preset-button").proto.id, _counts(test)
    test.toggle[0].set_value(True).run()
    assert _counts(test) != counts
    assert test.pills(key="choose-preset-button").proto.id == before


def test_unknown_preset_is_named() -> None:
    """A link that asks for what does not exist shows all cases and says so, as text."""
    test = _open(_cases(), "<b>nothing")
    assert len(_listed(test)) == 6
    assert "&lt;b&gt;nothing" in _words(test)


def test_no_case_left() -> None:
    """An empty worklist is no error."""
    assert _listed(_open(_cases().iloc[:0], NAMES[2])) == []


def test_what_is_in_discussion_or_to_be_read_again_is_marked() -> None:
    """So is what is flagged or has a note; what is open or settled is not, for its status alone."""
    rows = _cases().assign(flags="", notes="")
    kept = PRESETS[MARKED].keep(rows)
    assert rows.index[kept].tolist() == ["c", "f"]
    assert rows.loc[kept, "status"].tolist() == ["to re-read", "in discussion"]
    assert PRESETS[MARKED].keep(rows.assign(flags="odd")).all()
