"""What is said beside the labels that lead a case: how exact their shares are, and its other labels."""

from __future__ import annotations

from core.analysis.cases.case import Case, is_known
from core.analysis.formatting import in_sentence
from core.analysis.tied_labels import tied_in_words
from core.plausibility.aggregate import aggregate_readings
from core.plausibility.posterior import SampledPosterior
from core.plausibility.settings import Aggregation
from core.plausibility.simulation_error import is_simulated, leading_error
from core.study.references import reference_codes


def precision_words(case: Case) -> str:
    """Say how far simulation may have moved the shares of a case; empty where nothing is simulated.

    What is said is the 95 % simulation error of the largest share, in whole points, 1 at least.
    """
    posterior = case.posterior
    if not is_known(case) or not isinstance(posterior, SampledPosterior) or not is_simulated(posterior):
        return ""
    points = max(1, round(100 * float(leading_error(posterior)[0])))
    noun = "point" if points == 1 else "points"
    return f"Shares are from {posterior.draws.n_draws:,} draws: ± {points} {noun}"


def kept_words(case: Case) -> str:
    """Say what most readings put first, as a hard label has it, and the reference, if the study has one.

    A reading whose first place is tied divides its vote (Cabitza 2020, eq. 5). Empty where there is neither.
    """
    said = [words for words in (_most_votes(case), _reference(case)) if words]
    return " · ".join(said)


def _most_votes(case: Case) -> str:
    """Name the labels with most votes, of scores the side of the threshold, with their number."""
    task, readings = case.task, case.readings
    if readings.n_readings == 0:
        return ""
    of = f"of {readings.n_readings}"
    if task.kind == "score":
        if task.threshold is None:
            return ""
        above = int((readings.score >= task.threshold).sum())
        votes = {0: float(readings.n_readings - above), 1: float(above)}
    else:
        share = aggregate_readings(case.study, task, Aggregation("frequency"), readings, [case.case_id])
        counted = share.mean.candidate * readings.n_readings
        votes = dict(zip(share.candidates.label.tolist(), counted.tolist(), strict=True))
    most = max(votes.values())
    names = [in_sentence(task.labels[code]) for code, n in votes.items() if n >= most - 1e-9]
    what = {"score": "scores", "choice": "readings"}.get(task.kind, "first choices")
    each = "each " * (len(names) > 1)
    return f"Most {what}: {tied_in_words(names)}, {each}{round(most, 2):g} {of}"


def _reference(case: Case) -> str:
    """Name the reference of the case."""
    code = int(reference_codes(case.study, case.task)[case.index])
    return f"Reference in the study: {in_sentence(case.task.labels[code])}" if code >= 0 else ""
