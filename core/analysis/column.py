"""What a column of an output table is: how `core.analysis.columns` and the questions declare it, once."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import cached_property

FILES = "the study's files"
"""Source of what is taken over, or counted, from them."""
SETTINGS = "the settings of the command"
TEXT, YES_NO, SHARE = "text", "yes or no", "share"
OF_METRIC = "that of the metric"
"""Unit or range of a column whose rows are of several metrics."""
FROM_0_TO_1 = "0 to 1"
OVER_CASES = "standard error over cases"
STANDARD_ERROR = "square root of the sample variance over n"


@dataclass(frozen=True)
class Column:
    """A column of a table.

    Attributes
    ----------
    name : str
        As it is written in the header; ``{…}`` in it stands for any text, such as a model's name.
    meaning : str
        In words.
    unit, range : str
        What a value is counted in, and between what it lies; a closed list of texts in ``range`` too.
    source : str
        The work and equation that it comes from, `FILES`, `SETTINGS`, or how it follows from other columns.
    interval_of : str
        Of an end of an interval or a standard error: what would have to vary for it to vary, such as the
        cases. It is said in the heads of printed tables.
    digits_by : tuple of str
        The column with the standard error, or the two with the ends of the interval, that say how many digits
        of this one mean anything; empty where nothing says so.
    key : str
        What the column is called before the table is written, where that is not its name.
    """

    name: str
    meaning: str
    unit: str = TEXT
    range: str = "any"
    source: str = FILES
    interval_of: str = ""
    digits_by: tuple[str, ...] = ()
    key: str = ""

    @cached_property
    def is_pattern(self) -> bool:
        """Whether it stands for several columns."""
        return "{" in self.name

    def stands_for(self, name: str) -> bool:
        """Whether a column of that name is declared by this."""
        if not self.is_pattern:
            return name == self.name
        parts = re.split(r"\{[^}]*\}", self.name)
        return re.fullmatch("(.+)".join(map(re.escape, parts)), name, re.DOTALL) is not None


@dataclass(frozen=True)
class Over:
    """What would have to vary for an interval to be as wide as it is.

    Attributes
    ----------
    name : str
        In the names of the interval's ends: ``low_over_cases`` of "cases".
    words : str
        The same in full.
    """

    name: str
    words: str

    def ends(self, of: str = "") -> tuple[str, str]:
        """Names of the two ends, of what is named before them, as in ``kappa_low_over_cases``."""
        before = f"{of}_" if of else ""
        return f"{before}low_over_{self.name}", f"{before}high_over_{self.name}"


OTHER_CASES = Over("cases", "other cases")
RESAMPLED_CASES = Over("cases", "resampled cases")
OTHER_READINGS = Over("readings", "other readings")
TRUTHS = Over("truths", "plausible truths, drawn from the aggregation model")
QUANTILES_90 = "quantiles at 5 % and 95 %"


@dataclass(frozen=True)
class Table:
    """A table of a report.

    Attributes
    ----------
    command : str
        That writes it.
    report : str
        Name of the JSON file beside it (`core.analysis.report_files.write_report`); a report and a name
        identify a table.
    name : str
        Of its file, without the ending.
    meaning : str
        What a row is.
    columns : tuple of Column
        All that it may have.
    """

    command: str
    report: str
    name: str
    meaning: str
    columns: tuple[Column, ...] = field(repr=False)

    @cached_property
    def names(self) -> dict[str, str]:
        """Names as they are written, by those before that differ from them."""
        return {of.key: of.name for of in self.columns if of.key}

    def find(self, name: str) -> Column | None:
        """Declaration of a column, by its name before a pattern; None where there is none."""
        found = [of for of in self.columns if of.stands_for(name)]
        return min(found, key=lambda of: of.is_pattern, default=None)


def text(name: str, meaning: str, source: str = FILES, values: str = "") -> Column:
    """A column of words; ``values`` says which there are, where these are few."""
    return Column(name, meaning, TEXT, values or "any", source)


def yes_no(name: str, meaning: str, source: str = FILES) -> Column:
    """A column of truth values."""
    return Column(name, meaning, YES_NO, "True, False", source)


def count(name: str, meaning: str, unit: str = "cases", source: str = FILES) -> Column:
    """A column that counts something."""
    return Column(name, meaning, unit, "0 or more", source)


def share(name: str, meaning: str, source: str, *digits_by: str) -> Column:
    """A column of shares or probabilities."""
    return Column(name, meaning, SHARE, FROM_0_TO_1, source, digits_by=digits_by)


def rank(name: str, meaning: str) -> Column:
    """A column of ranks, 1 for the best."""
    return Column(
        name, meaning, "rank", "1 or more", "order of the values; equals share the best of their ranks"
    )


def value(name: str, meaning: str, source: str, *digits_by: str) -> Column:
    """A column with values of the metric that the row names."""
    return Column(name, meaning, OF_METRIC, OF_METRIC, source, digits_by=digits_by)


def error(
    name: str = "standard_error", of: str = "value", over: str = "cases", unit: str = OF_METRIC
) -> Column:
    """A column of standard errors of another one, with what they are over."""
    return Column(
        name, f"standard error of {of}", unit, "0 or more", STANDARD_ERROR, f"standard error over {over}"
    )


def ends(
    of: str,
    over: Over,
    like: Column,
    source: str,
    *,
    level: str = "95 % interval",
    key: str = "",
) -> tuple[Column, Column]:
    """The two ends of an interval of a column: their names and what they mean.

    Parameters
    ----------
    of : str
        What the interval is about, in words.
    over : Over
        What it is an interval of.
    like : Column
        The column that it is about.
    source : str
        As of a `Column`.
    level : str
        How much the interval holds.
    key : str
        What stands before ``low`` and ``high`` where the interval is one of several.
    """
    interval, names = f"{level} over {over.words}", over.ends(key)
    low, high = (
        replace(
            like,
            name=name,
            meaning=f"{end} end about {of}: {interval}",
            source=source,
            interval_of=interval,
            digits_by=names,
            key=f"{key}_{short}" if key else short,
        )
        for name, end, short in zip(names, ("lower", "upper"), ("low", "high"), strict=True)
    )
    return low, high


def bin_edges(
    of: str = "the bin",
    unit: str = SHARE,
    between: str = FROM_0_TO_1,
    *,
    keys: tuple[str, str] = ("low", "high"),
) -> tuple[Column, Column]:
    """The two edges of a bin, which are no interval; ``keys`` are their names before the table is written."""
    low, high = (
        Column(f"bin_{name}", f"{end} edge of {of}", unit, between, SETTINGS, key=key)
        for name, end, key in zip(("from", "to"), ("lower", "upper"), keys, strict=True)
    )
    return low, high
