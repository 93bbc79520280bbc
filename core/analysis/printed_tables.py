"""Tables for papers and other programs: LaTeX and Markdown with the digits that count, and Parquet."""

from __future__ import annotations

import math
import re
import textwrap
from collections.abc import Callable, Hashable, Iterable, Iterator
from io import BytesIO
from numbers import Integral, Real

import numpy as np
import pandas as pd

from core.analysis.column import Column, Table
from core.analysis.export import NOTICE
from core.analysis.table_choice import LATEX, MARKDOWN, PARQUET, TableChoice
from core.study.model import FloatArray

ENDINGS = {LATEX: "tex", MARKDOWN: "md", PARQUET: "parquet"}
"""Of the files that lie beside the CSV."""
SIGNIFICANT, OF_ERROR = 3, 2
"""Significant digits of a number without an error, and of an error."""
_NORMAL_95 = 1.959963984540054
_MOST_DECIMALS = 12
_LONGEST = 40
"""Rows of a LaTeX table that stands on one page; a longer one breaks."""
_HEAD_WIDTH = 26
_MISSING = "--"
_LATEX = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "_": r"\_",
    "%": r"\%", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "[": "{[}", "]": "{]}", "*": "{*}",
    "<": "$<$", ">": "$>$", "|": "$|$", '"': "''", "“": "``", "”": "''", "‘": "`", "’": "'", "–": "--",
    "—": "---",
    "…": r"\ldots{}", "·": r"$\cdot$", "→": r"$\rightarrow$", "←": r"$\leftarrow$", "↔": r"$\leftrightarrow$",
    "≈": r"$\approx$", "≠": r"$\ne$", "≥": r"$\ge$", "≤": r"$\le$", "×": r"$\times$", "±": r"$\pm$",
    "−": "$-$", "∞": r"$\infty$", "½": r"$\frac{1}{2}$", "²": "$^2$", "³": "$^3$", "°": r"$^{\circ}$",
    "§": r"\S{}", "\u2060": "", "α": r"$\alpha$", "β": r"$\beta$", "γ": r"$\gamma$", "δ": r"$\delta$",
    "ε": r"$\epsilon$", "θ": r"$\theta$", "κ": r"$\kappa$", "λ": r"$\lambda$", "μ": r"$\mu$", "µ": r"$\mu$",
    "ρ": r"$\rho$", "ϱ": r"$\varrho$", "σ": r"$\sigma$", "τ": r"$\tau$", "φ": r"$\phi$", "χ": r"$\chi$",
    "Δ": r"$\Delta$", "Φ": r"$\Phi$", "Ψ": r"$\Psi$",
}  # fmt: skip
"""What pdflatex takes with its default fonts and no package: quotation marks of OT1, signs of mathematics."""
_MARKS = re.compile(r"([\\`*_\[\]|~$])")
"""What Markdown reads as more than itself."""


def further_files(
    name: str, table: pd.DataFrame, of: Table | None, choice: TableChoice
) -> Iterator[tuple[str, str | bytes]]:
    """Names and contents of the files of a table that lie beside its CSV.

    Parameters
    ----------
    name : str
        Of the files, without an ending.
    table : DataFrame
        Its index is written only where it has a name.
    of : Table or None
        What its columns mean.
    choice : TableChoice
        Which files.
    """
    if table.index.name is not None:
        table = table.reset_index()
    writers: dict[str, Callable[[pd.DataFrame, Table | None], str | bytes]] = {
        LATEX: latex_table,
        MARKDOWN: markdown_table,
        PARQUET: lambda of_all, _: parquet_table(of_all),
    }
    for kind, write in writers.items():
        if kind in choice.tables:
            yield f"{name}.{ENDINGS[kind]}", write(table, of)


def latex_table(table: pd.DataFrame, of: Table | None = None) -> str:
    """Write a table for LaTeX with booktabs; with more than 40 rows as a longtable.

    Notes
    -----
    Numbers are those of `rounded`. Greek letters and signs that are usual here become LaTeX; other letters
    stay as they are (UTF-8).
    """
    found = _declared(table, of)
    is_long = len(table) > _LONGEST
    kind = "longtable" if is_long else "tabular"
    heads = [_latex_head(str(name), column) for name, column in zip(table.columns, found, strict=True)]
    numeric = [pd.api.types.is_numeric_dtype(table[name]) for name in table.columns]
    cells = [
        [(_latex_number(cell) if is_number else _latex(cell)) or _MISSING for cell in column]
        for column, is_number in zip(rounded(table, of), numeric, strict=True)
    ]
    places = "".join("r" if is_number else "l" for is_number in numeric)
    packages = r"\usepackage{booktabs}" + (r" and \usepackage{longtable}" if is_long else "")
    lines = [
        f"% {NOTICE} Needs {packages}.",
        rf"\begin{{{kind}}}{{{places}}}",
        r"\toprule",
        " & ".join(heads) + r" \\",
        r"\midrule",
        *([r"\endhead"] if is_long else []),
        *(" & ".join(row) + r" \\" for row in zip(*cells, strict=True)),
        r"\bottomrule",
        rf"\multicolumn{{{max(len(heads), 1)}}}{{l}}{{\footnotesize {_latex(NOTICE)}}} \\",
        rf"\end{{{kind}}}",
    ]
    return "\n".join(lines) + "\n"


def markdown_table(table: pd.DataFrame, of: Table | None = None) -> str:
    """Write a table as Markdown, its numbers `rounded`."""
    found = _declared(table, of)
    heads = [
        f"{name} ({column.interval_of})" if column is not None and column.interval_of else str(name)
        for name, column in zip(table.columns, found, strict=True)
    ]
    places = ["---:" if pd.api.types.is_numeric_dtype(table[name]) else "---" for name in table.columns]
    rows = [markdown_row(row) for row in zip(*rounded(table, of), strict=True)]
    return "\n".join([markdown_row(heads), f"| {' | '.join(places)} |", *rows, "", NOTICE]) + "\n"


def markdown_row(cells: Iterable[str]) -> str:
    """Write a row of a table; what is no plain word stays what it is."""
    return f"| {' | '.join(_markdown(cell) for cell in cells)} |"


def parquet_table(table: pd.DataFrame) -> bytes:
    """Write a table as Parquet, with all digits; a column of several kinds becomes text."""
    plain = table.copy()
    for name in plain.columns:
        if plain[name].dtype == object and {type(value) for value in plain[name].dropna()} != {str}:
            plain[name] = (
                plain[name].map(lambda value: None if _is_missing(value) else str(value)).astype("string")
            )
    plain.columns = plain.columns.map(str)
    plain.attrs = {}
    written = BytesIO()
    plain.to_parquet(written, index=False)
    return written.getvalue()


def rounded(table: pd.DataFrame, of: Table | None = None) -> list[list[str]]:
    """Texts of the cells, column by column, with the digits that mean anything.

    Notes
    -----
    A number with an error has as many decimals as two significant digits of the error, which a 95 %
    interval gives as its width over 3.92; one without has three significant digits. What is missing is empty.
    """
    found = _declared(table, of)
    errors = {by for one in found if one is not None and len(one.digits_by) == 1 for by in one.digits_by}
    columns = []
    for name, one in zip(table.columns, found, strict=True):
        error = _error(table, one)
        if name in errors:
            error = _floats(table, name)
        values = table[name].tolist()
        numbers = [value for value in values if _is_number(value) and math.isfinite(value)]
        is_whole = error is None and all(float(value).is_integer() for value in numbers)
        columns.append(
            [
                _text(value, None if error is None else float(error[i]), is_whole=is_whole)
                for i, value in enumerate(values)
            ]
        )
    return columns


def _declared(table: pd.DataFrame, of: Table | None) -> list[Column | None]:
    """Declarations of the columns."""
    return [None if of is None else of.find(str(name)) for name in table.columns]


def _error(table: pd.DataFrame, of: Column | None) -> FloatArray | None:
    """Standard error of each value of a column; None where none is told."""
    if of is None or not of.digits_by or not set(of.digits_by) <= set(table.columns):
        return None
    by = [_floats(table, name) for name in of.digits_by]
    return by[0] if len(by) == 1 else (by[1] - by[0]) / (2 * _NORMAL_95)


def _floats(table: pd.DataFrame, name: Hashable) -> FloatArray:
    """Numbers of a column; NaN where there is none."""
    return table[name].to_numpy(float, na_value=np.nan)


def _is_missing(value: object) -> bool:
    return value is None or value is pd.NA or value is pd.NaT or bool(value != value)


def _is_number(value: object) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool | np.bool_)


def _text(value: object, error: float | None, *, is_whole: bool) -> str:
    """Text of a cell."""
    if _is_missing(value):
        return ""
    if not _is_number(value) or isinstance(value, Integral):
        return str(value)
    number = float(value)  # type: ignore[arg-type]
    if math.isinf(number):
        return "∞" if number > 0 else "-∞"
    if is_whole:
        return str(int(number))
    if error is not None and math.isfinite(error) and error > 0:
        return _decimals(number, OF_ERROR - 1 - math.floor(math.log10(error)))
    if number == 0 or not 1e-4 <= abs(number) < 1e6:
        return f"{number:.{SIGNIFICANT}g}"
    return _decimals(number, SIGNIFICANT - 1 - math.floor(math.log10(abs(number))))


def _decimals(number: float, decimals: int) -> str:
    """A number with so many decimals; fewer than none rounds to tens and more."""
    shown = f"{round(number, decimals):.{min(max(decimals, 0), _MOST_DECIMALS)}f}"
    return shown.removeprefix("-") if float(shown) == 0 else shown


def _latex(text: str) -> str:
    return "".join(_LATEX.get(letter, letter) for letter in " ".join(text.split()))


def _latex_number(text: str) -> str:
    """A number, with a minus that is none of words and its exponent as a power of ten."""
    digits, _, exponent = text.partition("e")
    if exponent:
        return rf"${digits} \times 10^{{{int(exponent)}}}$"
    return f"${text}$" if text.startswith("-") and text[1:2].isdigit() else _latex(text)


def _latex_head(name: str, of: Column | None) -> str:
    """Head of a column, and below it what an interval is of."""
    if of is None or not of.interval_of:
        return _latex(name)
    lines = textwrap.wrap(of.interval_of, _HEAD_WIDTH)
    small = r"\\".join(rf"{{\scriptsize {_latex(line)}}}" for line in lines)
    return rf"\shortstack{{{_latex(name)}\\{small}}}"


def _markdown(text: str) -> str:
    words = " ".join(text.split()).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return words if re.fullmatch(r"-{3}:?|-?[\d.]+(e-?\d+)?", words) else _MARKS.sub(r"\\\1", words)
