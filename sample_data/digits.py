"""Mixed digits: images blended from two digits in known proportions, and classifiers really trained."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.datasets import load_digits
from sklearn.decomposition import PCA
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from threadpoolctl import threadpool_limits

from core.study.model import FloatArray, IntArray, Predictions, Task
from core.study.simulation.models import round_probabilities
from core.study.simulation.readers import assign, draw_choices, draw_reliability, rater_truth
from core.study.simulation.simulate import simulated_study
from core.study.simulation.truth import Truth
from sample_data.png import grey_png
from sample_data.sample import Sample, stated

N_CASES = 400
N_TRAINING = 900
SEED = 8
N_COMPONENTS = 6
ENLARGED = 8

DESCRIPTION = (
    "400 images, each blended from two of scikit-learn's handwritten digits in a known proportion (after "
    "the Mix-MNIST of Mimori et al. 2021); not medical images. The readings are drawn: 3 to 7 of 20 "
    "raters name one digit each, with the proportions of the blend as probabilities. The predictions are "
    "real: three classifiers trained on 900 other, unblended digits."
)
SOURCE = (
    "scikit-learn load_digits: Optical Recognition of Handwritten Digits, E. Alpaydin and C. Kaynak, UCI "
    "Machine Learning Repository (CC BY 4.0); blends and readings simulated."
)


def build() -> Sample:
    """Blend, read, train and predict."""
    rng = np.random.default_rng(SEED)
    images, digit = load_digits(return_X_y=True)
    order = rng.permutation(len(images))
    training, others = order[:N_TRAINING], order[N_TRAINING:]
    first, second = _pairs(rng, others, digit)
    percent = rng.integers(51, 101, size=N_CASES)
    blend = _blend(images[first], images[second], percent)
    plausibility = _proportions(digit[first], digit[second], percent)
    assignment = assign(rng, N_CASES, raters_per_case=(3, 7), n_raters=20)
    reliability = draw_reliability(rng, assignment, reliability=1.0, spread=0.0)
    readings = draw_choices(rng, assignment, plausibility, reliability)
    with threadpool_limits(1):
        predictions = _classify(100 * images[training], digit[training], blend)
        features = _components(images[training], blend / 100)
    case_ids = [f"mixed-{i + 1:03d}" for i in range(N_CASES)]
    paths = [f"images/{case_id}.png" for case_id in case_ids]
    simulated = simulated_study(
        Task("digit", "choice", tuple("0123456789"), readings, predictions),
        Truth(plausibility, rater_truth(plausibility, reliability, assignment.rater_ids)),
        assignment,
        name="Mixed digits (scikit-learn's digits, simulated readings)",
        description=DESCRIPTION,
        metadata={
            "image": paths,
            "true_digit_a": digit[first],
            "true_digit_b": digit[second],
            "true_share_a": percent / 100,
        },
        case_ids=case_ids,
        features=features,
        source=SOURCE,
        licence="CC BY 4.0",
        seed=SEED,
    )
    encoded = {path: _picture(pixels) for path, pixels in zip(paths, blend, strict=True)}
    return Sample(stated(simulated.study, "construction"), simulated.truth, encoded)


def _pairs(rng: np.random.Generator, pool: IntArray, digit: IntArray) -> tuple[IntArray, IntArray]:
    """Draw pairs of images of different digits from the pool."""
    first = rng.choice(pool, size=N_CASES)
    second = np.array([rng.choice(pool[digit[pool] != digit[i]]) for i in first])
    return first, second


def _blend(first: FloatArray, second: FloatArray, percent: IntArray) -> FloatArray:
    """Weighted sum of two images, rows of 64 whole numbers from 0 to 1,600."""
    return percent[:, None] * first + (100 - percent)[:, None] * second


def _proportions(first: IntArray, second: IntArray, percent: IntArray) -> FloatArray:
    """True plausibilities: the share of each of the ten digits in the blend."""
    plausibility = np.zeros((len(first), 10))
    rows = np.arange(len(first))
    plausibility[rows, first] = percent / 100
    plausibility[rows, second] += (100 - percent) / 100
    return plausibility


def _classify(training: FloatArray, digit: IntArray, blend: FloatArray) -> dict[str, Predictions]:
    """Train three classifiers on pure digits and let them predict the blends.

    Pixels are whole numbers, so that distances between images, and ties among them, are exact everywhere;
    the other classifiers scale them.
    """
    scale = FunctionTransformer(_to_unit)
    classifiers = {
        "Logistic regression": make_pipeline(
            scale, LogisticRegression(C=0.05, solver="newton-cholesky", tol=1e-10)
        ),
        "Nearest neighbours": KNeighborsClassifier(n_neighbors=15, algorithm="brute"),
        "Neural network": make_pipeline(
            scale, MLPClassifier((32,), activation="tanh", alpha=0.01, max_iter=200, random_state=SEED)
        ),
    }
    predictions = {}
    for model, classifier in classifiers.items():
        with warnings.catch_warnings():
            # The network stops early on purpose.
            warnings.simplefilter("ignore", ConvergenceWarning)
            classifier.fit(training, digit)
        predictions[model] = Predictions(model, round_probabilities(classifier.predict_proba(blend)))
    return predictions


def _to_unit(pixels: FloatArray) -> FloatArray:
    """Scale pixels from 0 … 1,600 to 0 … 1."""
    return pixels / 1600


def _components(training: FloatArray, blend: FloatArray) -> pd.DataFrame:
    """Principal components of the training digits, evaluated at the blends."""
    component = PCA(N_COMPONENTS, svd_solver="full").fit(training).transform(blend)
    return pd.DataFrame(np.round(component, 2), columns=[f"f{k + 1}" for k in range(N_COMPONENTS)])


def _picture(pixels: FloatArray) -> bytes:
    """PNG of one blend, dark ink on white, every pixel enlarged to a square."""
    level: NDArray[np.int64] = 15 - np.round(pixels.reshape(8, 8) * (15 / 1600)).astype(np.int64)
    return grey_png(level.repeat(ENLARGED, axis=0).repeat(ENLARGED, axis=1))
