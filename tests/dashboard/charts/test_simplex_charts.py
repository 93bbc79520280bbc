"""The simplex of the leading labels: places of known shares, what the marks say, and its printed form."""

from __future__ import annotations

import json

import numpy as np
import plotly.graph_objects as go
import pytest
from simplexes import simplex_with

from dashboard.charts.cases import ternary, tetrahedron
from dashboard.charts.cases.simplex import STRENGTH, simplex_figure
from dashboard.charts.cases.simplex_legend import simplex_legend
from dashboard.charts.cases.simplex_print import (
    FACES,
    FULL_DOT,
    LEAST_DOT,
    X_RANGE,
    faces_print,
    simplex_print,
)
from dashboard.charts.cases.simplex_words import leads_words
from dashboard.charts.cases.tetrahedron import tetrahedron_figure
from dashboard.charts.live import LiveFigure, pale, plain
from dashboard.shell.theme import DARK, LIGHT

SHARES = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [0.2, 0.2, 0.1]]
"""All on one label each; and half of it on labels that are not shown."""

SHARES_OF = "In this truth:<br>"


def figure_of_shares(labels: tuple[str, str, str] = ("x", "y", "z")) -> LiveFigure:
    """Live picture of the shares above."""
    return simplex_figure(simplex_with(labels, SHARES), tokens=LIGHT)


def test_known_shares_stand_where_they_belong() -> None:
    """All plausibility on a label is its corner; elsewhere shares weigh the corners, whatever others have."""
    draws = next(trace for trace in figure_of_shares().traces if "customdata" in trace)
    at = np.column_stack([draws["x"], draws["y"]])
    np.testing.assert_allclose(at[:3], ternary.CORNERS, atol=1e-4)
    np.testing.assert_allclose(at[3], [0.4, 0.4, 0.2] @ ternary.CORNERS, atol=1e-4)
    sides = np.linalg.norm(ternary.CORNERS - np.roll(ternary.CORNERS, 1, axis=0), axis=1)
    np.testing.assert_allclose(sides, 1)


def test_other_labels_are_seen() -> None:
    """A dot is the smaller, the more others have; where one of them leads, it is a ring in another colour."""
    draws = next(trace for trace in figure_of_shares().traces if "customdata" in trace)
    marker = draws["marker"]
    assert marker["size"] == [FULL_DOT] * 3 + [(LEAST_DOT + FULL_DOT) / 2]
    assert marker["symbol"] == ["circle"] * 3 + ["circle-open"]
    assert marker["color"] == [pale(LIGHT.soft, STRENGTH)] * 3 + [pale(LIGHT.other, STRENGTH)]
    printed = simplex_print(simplex_with("xyz", SHARES), tokens=LIGHT).data["draws_0"]
    np.testing.assert_allclose(printed["area"], np.pi / 4 * np.square(marker["size"]))
    assert printed["leads"].tolist() == ["one of these"] * 3 + ["another label"]


def test_every_mark_speaks_in_words() -> None:
    """Shares in percent by the names of labels, the others together; lines say nothing."""
    draws, mean, point = (trace for trace in figure_of_shares().traces if trace["hoverinfo"] == "text")
    space = "\u00a0"
    assert draws["text"][0] == f"{SHARES_OF}x 100{space}%,<br>y 0{space}%,<br>z 0{space}%"
    assert draws["text"][3] == (
        f"{SHARES_OF}x 20{space}%,<br>y 20{space}%,<br>z 10{space}%,<br>other labels 50{space}%"
        "<br>Here one of the other labels leads."
    )
    assert mean["text"][0].startswith(f"Mean of the plausible truths:<br>x 30{space}%")
    assert point["text"][0].startswith(f"Point estimate:<br>x 28{space}%")
    others = [trace for trace in figure_of_shares().traces if trace["hoverinfo"] != "text"]
    assert {trace["hoverinfo"] for trace in others} == {"skip"}


def test_labels_that_are_numbers_are_quoted() -> None:
    """No label is taken for a share or a count."""
    draws = next(trace for trace in figure_of_shares(("4", "y", "z")).traces if "customdata" in trace)
    assert draws["text"][0].startswith(f"{SHARES_OF}“4” 100\u00a0%,<br>y ")


def test_corners_have_name_and_risk() -> None:
    """A letter in the colour of the level, how often the label leads, and the sectors tinted by that."""
    layout = figure_of_shares().layout
    letters = [one for one in layout["annotations"] if "hovertext" in one]
    assert [one["text"] for one in letters] == ["<b>L</b>", "<b>M</b>", "<b>H</b>"]
    assert [one["bgcolor"] for one in letters] == [LIGHT.risk[letter] for letter in "LMH"]
    assert letters[2]["hovertext"] == "z, high risk:<br>leads in 25 of 100<br>plausible truths"
    assert " ".join(one["text"] for one in layout["annotations"]).count("leads in 25 of 100") == 3
    (numbers,) = (trace["text"] for trace in figure_of_shares().traces if trace["mode"] == "text")
    assert sorted(numbers) == [f"{share}\u00a0%" for share in (20, 40, 60, 80) for _ in range(3)]
    assert len({shape["fillcolor"] for shape in layout["shapes"]}) == 1
    sizes = [one["font"]["size"] for one in layout["annotations"]] + [layout["font"]["size"]]
    assert min(sizes) >= 11


@pytest.mark.parametrize("tokens", [LIGHT, DARK], ids=["light", "dark"])
def test_plotly_takes_every_part(tokens: object) -> None:
    """Its own classes accept all that is written; nothing is fetched; a zoom stays while the labels do."""
    figure = simplex_figure(simplex_with("xyz", SHARES), tokens=tokens)  # type: ignore[arg-type]
    made = go.Figure(figure.traces, figure.layout)
    assert made.layout.uirevision == "x y z"
    assert {trace.type for trace in made.data} == {"scatter"}
    assert "http" not in json.dumps([figure.traces, figure.layout])


def test_names_are_no_markup() -> None:
    """Tags, links and templates in a label's name are shown as they are written."""
    hostile = "<a href='https://x.example'>%{x}</a>"
    assert plain(hostile) == "&lt;a href='https://x.example'&gt;%{x}&lt;/a&gt;"
    figure = figure_of_shares((hostile, "b", "c"))
    text = json.dumps([figure.traces, figure.layout])
    assert "<a" not in text
    assert "hovertemplate" not in text


def test_a_point_estimate_is_the_cross_alone() -> None:
    """Where nothing is uncertain there is no mean beside it, and nothing to choose among."""
    figure = simplex_figure(simplex_with("xyz", [[0.5, 0.3, 0.2]]), tokens=LIGHT)
    spoken = [trace["text"][0] for trace in figure.traces if trace["hoverinfo"] == "text"]
    assert [words.startswith("Point estimate:") for words in spoken] == [False, True]
    assert figure.modes == ("zoom", "pan")


def test_each_sector_is_where_its_label_has_the_largest_share() -> None:
    """Points inside a sector have their largest coordinate at its corner; together they fill the triangle."""
    rng = np.random.default_rng(5)
    area = 0.0
    for label, corners in enumerate(ternary.sectors()):
        inside = rng.dirichlet(np.ones(4), 200) @ corners
        system = np.vstack([ternary.CORNERS.T, np.ones(3)])
        share = np.linalg.solve(system, np.vstack([inside.T, np.ones(len(inside))]))
        assert (share.argmax(axis=0) == label).all()
        x, y = corners.T
        area += abs(np.dot(x, np.roll(y, 1)) - np.dot(y, np.roll(x, 1))) / 2
    assert area == pytest.approx(np.sqrt(3) / 4)


def test_gridlines_are_where_a_label_has_the_share_that_they_are_marked_with() -> None:
    """Both ends of a line have it, and the number stands beside the first, outside of the triangle."""
    system = np.linalg.inv(np.vstack([ternary.CORNERS.T, np.ones(3)]))
    ends, ticks = ternary.gridlines(), ternary.ticks()
    for (_, of), tick in zip(ends.groupby("line"), ticks.itertuples(), strict=True):
        share = system @ np.vstack([of[["x", "y"]].T, np.ones(2)])
        np.testing.assert_allclose(share[of["label"].iloc[0]], of["step"])
        assert tick.words == f"{of['step'].iloc[0]:.0%}".replace("%", "\u00a0%")
        beside = system @ [tick.x, tick.y, 1]
        assert beside.min() < 0
        assert np.hypot(tick.x - of["x"].iloc[0], tick.y - of["y"].iloc[0]) < 0.04


FOUR = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1], [0.1, 0.1, 0.1, 0.1], [0.1, 0.1, 0.1, 0.6]]


def test_four_labels_are_a_regular_tetrahedron() -> None:
    """All plausibility on a label is its corner; equal parts are the middle; all edges are equally long."""
    figure = tetrahedron_figure(simplex_with("wxyz", FOUR), tokens=LIGHT)
    at = np.array([dot["at"] for dot in figure.dots])
    np.testing.assert_allclose(at[:4], tetrahedron.CORNERS, atol=1e-4)
    np.testing.assert_allclose(at[4], [0, 0, 0], atol=1e-4)
    np.testing.assert_allclose(np.linalg.norm(at[:4], axis=1), 1, atol=1e-3)
    lengths = [np.linalg.norm(a - b) for i, a in enumerate(at[:4]) for b in at[:i]]
    np.testing.assert_allclose(lengths, np.sqrt(8 / 3), atol=1e-3)
    assert [dot["ring"] for dot in figure.dots] == [False] * 4 + [True, False]
    assert [dot["corner"] for dot in figure.dots] == [0, 1, 2, 3, -1, 3]
    assert figure.dots[5]["says"].count("\n") == 5
    json.dumps([figure.corners, figure.dots, figure.marks])


def test_corners_of_a_tetrahedron_lie_on_its_outline() -> None:
    """As it stands at first: no corner, and so no name, is seen before or behind the inside."""
    around, above = tetrahedron_figure(simplex_with("wxyz", FOUR), tokens=LIGHT).view
    x, y, z = tetrahedron.CORNERS.T
    across, deep = x * np.cos(around) + y * np.sin(around), y * np.cos(around) - x * np.sin(around)
    flat = np.column_stack([across, z * np.cos(above) - deep * np.sin(above)])
    for corner in range(4):
        others = np.delete(flat, corner, axis=0)
        inside = np.linalg.solve(np.vstack([others.T, np.ones(3)]), [*flat[corner], 1])
        assert inside.min() < -0.5


def test_names_of_small_faces_stay_in_their_place() -> None:
    """They begin and end where the face's place does, however long they are."""
    figure = faces_print(simplex_with("wxyz", FOUR), tokens=LIGHT, small=True)
    names = figure.data["names_3"]
    assert names["side"].tolist() == ["left", "right", "center"]
    assert names["x"].tolist()[:2] == list(X_RANGE)


def test_chosen_truths_stand_out_in_a_tetrahedron() -> None:
    """Those that are not chosen are faint; where none is, none is faint."""
    simplex = simplex_with("wxyz", FOUR)
    lit = [
        [dot["lit"] for dot in tetrahedron_figure(simplex, tokens=LIGHT, chosen=chosen).dots]
        for chosen in ((), (0, 4))
    ]
    assert lit == [[True] * 6, [True, False, False, False, True, False]]


def test_a_truth_without_a_place_is_left_out_and_the_others_keep_their_numbers() -> None:
    """Where all four labels have no share at all there is nowhere to stand; what is chosen stays chosen."""
    simplex = simplex_with("wxyz", [[0, 0, 0, 0], *FOUR])
    dots = tetrahedron_figure(simplex, tokens=LIGHT, chosen=(1,)).dots
    assert [dot["lit"] for dot in dots] == [True] + [False] * 5


def test_corners_of_a_tetrahedron_have_name_risk_and_share() -> None:
    """A letter in the colour of its level, the name as it is written, how often it leads, a tint by that."""
    simplex = simplex_with(("w", "x", "y", "<b>"), FOUR)
    figure = tetrahedron_figure(simplex, tokens=LIGHT)
    assert [corner["risk"][1] for corner in figure.corners] == [LIGHT.risk[letter] for letter in "LMHL"]
    assert figure.corners[3]["lines"] == ["<b>"]
    assert [corner["leads"] for corner in figure.corners] == leads_words(simplex)
    order = np.argsort(simplex.leads, kind="stable")
    assert (np.diff([figure.corners[k]["tint"] for k in order]) >= 0).all()
    assert [mark["kind"] for mark in figure.marks] == ["mean", "point"]
    assert figure.marks[1]["says"].startswith("Point estimate:\nw ")


@pytest.mark.parametrize("small", [False, True])
def test_faces_show_three_labels_each(small: bool) -> None:
    """On each, a draw stands by the parts of its labels; what has none of them is left out."""
    figure = faces_print(simplex_with("wxyz", FOUR), tokens=LIGHT, small=small)
    assert len(FACES) == len(figure.spec["concat"]) == 4
    for number, shown in enumerate(FACES):
        names = figure.data[f"names_{number}"]["words"]
        assert [name.split("\n")[0] for name in names] == ["wxyz"[k] for k in shown]
        draws = figure.data[f"draws_{number}"]
        assert len(draws) == len(FOUR) - 1
        np.testing.assert_allclose(draws[["x", "y"]].iloc[:3], ternary.CORNERS)
        np.testing.assert_allclose(draws[["x", "y"]].iloc[3], ternary.CENTRE)
        leads = draws["leads"].iloc[-1]
        assert (leads == "one of these") == (3 in shown)


def test_the_legend_has_the_marks_that_the_picture_has() -> None:
    """No ring where no other label leads, no smaller dots where all is shown, of a point one cross."""
    full, tinted = [[0.5, 0.3, 0.2], [0.2, 0.5, 0.3]], "bluer: leads more often"

    def words(share: list[list[float]]) -> list[str]:
        return [said for _, said in simplex_legend(simplex_with("xyz", share), LIGHT)]

    assert words(full) == ["a plausible truth", "mean", "point estimate", tinted]
    assert words([*full, [0.4, 0.2, 0.2]])[1] == "smaller: more on labels not shown"
    assert "another label leads" not in words([*full, [0.4, 0.2, 0.2]])
    assert words([*full, [0.1, 0.2, 0.2]])[2] == "another label leads"
    assert words(full[:1]) == ["point estimate, taken as the truth", tinted]
    for style, _ in simplex_legend(simplex_with("xyz", full), DARK):
        assert '"' not in style
        assert "<" not in style
