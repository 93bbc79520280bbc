"""What is kept between runs."""

from __future__ import annotations

import math
import time

import pandas as pd
import pytest

from core.analysis.cases.worklist import worklist
from core.plausibility.aggregate import aggregate
from core.plausibility.settings import RELIABILITIES, Aggregation
from core.study.reading.folder import read_study
from dashboard.shell import studies
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
    job, table = Job(), pd.DataFrame({"a": [1]})
    job.start(lambda progress: (progress(0.5, "half"), table)[1])
    _wait(job)
    assert job.result is table
    assert job.share == 0.5


def test_job_can_be_stopped_and_started_again() -> None:
    """Stopping leaves no result; starting again does the work."""

    def work(progress: object) -> pd.DataFrame:
        for _ in range(1000):
            progress(0.1, "at work")  # type: ignore[operator]
            time.sleep(0.005)
        return pd.DataFrame()

    job = Job()
    job.start(work)
    job.stop()
    _wait(job)
    assert job.result is None
    assert job.failure == "stopped"
    job.start(lambda progress: pd.DataFrame({"a": [1]}))
    _wait(job)
    assert job.result is not None


def test_job_says_why_it_failed() -> None:
    """A failure is kept as words."""
    job = Job()
    job.start(lambda progress: (_ for _ in ()).throw(ValueError("no case has two readings")))
    _wait(job)
    assert job.failure == "no case has two readings"
    assert not issubclass(Stopped, ValueError)
