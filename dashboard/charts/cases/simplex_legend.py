"""The marks of a simplex as a legend: each drawn as the picture draws it, with a word or two."""

from __future__ import annotations

from core.analysis.cases.simplex import ELSEWHERE, Simplex
from dashboard.charts.cases.simplex_print import FULL_DOT, FULL_TINT, LEAST_DOT, LEAST_TINT
from dashboard.charts.live import pale
from dashboard.shell.theme import Tokens


def simplex_legend(simplex: Simplex, tokens: Tokens, *, all_marks: bool = True) -> list[tuple[str, str]]:
    """Marks that the picture has, each as a style (CSS) with its words.

    Without ``all_marks`` those that its caption does not explain.
    """
    point = _cross(tokens.hard), "point estimate"
    truth = pale(tokens.soft, 0.7)
    if len(simplex.share) == 1:
        marks = [(point[0], "point estimate, taken as the truth")]
    else:
        marks = [(_dot(FULL_DOT, truth), "a plausible truth")] * all_marks
        if all_marks and simplex.share.sum(axis=1).min() < 1 - 1e-6:
            marks.append((_dot(LEAST_DOT, truth), "smaller: more on labels not shown"))
        if (simplex.leader == ELSEWHERE).any():
            marks.append((_ring(6, tokens.other, 1.2), "another label leads"))
        mean = _dot(12, tokens.soft)
        if len(simplex.labels) > 3:
            mean += f";box-shadow:0 0 0 2px {tokens.page},0 0 0 3.2px {tokens.text};margin-inline:4px"
        said = "mean"
        if simplex.before is not None:
            said = "mean after the change"
            mean = mean if len(simplex.labels) > 3 else _diamond(10, tokens.text)
        marks += [(mean, said)] * (all_marks or simplex.before is not None) + [point] * all_marks
    if simplex.before is not None:
        marks.append((_ring(9, tokens.soft, 2), "before the change"))
    return [*marks, *[(_fields(tokens), "bluer: leads more often")] * all_marks]


def _dot(across: float, colour: str) -> str:
    return f"width:{across:g}px;height:{across:g}px;border-radius:50%;background:{colour}"


def _diamond(across: float, colour: str) -> str:
    return f"width:{across:g}px;height:{across:g}px;rotate:45deg;scale:.85;background:{colour}"


def _ring(across: float, colour: str, width: float) -> str:
    return f"{_dot(across, 'transparent')};border:{width:g}px solid {colour}"


def _cross(colour: str) -> str:
    lines = [
        f"linear-gradient({angle}deg,transparent 41%,{colour} 41% 59%,transparent 59%)" for angle in (45, -45)
    ]
    return f"width:10px;height:10px;background:{','.join(lines)}"


def _fields(tokens: Tokens) -> str:
    """A field that is tinted little beside one that is tinted fully."""
    tints = [pale(tokens.soft, tint) for tint in (LEAST_TINT, FULL_TINT)]
    return (
        f"width:14px;height:11px;border:0.8px solid {tokens.other};"
        f"background:linear-gradient(90deg,{tints[0]} 50%,{tints[1]} 50%)"
    )
