"""What a study says of itself, in sentences that the items of reporting guidelines ask for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from core.analysis.evaluate import Evaluation
from core.analysis.formatting import in_sentence, percent
from core.analysis.models.comparison import comparison
from core.analysis.models.rank_change import rank_change
from core.analysis.overview import personal_columns, rater_workload
from core.analysis.raters.coefficients import coefficient_table
from core.analysis.raters.panel import Panel
from core.analysis.raters.panel import panel as panel_of
from core.analysis.raters.profiles import profile_table
from core.metrics.agreement.chance_names import AC1, ALPHA, ALPHA_INTERVAL, FLEISS, OBSERVED
from core.metrics.share_intervals import share_interval
from core.plausibility.settings import Aggregation
from core.study.model import RISK_NAMES, FloatArray, Study, Task
from core.study.reading.case_table import NO_METADATA
from core.study.references import reference_codes

MOST_NAMED = 12
"""Names in a sentence; of more the first are told."""
_COEFFICIENTS = (OBSERVED, FLEISS, ALPHA, ALPHA_INTERVAL, AC1)
_METRICS = ("AUROC", "accuracy")
"""Hard metrics that are told, each beside its soft counterpart."""
_KINDS = {
    "choice": "one label a reading",
    "ranking": "a differential a reading, labels in order, ties allowed",
    "score": "a number a reading",
}
_BY = {"choice": "", "ranking": ", by first labels", "score": ", by the sides of the threshold"}
"""What agreement is about."""


@dataclass(frozen=True, eq=False)
class Facts:
    """A task of a study, with what was measured of it.

    Attributes
    ----------
    study, task : Study, Task
    aggregation : Aggregation
        How readings become a truth; None where no case was read.
    evaluation : Evaluation
        Of the readings; None where no case was read.
    """

    study: Study
    task: Task
    aggregation: Aggregation | None
    evaluation: Evaluation | None

    @cached_property
    def panel(self) -> Panel:
        """All raters and cases."""
        return panel_of(self.study, self.task)

    @cached_property
    def n_read(self) -> int:
        """Cases with a reading."""
        return int((self.task.readings.per_case > 0).sum())

    @property
    def readings(self) -> str:
        """How many cases were read how often."""
        per_case = self.task.readings.per_case
        read = per_case[per_case > 0]
        often = f"{read.min():g} to {read.max():g} (median {np.median(read):g})"
        if read.min() == read.max():
            often = f"{read.min():g}"
        single = int((read == 1).sum())
        return (
            f"{counted(self.task.readings.n_readings, 'reading')} of {counted(self.n_read, 'case')}, "
            f"{often} a case; {counted(single, 'case')} read once only"
        )

    @property
    def kind(self) -> str:
        """What a reading is, and of which task."""
        confident = ~np.isnan(self.task.readings.confidence)
        stated = f"a confidence is stated with {percent(float(confident.mean()))} of them"
        several = len(self.study.tasks)
        parts = [
            _KINDS[self.task.kind],
            stated if confident.any() else "no confidence is stated",
            *([f"labels to choose from: {len(self.task.labels):,}"] if self.task.kind != "score" else []),
            *([f"task {self.task.name}, one of {several}"] if several > 1 else []),
        ]
        return "; ".join(parts)

    @property
    def raters(self) -> str:
        """How many raters, and how much each read; empty where raters are not the same in every case."""
        load = rater_workload(self.study, self.task)
        if load.empty:
            return ""
        low, high = int(load["cases"].min()), int(load["cases"].max())
        each = f"{low:,}" if low == high else f"{low:,} to {high:,}"
        return f"{counted(len(load), 'rater')}, who read {each} {'case' if high == 1 else 'cases'} each"

    @property
    def references(self) -> str:
        """How many cases have a reference; empty where none has."""
        known = int((reference_codes(self.study, self.task) >= 0).sum())
        return (
            f"{known:,} of {counted(self.study.n_cases, 'case')} have a reference beside their readings"
            * (known > 0)
        )

    @property
    def certainty(self) -> str:
        """How certain the leading label is; empty where no case was read."""
        if self.evaluation is None:
            return ""
        certainty = self.evaluation.tables["cases"]["certainty"].dropna()
        return (
            f"the leading label is certain to {percent(float(certainty.mean()))} on average; in "
            f"{counted(int((certainty < 0.5).sum()), 'case')} to less than 50 %"
        )

    @cached_property
    def agreement(self) -> tuple[str, str]:
        """Coefficients of agreement with 95 % intervals over cases, and why there is none."""
        table = coefficient_table(self.panel, n_boot=0)
        table = table[table["coefficient"].isin(_COEFFICIENTS) & ~table["coefficient"].duplicated()]
        known = table[table["value"].notna()]
        if known.empty:
            return "", str(table["undefined"].iloc[0]) or "no two raters read the same case"
        rows = zip(known["coefficient"], known["value"], known["error_low"], known["error_high"], strict=True)
        n_cases = counted(int(known["n_cases"].iloc[0]), "case")
        told = ", ".join(f"{name} {_with_interval(*of)}" for name, *of in rows)
        return f"between raters, over {n_cases} with two readings or more{_BY[self.task.kind]}: {told}", ""

    @property
    def self_agreement(self) -> str:
        """How far raters agree with themselves; empty where nobody read a case twice."""
        repeats = self.panel.all_readings.n_readings - self.panel.readings.n_readings
        if repeats == 0 or not self.panel.identified:
            return ""
        table = profile_table(self.panel)[["repeats", "self_agreement"]].dropna()
        same = float((table["repeats"] * table["self_agreement"]).sum() / table["repeats"].sum())
        return (
            f"within raters: {percent(same)} of {counted(repeats, 'repeated reading')} say the same label as "
            f"the first of that rater"
        )

    @cached_property
    def metrics(self) -> tuple[pd.DataFrame, str]:
        """Hard and soft values of every model, and why there are none."""
        if self.task.reader_predictions:
            return (
                pd.DataFrame(),
                "predictions are of readers, whom `loupe mrmc` judges; of models there are none",
            )
        if not self.task.predictions:
            return pd.DataFrame(), "predictions of no model are given"
        if self.aggregation is None:
            return pd.DataFrame(), "no case of this task was read"
        try:
            return rank_change(self.study, self.task, aggregation=self.aggregation), ""
        except ValueError as reason:
            return pd.DataFrame(), str(reason)

    @property
    def has_intervals(self) -> bool:
        """Whether any of the values of the models has an error over cases."""
        table, _ = self.metrics
        return bool(len(table)) and bool(table[["hard_error", "soft_error"]].notna().any(axis=None))

    @property
    def performance(self) -> str:
        """Values of the models with 95 % intervals; empty where there is nothing to judge."""
        table, _ = self.metrics
        told = []
        for row in table[table["metric"].isin(_METRICS)].to_dict("records") if len(table) else ():
            values = [
                f"{name} {_of_cases(float(row[value]), float(row[error]), int(row['n_cases']))}"
                for name, value, error in (
                    (row["metric"], "hard", "hard_error"),
                    (row["counterpart"], "soft", "soft_error"),
                )
                if not np.isnan(row[value])
            ]
            if values:
                told.append(f"{row['model']}: {', '.join(values)}")
        label = comparison(self.study, self.task).label if told else ""
        return f"AUROC of {in_sentence(label)}; {'; '.join(told)}" if told else ""

    @property
    def models(self) -> str:
        """Names of the models."""
        return listed(list(self.task.predictions))

    @property
    def risk(self) -> str:
        """How many labels have which risk level, and how many cases are led by which."""
        if not self.task.has_risk:
            return "no risk levels of labels are given"
        levels = _counts({RISK_NAMES[k]: int((self.task.risk == k).sum()) for k in range(len(RISK_NAMES))})
        said = f"risk levels of labels: {levels}"
        if self.evaluation is not None and "risk" in self.evaluation.tables["cases"]:
            led = self.evaluation.tables["cases"]["risk"].value_counts()
            told = _counts({str(level): led[level] for level in led.index if level})
            said += f"; cases by the risk of their leading label: {told}"
        return said

    @property
    def leading(self) -> str:
        """Cases by their leading label, most first; empty where no case was read."""
        if self.evaluation is None:
            return ""
        led = self.evaluation.tables["cases"]["leading"].replace("", np.nan).dropna().value_counts()
        told = _counts({in_sentence(str(label)): led[label] for label in led.index[:MOST_NAMED]})
        more = f" and {len(led) - MOST_NAMED} more" if len(led) > MOST_NAMED else ""
        return f"cases by their leading label: {told}{more}"

    @property
    def metadata(self) -> list[str]:
        """Columns that describe the cases."""
        return [str(column) for column in self.study.cases if column not in NO_METADATA]

    @property
    def groups(self) -> list[str]:
        """Columns that can part the cases into groups: no names of persons, and no column of one value."""
        personal = personal_columns(self.study)
        return [
            column
            for column in self.metadata
            if column not in personal and len(self.study.cases[column].dropna().unique()) > 1
        ]

    @property
    def failures(self) -> str:
        """In how many cases a model is as likely wrong as right; empty where there is nothing to judge."""
        if self.evaluation is None or "model_error" not in self.evaluation.tables["cases"]:
            return ""
        error = self.evaluation.tables["cases"]["model_error"].dropna()
        wrong = counted(int((error >= 0.5).sum()), "case")
        return f"in {wrong} of {len(error):,} a model is as likely wrong as right, or more" * bool(len(error))


def counted(number: int, one: str) -> str:
    """Write a number with its noun: 1 case, 1,947 cases."""
    return f"{number:,} {one}{'s' * (number != 1)}"


def listed(names: list[str]) -> str:
    """Names in a sentence, the first `MOST_NAMED`."""
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return ", ".join(names[:MOST_NAMED]) + more


def _counts(number: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {of:,}" for name, of in number.items())


def _with_interval(value: float, low: float, high: float) -> str:
    """A value with its 95 % interval, where there is one."""
    return f"{value:.2f}" + ("" if np.isnan(low) else f" ({low:.2f} to {high:.2f})")


def _of_cases(value: float, error: float, n_cases: int) -> str:
    """A share of cases with the 95 % interval that its standard error over them gives."""
    low: FloatArray
    low, high = share_interval(value, error, n_cases, n_cases - 1)
    return _with_interval(value, float(low), float(high))
