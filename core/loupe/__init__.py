"""Loupe for notebooks: judge medical AI when experts disagree about the truth.

A `Study` is read from a folder (`read_study`) or made of pandas frames (`Study.from_frames`). A task of it is
aggregated into a `Posterior`, a distribution over what the truth of each case could be. Metrics average over
it (`adjusted_accuracy`), or weigh cases by the share of raters who see a finding (`soft_auroc`). `evaluate`,
`compare_models`, `disagreement`, `raters` and `plan` answer as the commands do; `krippendorff_alpha` and its
like take plain matrices of ratings. Research use, not for diagnosis.

The build places this folder under the name ``loupe``; in a checkout it is ``core.loupe``.
"""

from core.public import *
from core.public import __all__ as __all__
from core.public import __version__ as __version__
