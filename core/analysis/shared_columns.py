"""Columns that the tables of several questions have."""

from __future__ import annotations

from core.analysis.column import FILES, SETTINGS, Column, count, text

CASE_ID = text("case_id", "the case")
RATER = text("rater", "who read")
MODEL = text("model", "the model")
LABEL = text("label", "the label; empty for all labels together")
TASK = text("task", "the task")
N_CASES = count("n_cases", "cases that entered")
N_READINGS = count("n_readings", "readings that entered", "readings")
RELIABILITY = Column(
    "reliability", "γ: how often each reading counts", "readings", "above 0, up to ∞", SETTINGS
)
REASON = text("reason", "why a value is missing or means nothing; empty where it is there")
WHY_NO_INTERVAL = text("why_no_interval", "why there is no interval; empty where there is one")
METHOD = text("method", "recalibration of the model; “as given” without", SETTINGS)
INTERVAL_OF = text(
    "interval_of",
    "what the interval of this row speaks of: these cases or others, read by as many raters or by others",
    SETTINGS,
)
CAUTION = text("caution", "why the interval may hold the truth less often, or why there is none", FILES)
P = Column("p", "p-value of no difference, two-sided", "probability", "0 to 1", "Student's t of the interval")
P_HOLM = Column("p_holm", "the same, corrected for all comparisons", "probability", "0 to 1", "Holm 1979")
N_COMPARISONS = count("n_comparisons", "comparisons that p_holm is corrected for", "comparisons")
N_DRAWS = count("n_draws", "draws that define the value", "draws", SETTINGS)
