"""As what commands write their tables: the option that all of them have."""

from __future__ import annotations

from dataclasses import dataclass

from core.settings import Settings, option, some_of

CSV, LATEX, MARKDOWN, PARQUET = "csv", "latex", "markdown", "parquet"


@dataclass(frozen=True)
class TableChoice(Settings):
    """As what tables are written."""

    tables: tuple[str, ...] = option(
        (CSV,),
        "write the tables as these, separated by commas: csv, always written, with all digits; latex "
        "(booktabs) and markdown, rounded as the errors allow; parquet, with all digits",
        some_of((CSV, LATEX, MARKDOWN, PARQUET)),
        address=None,
        said=None,
    )
