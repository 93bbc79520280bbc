"""What is kept between runs, and by what."""

from __future__ import annotations

import importlib
import math
import threading
import time
from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest
from streamlit.runtime.caching.cache_errors import UnhashableParamError

from core.analysis.cases.what_if import WhatIf
from core.analysis.cases.worklist import worklist
from core.analysis.models.settings import ComparisonSettings
from core.analysis.raters.panel import panel
from core.cli import sample_folder
from core.plausibility.aggregate import aggregate
from core.plausibility.settings import RELIABILITIES, Aggregation
from core.progress import Progress
from core.study.model import Study
from core.study.reading.folder import read_study
from dashboard.shell import cache, studies, theme
from dashboard.shell.jobs import Job, Stopped
from dashboard.shell.steps import Steps


def test_steps_equal_the_analysis() -> None:
    """A kept step is the worklist that the analysis gives, computed ahead or not."""
    study = read_study(studies.samples()[0].folder)
    task = next(iter(study.tasks.values()))
    steps = Steps(study, task, Aggregation("prirn"))
    assert not steps.ready(3.0)
    steps.compute_ahead(3.0)
    expected = worklist(study, task, aggregate(study, task, Aggregation("prirn", 3.0)))
    pd.testing.assert_frame_equal(steps.at(3.0), expected)
    end = time.monotonic() + 60
    while time.monotonic() < end and not all(steps.ready(float(g)) for g in RELIABILITIES):
        time.sleep(0.05)
    assert steps.ready(math.inf)


def test_a_failed_step_can_be_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """A failure is not kept."""
    study = read_study(studies.samples()[0].folder)
    task = next(iter(study.tasks.values()))
    steps = Steps(study, task, Aggregation("irn"))
    with monkeypatch.context() as broken:
        broken.setattr("dashboard.shell.steps.worklist_of", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            steps.at(math.inf)
    assert len(steps.at(math.inf)) == study.n_cases


def _wait(job: Job) -> None:
    end = time.monotonic() + 10
    while job.running and time.monotonic() < end:
        time.sleep(0.01)


def test_job_ends_with_its_result() -> None:
    """Work runs aside and leaves its result."""
    table = pd.DataFrame({"a": [1]})
    job = Job(lambda progress: (progress(0.5, "half"), table)[1])
    job.start()
    _wait(job)
    assert job.result is table
    assert job.share == 0.5


def test_job_can_be_stopped_and_started_again() -> None:
    """Stopping leaves no result; starting again does the work."""
    patience = 1000

    def work(progress: Progress) -> pd.DataFrame:
        for _ in range(patience):
            progress(0.1, "at work")
            time.sleep(0.005)
        return pd.DataFrame()

    job = Job(work)
    job.start()
    job.stop()
    _wait(job)
    assert job.result is None
    assert job.failure == "stopped"
    patience = 1
    job.start()
    _wait(job)
    assert job.result is not None


def test_job_says_why_it_failed() -> None:
    """A failure is kept as words."""
    job = Job(lambda progress: (_ for _ in ()).throw(ValueError("no case has two readings")))
    job.start()
    _wait(job)
    assert job.failure == "no case has two readings"
    assert not issubclass(Stopped, ValueError)


def counted() -> tuple[list[tuple[object, ...]], Callable[..., int]]:
    """What a kept function was asked to compute, and the function."""
    asked: list[tuple[object, ...]] = []

    @cache.cached()
    def number(*given: object) -> int:
        asked.append(given)
        return len(asked)

    number.clear()  # type: ignore[attr-defined]  # for Streamlit it is the function of the test before
    return asked, number


@pytest.fixture(scope="module")
def study() -> Study:
    """The toy sample."""
    return read_study(sample_folder("toy_three_labels"))


def test_the_same_arguments_are_computed_once(study: Study) -> None:
    """Things of one content are one; a study read anew is the same, and its task is another object."""
    asked, number = counted()
    (task,) = study.tasks.values()
    again = read_study(sample_folder("toy_three_labels"))
    for of in (study, again):
        number(of, Aggregation("label-counts", 2.0), WhatIf(frozenset({1, 2})), np.arange(3), "a", None)
    assert len(asked) == 1
    number(study, task)
    number(again, task)
    assert len(asked) == 2
    number(again, next(iter(again.tasks.values())))
    assert len(asked) == 3


LARGE = np.zeros(2_000_000)
LARGER = LARGE.copy()
LARGER[1_234_567] = 1.0
TABLE = pd.DataFrame({"a": [1.0]})


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (Aggregation("label-counts", 2.0), Aggregation("label-counts", 2.5)),
        (Aggregation("label-counts", 2.0), Aggregation("label-counts", 2.0, tie_rule="first label")),
        (LARGE, LARGER),
        (np.zeros(4), np.zeros((2, 2))),
        (np.zeros(4), np.zeros(4, np.float32)),
        (TABLE, TABLE.copy()),
        (WhatIf(frozenset({1})), WhatIf(frozenset({2}))),
        (ComparisonSettings("a"), ComparisonSettings("a", "own")),
        (theme.LIGHT, theme.DARK),
        (0.0, math.inf),
        (("a", "b"), ("ab",)),
        (None, False),
    ],
    ids=lambda value: type(value).__name__,
)
def test_other_arguments_are_computed_anew(one: object, other: object) -> None:
    """One value of a large array, another tie rule, another table: all of it counts."""
    asked, number = counted()
    results = [number(given) for given in (one, other, one, other)]
    assert results == [1, 2, 1, 2]
    assert len(asked) == 2


def test_raters_and_cases_of_a_panel_count(study: Study) -> None:
    """The same raters picked twice are one panel; others, or other cases, are another."""
    asked, number = counted()
    (task,) = study.tasks.values()
    ids = study.rater_ids
    for _ in range(2):
        number(panel(study, task))
        number(panel(study, task, raters=ids[:2]))
        number(panel(study, task, raters=ids[:2], cases=np.arange(5)))
    assert len(asked) == 3


def test_what_cannot_be_part_of_a_key_is_refused() -> None:
    """No argument is left out in silence: not by its name, and not for want of a value."""
    with pytest.raises(TypeError, match="no part of the key"):
        cache.cached()(lambda _table: 1)
    with pytest.raises(TypeError, match="no part of the key"):
        cache.background(lambda progress, _table: 1)
    _, number = counted()
    with pytest.raises(UnhashableParamError):
        number(threading.Lock())


def test_the_same_arguments_give_the_same_work(study: Study) -> None:
    """Jobs are told apart by all of their arguments, and by the function that does the work."""

    @cache.background
    def one(progress: Progress, of: Study, n: int) -> int:
        progress(0.5, "half")
        return n

    @cache.background
    def other(progress: Progress, of: Study, n: int) -> int:
        return -n

    jobs = [work(study, n) for work in (one, other) for n in (1, 2)]
    assert len({id(job) for job in jobs}) == 4
    assert [work(study, n) for work in (one, other) for n in (1, 2)] == jobs
    for job in jobs:
        job.start()
        _wait(job)
    assert [job.result for job in jobs] == [1, 2, -1, -2]
    cache.forget_work()
    assert one(study, 1) is not jobs[0]


def test_an_identity_belongs_to_one_object() -> None:
    """Not even to a later one in the same place of the memory."""
    seen = {cache.identity(pd.DataFrame({"a": [i]})) for i in range(50)}
    assert len(seen) == 50


@pytest.mark.parametrize("name", [name for name in cache._KEYS if isinstance(name, str)])
def test_what_is_named_in_keys_is_there(name: str) -> None:
    """A class that moves or is renamed takes its key along: else a copy of all of it would be the key."""
    module, _, known = name.rpartition(".")
    of = getattr(importlib.import_module(module), known)
    assert (of.__module__, of.__qualname__) == (module, known)
