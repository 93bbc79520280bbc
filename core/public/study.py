"""A study, its tasks, and what their readings leave open about the truth, for notebooks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Self

import numpy as np
import pandas as pd

from core.analysis.models.comparison import plausibilities
from core.analysis.models.score_models import require_probabilities
from core.plausibility.aggregate import aggregate
from core.plausibility.dawid_skene import fit_dawid_skene
from core.plausibility.settings import MODELS, Aggregation, models_for
from core.public.names import Named, one_of
from core.public.posterior import Posterior
from core.study import model
from core.study.reading import folder, frames


@dataclass(frozen=True, eq=False, repr=False)
class Task(model.Task):
    """One question that was put to the raters for every case.

    Attributes
    ----------
    name : str
        Unique within the study.
    kind : {"choice", "ranking", "score"}
        One label, a differential diagnosis, or a number.
    labels : tuple of str
        In the study's label order.
    readings : Readings
        What the raters said.
    predictions : mapping of str to Predictions
        By model.
    study : Study
        That the task belongs to.
    """

    study: model.Study = field(kw_only=True)

    def aggregate(
        self, model: str | Aggregation | None = None, *, reliability: float | None = None
    ) -> Posterior:
        """Aggregate the readings into a distribution over plausibilities for every case.

        Parameters
        ----------
        model : str or Aggregation, optional
            Name of an aggregation model (`aggregation_models` lists those that suit); or one with its
            options, as in ``Aggregation("plackett-luce", 3, draws=4000)``. The recommended one by default.
        reliability : float, optional
            γ > 0, how far the raters are trusted: how often each reading counts, under PrIRN the weight of
            all readings of a case together; ``float("inf")`` is the point estimate. That of ``model`` where
            it is an `Aggregation`, which is ∞ unless it says another; else the model's own default.

        Returns
        -------
        Posterior

        Raises
        ------
        ValueError
            For a model that does not exist or does not suit the kind of task, or a reliability out of range.
        """
        aggregation = self.aggregation(model, reliability)
        posterior = aggregate(self.study, self, aggregation)
        return Posterior(posterior, aggregation, self.study.case_ids, self.labels)

    def aggregation(
        self, model: str | Aggregation | None = None, reliability: float | None = None
    ) -> Aggregation:
        """Return the settings that `aggregate` uses; parameters and errors are its own."""
        if not isinstance(model, Aggregation):
            suited = self.aggregation_models
            name = suited[0] if model is None else one_of(model, suited, f"model for a {self.kind} task")
            model = Aggregation(name, MODELS[name].default_reliability)
        return model if reliability is None else model.at(reliability)

    def vote_shares(self) -> pd.DataFrame:
        """Share of the readings' votes for each label: soft labels.

        Returns
        -------
        DataFrame of float64 with shape (n_cases, n_labels)
            Case ids × labels, in [0, 1]; rows sum to 1, NaN for a case without a vote.

        Notes
        -----
        A choice votes for its label; a differential divides its vote among the labels that it puts first; a
        score votes for its side of the threshold.
        """
        shares = plausibilities(self, np.arange(self.readings.n_cases))
        shares[shares.sum(axis=1) == 0] = np.nan
        return pd.DataFrame(shares, self._index, pd.Index(self.labels, name="label"))

    def probabilities(self, model: str) -> pd.DataFrame:
        """What a model predicts.

        Parameters
        ----------
        model : str
            One of ``predictions``, which gives probabilities.

        Returns
        -------
        DataFrame of float with shape (n_cases, n_labels)
            Case ids × labels; NaN for a case that the model did not predict.

        Raises
        ------
        ValueError
            If there is no such model, or it gives scores.
        """
        given = self.predictions[one_of(model, list(self.predictions), "model")]
        require_probabilities(self, model, "A frame of probabilities")
        return pd.DataFrame(given.probability, self._index, pd.Index(self.labels, name="label"))

    def confusion(self, rater: str, *, error_prior: float = 1.0) -> pd.DataFrame:
        """What a rater tends to say for each truth, as Dawid–Skene has it.

        Parameters
        ----------
        rater : str
            One of the study's raters.
        error_prior : float
            As `Aggregation` has it: 0 for maximum likelihood.

        Returns
        -------
        DataFrame of float64 with shape (n_labels, n_labels)
            P(the rater says the column | the truth is the row); rows sum to 1.

        Raises
        ------
        ValueError
            If there is no such rater, the task is no choice, or the prior is out of range.

        Notes
        -----
        Dawid and Skene 1979, fitted by expectation maximisation; see `core.plausibility.dawid_skene`.
        """
        raters = self.study.rater_ids
        code = raters.index(one_of(rater, raters, "rater"))
        prior = Aggregation("dawid-skene", error_prior=error_prior).error_prior
        if self.kind != "choice":
            raise ValueError(f"confusion needs a choice task, got a {self.kind} task")
        fitted = fit_dawid_skene(self.readings, len(self.labels), len(raters), diagonal=prior, total=prior)
        truth, said = (pd.Index(self.labels, name=name) for name in ("truth", "said"))
        return pd.DataFrame(fitted.confusion(code), truth, said)

    @property
    def _index(self) -> pd.Index:
        return pd.Index(self.study.case_ids, name="case_id")

    @property
    def aggregation_models(self) -> tuple[str, ...]:
        """Names of the aggregation models that suit the task, the recommended one first."""
        return tuple(models_for(self))


@dataclass(frozen=True, eq=False, repr=False)
class Study(model.Study):
    """Everything that was observed: `read_study` and `Study.from_frames` make one.

    Attributes
    ----------
    name : str
        As written in ``study.toml``.
    case_ids, rater_ids : tuple of str
        Cases in the order of the case table, else of first appearance; raters in natural order.
    tasks : mapping of str to Task
        At least one.
    cases : DataFrame with n_cases rows
        Metadata, indexed by case id.
    seed : int
        From which every random number derives.
    notes : tuple of Problem
        What was read, but deserves a look.
    """

    tasks: Mapping[str, Task]

    @classmethod
    def from_frames(  # noqa: PLR0913 - the tables of a study, by name
        cls,
        annotations: pd.DataFrame,
        *,
        predictions: frames.GivenPredictions | None = None,
        labels: pd.DataFrame | None = None,
        cases: pd.DataFrame | None = None,
        features: pd.DataFrame | None = None,
        references: pd.DataFrame | None = None,
        tasks: Mapping[str, Mapping[str, object]] | None = None,
        name: str = "study",
        seed: int = 0,
        reference_standard: str = "",
    ) -> Self:
        """Make a study of pandas frames with the columns of a study's files.

        Parameters
        ----------
        annotations : DataFrame
            One row a label that a rater gave a case: ``case_id``, ``rater_id``, ``label``, and where they
            apply ``task``, ``rank`` (1 first, equal ranks are tied), ``confidence`` (0 to 1), ``score`` and
            ``repeat``. An identifying column, here as in the other frames, may be the index.
        predictions : DataFrame, mapping of str to DataFrame, or mapping of str to such a mapping
            ``{model: frame}``, each frame with ``case_id`` and a column of probabilities for each label, or
            of a two-label task a column ``score``; of several tasks ``{task: {model: frame}}``. Or one long
            frame with ``case_id``, ``model``, ``label`` and ``probability`` (or ``score``), and
            ``reader`` where readers read with a modality.
        labels : DataFrame, optional
            ``label``, and ``task``, ``risk`` (0 low, 1 medium, 2 high), ``description``; its order is the
            label order. By default all labels that occur, in natural order.
        cases : DataFrame, optional
            ``case_id``, and ``image``, ``reference`` and any metadata.
        features : DataFrame, optional
            ``case_id`` and columns of numbers.
        references : DataFrame, optional
            ``case_id``, ``task`` and ``label``: a reference for each of several tasks.
        tasks : mapping of str to mapping, optional
            ``{name: {"kind": …}}``, kind "choice", "ranking" or "score", and where they apply ``positive``,
            ``threshold`` and ``labels``. By default one task "main": a ranking where there are ranks, else
            a choice.
        name : str
            Name of the study.
        seed : int
            From which every random number derives, from 0 to 2^63 − 1.
        reference_standard : str
            How references were established: "readers", "histology", "surgery", "follow-up", "examination" or
            "construction"; empty where that is not known. A column of that name in ``cases`` comes before it.

        Returns
        -------
        Study
            The same as `read_study` makes of files with these tables. Nothing is written.

        Raises
        ------
        StudyError
            With all problems at once: each names the frame, and the row by its position from 0, as ``iloc``
            counts.
        TypeError
            Where something is no frame.
        """
        return cls._of(
            frames.study_of_frames(
                annotations,
                predictions=predictions,
                labels=labels,
                cases=cases,
                features=features,
                references=references,
                tasks=tasks,
                name=name,
                seed=seed,
                reference_standard=reference_standard,
            )
        )

    @classmethod
    def _of(cls, study: model.Study) -> Self:
        """Study of one that was read, its tasks with their methods."""
        given = {of.name: getattr(study, of.name) for of in fields(study)}
        tasks = {name: _task_of(task, study) for name, task in study.tasks.items()}
        return cls(**(given | {"tasks": Named(tasks, "task")}))

    def task(self, name: str | None = None) -> Task:
        """Return the task of that name.

        Parameters
        ----------
        name : str, optional
            May be left out where the study has one task.

        Raises
        ------
        ValueError
            If there is no such task, or several and no name.
        """
        if name is None and len(self.tasks) == 1:
            return next(iter(self.tasks.values()))
        if name is None:
            raise ValueError(f"the study has {len(self.tasks)} tasks: name one of {', '.join(self.tasks)}")
        return self.tasks[one_of(name, tuple(self.tasks), "task")]


def _task_of(task: model.Task, study: model.Study) -> Task:
    """Task of one that was read, with its methods."""
    given = {of.name: getattr(task, of.name) for of in fields(task)}
    return Task(**(given | {"predictions": Named(task.predictions, "model")}), study=study)


def read_study(path: Path | str) -> Study:
    """Read a study folder.

    Parameters
    ----------
    path : Path or str
        Folder with ``annotations.csv`` or ``.parquet`` and, each if wanted, ``study.toml``, ``labels``,
        ``cases``, ``predictions`` and ``features``.

    Returns
    -------
    Study
        Raters and models are in natural order, and the readings of a case in the order of raters: the order
        of the rows changes nothing.

    Raises
    ------
    StudyError
        With all problems at once, each with its file, row, column and how to mend it.
    TypeError
        For anything but a path.
    """
    if not isinstance(path, str | Path):
        raise TypeError(
            f"path must be that of a study folder, got {type(path).__name__}; Study.from_frames takes frames"
        )
    return Study._of(folder.read_study(path))
