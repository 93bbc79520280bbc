"""What a notebook needs: ``import loupe`` offers all of it.

A `Study` is read from a folder (`read_study`) or made of pandas frames (`Study.from_frames`); a `Task` of it
is aggregated into a `Posterior`. An installed Loupe has all this as ``loupe``; in a checkout that is not
installed, ``import core.loupe as loupe`` does the same.
"""

from __future__ import annotations

from core import __version__
from core.analysis.disagreement.conformal_report import ConformalReport
from core.analysis.disagreement.conformal_settings import ConformalSettings
from core.analysis.disagreement.report import DisagreementReport
from core.analysis.disagreement.settings import DisagreementSettings
from core.analysis.evaluate import Evaluation
from core.analysis.guarded_text import unguarded
from core.analysis.models.report import ModelComparison
from core.analysis.models.settings import ComparisonSettings
from core.analysis.planning.report import PlanReport
from core.analysis.planning.settings import PlanSettings
from core.analysis.raters.report import RaterReport
from core.analysis.raters.settings import RaterSettings
from core.metrics.correspondence.correspondence import case_correspondence, correspondence
from core.metrics.estimate import Estimate
from core.metrics.fineness.difficulty import dependent_fineness
from core.metrics.fineness.raters_needed import raters_needed
from core.metrics.fineness.weighted import weighted_fineness
from core.plausibility.settings import Aggregation
from core.public.agreement import (
    agreement,
    cohen_kappa,
    fleiss_kappa,
    gwet_ac1,
    gwet_ac2,
    krippendorff_alpha,
    observed_agreement,
)
from core.public.metrics import (
    adjusted_accuracy,
    adjusted_metrics,
    soft_auroc,
    soft_average_precision,
    soft_brier_score,
    soft_log_loss,
)
from core.public.models import (
    compare_models,
    conformal,
    disagreement,
    evaluate,
    plan,
    rank_change,
    raters,
)
from core.public.posterior import Posterior
from core.public.study import Study, Task, read_study
from core.study.problems import Problem, StudyError, problem_table

__all__ = [
    "Aggregation",
    "ComparisonSettings",
    "ConformalReport",
    "ConformalSettings",
    "DisagreementReport",
    "DisagreementSettings",
    "Estimate",
    "Evaluation",
    "ModelComparison",
    "PlanReport",
    "PlanSettings",
    "Posterior",
    "Problem",
    "RaterReport",
    "RaterSettings",
    "Study",
    "StudyError",
    "Task",
    "__version__",
    "adjusted_accuracy",
    "adjusted_metrics",
    "agreement",
    "case_correspondence",
    "cohen_kappa",
    "compare_models",
    "conformal",
    "correspondence",
    "dependent_fineness",
    "disagreement",
    "evaluate",
    "fleiss_kappa",
    "gwet_ac1",
    "gwet_ac2",
    "krippendorff_alpha",
    "observed_agreement",
    "plan",
    "problem_table",
    "rank_change",
    "raters",
    "raters_needed",
    "read_study",
    "soft_auroc",
    "soft_average_precision",
    "soft_brier_score",
    "soft_log_loss",
    "unguarded",
    "weighted_fineness",
]
