"""Hypothesis strategies: valid studies of every shape."""

from __future__ import annotations

import unicodedata

import numpy as np
import pandas as pd
from hypothesis import strategies as st

from core.study.fingerprint import fingerprint
from core.study.model import Predictions, Readings, Study, Task
from core.study.natural import natural_key
from core.study.problems import visible
from core.study.reading.assemble import Rows, build_readings
from core.study.reading.checks import clean_text, score_labels, stands_for_nothing

CHARACTERS = st.characters(exclude_categories=["Cs"], exclude_characters="\0")
AWKWARD = st.sampled_from(
    [
        "=1+1",
        "<b>x</b>",
        'a "quoted" one',
        "a, b",
        "line\nbreak",
        "007",
        "7",
        "NA",
        "1e3",
        "é",
        "\u200bx",
        "a\rb",
    ]
)


def _is_clean(text: str) -> bool:
    """Whether reading would leave the text as it is."""
    return bool(text) and text == text.strip() and unicodedata.is_normalized("NFC", text)


names = st.one_of(
    st.text(st.sampled_from("abcXYZ0189 -_.%/"), min_size=1, max_size=8),
    st.text(CHARACTERS, min_size=1, max_size=6),
    AWKWARD,
).filter(lambda text: _is_clean(text) and text != "case_id")
plain_text = st.text(CHARACTERS.filter(lambda c: c not in "\r"), max_size=12)


examinations = st.one_of(st.just(""), st.text(CHARACTERS, max_size=8), AWKWARD).filter(
    lambda text: clean_text(text) == text == visible(text) and not stands_for_nothing(text)
)


def distinct(least: int, most: int) -> st.SearchStrategy[list[str]]:
    """Different names."""
    return st.lists(names, min_size=least, max_size=most, unique=True)


def rater_names(most: int) -> st.SearchStrategy[list[str]]:
    """Different names of raters; what stands for nothing is none, for no table lists the raters."""
    usable = names.filter(lambda name: not stands_for_nothing(name))
    return st.lists(usable, min_size=1, max_size=most, unique=True)


@st.composite
def readings(draw: st.DrawFn, kind: str, n_cases: int, n_raters: int, n_labels: int) -> Readings:
    """Readings of one task; possibly none."""
    keys = draw(
        st.lists(
            st.tuples(st.integers(0, n_cases - 1), st.integers(0, n_raters - 1), st.integers(1, 3)),
            max_size=12,
            unique=True,
        )
    )
    columns: list[tuple] = []
    for case, rater, repeat in keys:
        confidence = draw(st.one_of(st.just(np.nan), st.floats(0, 1)))
        if kind == "score":
            score = draw(st.floats(allow_nan=False, allow_infinity=False))
            columns.append((case, rater, -1, 1, repeat, confidence, score))
            continue
        most = 1 if kind == "choice" else n_labels
        labels = draw(st.lists(st.integers(0, n_labels - 1), min_size=1, max_size=most, unique=True))
        columns += [
            (
                case,
                rater,
                label,
                draw(st.integers(1, 4)) if kind == "ranking" else 1,
                repeat,
                confidence,
                np.nan,
            )
            for label in labels
        ]
    table = np.array(columns, np.float64).reshape(-1, 7)
    whole = [table[:, i].astype(np.int64) for i in range(5)]
    return build_readings(Rows(*whole, table[:, 5], table[:, 6]), n_cases)


@st.composite
def predictions(draw: st.DrawFn, n_cases: int, n_labels: int) -> dict[str, Predictions]:
    """A few models, each covering at least one case."""
    found = {}
    for model in sorted(draw(distinct(0, 2)), key=natural_key):
        rng = np.random.default_rng(draw(st.integers(0, 2**32)))
        covered = draw(st.lists(st.booleans(), min_size=n_cases, max_size=n_cases))
        covered[0] = True
        draws = draw(st.sampled_from([1, 1, 2, 3]))
        ensemble = rng.dirichlet(np.full(n_labels, 0.3), (draws, n_cases))
        ensemble[:, ~np.array(covered)] = np.nan
        several = Predictions.of_ensemble(model, ensemble)
        found[model] = several if draws > 1 else Predictions(model, ensemble[0])
    return found


@st.composite
def scored(draw: st.DrawFn, models: dict[str, Predictions], n_cases: int) -> dict[str, Predictions]:
    """Some of the models, with scores in place of probabilities."""
    found = {}
    for model, given in models.items():
        numbers = st.floats(allow_nan=False, allow_infinity=False)
        score = np.array(draw(st.lists(numbers, min_size=n_cases, max_size=n_cases)))
        score[~given.covered] = np.nan
        found[model] = Predictions.of_scores(model, score) if draw(st.booleans()) else given
    return found


@st.composite
def tasks(draw: st.DrawFn, name: str, n_cases: int, n_raters: int) -> Task:
    """One task of any kind."""
    kind = draw(st.sampled_from(["choice", "ranking", "score"]))
    threshold = draw(st.floats(-1e6, 1e6)) if kind == "score" else None
    labels = score_labels(threshold) if threshold is not None else tuple(draw(distinct(1, 5)))
    n = len(labels)
    positive = draw(st.sampled_from([None, *labels])) if n == 2 and kind != "score" else None
    models = draw(predictions(n_cases, n))
    if n == 2 and (positive is not None or kind == "score") and "score" not in labels:
        models = draw(scored(models, n_cases))
    return Task(
        name=name,
        kind=kind,
        labels=labels,
        readings=draw(readings(kind, n_cases, n_raters, n)),
        predictions=models,
        risk=np.array(draw(st.lists(st.integers(-1, 2), min_size=n, max_size=n)), np.int8),
        description=tuple(draw(st.lists(plain_text, min_size=n, max_size=n))),
        positive=positive,
        threshold=threshold,
        settled_by=tuple(draw(st.lists(examinations, min_size=n, max_size=n))),
    )


@st.composite
def metadata(draw: st.DrawFn, case_ids: list[str]) -> pd.DataFrame:
    """Free columns of a case table: text, whole numbers and numbers."""
    n = len(case_ids)
    columns = {}
    for name in draw(distinct(0, 3)):
        cells = draw(
            st.sampled_from(
                [plain_text.map(lambda text: "t" + text), st.integers(-1000, 1000), st.floats(-1e9, 1e9)]
            )
        )
        columns[name] = draw(st.lists(cells, min_size=n, max_size=n))
    columns = {name: cells for name, cells in columns.items() if name not in ("image", "reference")}
    return pd.DataFrame(columns, index=pd.Index(case_ids, name="case_id"))


def _without_idle_raters(found: list[Task], rater_ids: list[str]) -> tuple[list[Task], list[str]]:
    """Drop raters that read nothing: files have no place for them."""
    used = np.unique(np.concatenate([task.readings.rater for task in found]))
    renumbered = np.full(len(rater_ids), -1, np.int32)
    renumbered[used] = np.arange(len(used))
    again = []
    for task in found:
        arrays = {name: getattr(task.readings, name) for name in Readings.__dataclass_fields__}
        arrays["rater"] = renumbered[task.readings.rater]
        fields = {name: getattr(task, name) for name in Task.__dataclass_fields__}
        again.append(Task(**fields | {"readings": Readings(**arrays)}))
    return again, [rater_ids[rater] for rater in used.tolist()]


@st.composite
def studies(draw: st.DrawFn) -> Study:
    """A valid study with at least one reading."""
    case_ids = draw(distinct(1, 5))
    rater_ids = sorted(draw(rater_names(4)), key=natural_key)
    found = [draw(tasks(name, len(case_ids), len(rater_ids))) for name in draw(distinct(1, 3))]
    if not any(task.readings.n_readings for task in found):
        rows = Rows(*(np.array([value]) for value in (0, 0, 0, 1, 1, np.nan, np.nan)))
        task = Task("only", "choice", ("x",), build_readings(rows, len(case_ids)), description=("",))
        found = [task]
    found, rater_ids = _without_idle_raters(found, rater_ids)
    cases = draw(metadata(case_ids))
    features = None
    if draw(st.booleans()):
        values = draw(st.lists(st.floats(-1e6, 1e6), min_size=len(case_ids), max_size=len(case_ids)))
        features = pd.DataFrame({"f": values}, index=cases.index)
    seed = draw(st.integers(0, 2**40))
    by_name = {task.name: task for task in found}
    return Study(
        name=draw(names),
        case_ids=tuple(case_ids),
        rater_ids=tuple(rater_ids),
        tasks=by_name,
        cases=cases,
        fingerprint=fingerprint(case_ids, rater_ids, by_name, cases, features=features, seed=seed),
        description=draw(plain_text),
        source=draw(plain_text),
        licence=draw(plain_text),
        features=features,
        seed=seed,
    )
