"""What a notebook needs, under one name: ``import loupe``.

A `Study` is read from a folder (`read_study`) or made of pandas frames (`Study.from_frames`); a `Task` of it
is aggregated into a `Posterior`. An installed Loupe has all this as ``loupe``; in a checkout that is not
installed, ``import core.loupe as loupe`` does the same.
"""

from __future__ import annotations

from core import __version__
from core.plausibility.aggregate import Aggregation
from core.public.posterior import Posterior
from core.public.study import Study, Task, read_study
from core.study.problems import Problem, StudyError

__all__ = [
    "Aggregation",
    "Posterior",
    "Problem",
    "Study",
    "StudyError",
    "Task",
    "__version__",
    "read_study",
]
