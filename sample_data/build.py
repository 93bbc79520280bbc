"""Build the bundled samples: ``python -m sample_data.build [FOLDER]``."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

from core.study.reading.folder import write_study
from sample_data import chest, dermatology, digits, knee, severity, toy
from sample_data.sample import Sample

SAMPLES: dict[str, Callable[[], Sample]] = {
    "chest_xrays": chest.build,
    "dermatology_like": dermatology.build,
    "knee_mri": knee.build,
    "mixed_digits": digits.build,
    "scores": severity.build,
    "toy_three_labels": toy.build,
}
"""How each sample is built, by the name of its folder."""


def build_samples(folder: Path) -> None:
    """Write every sample into the folder, over its earlier version; other files of a study are refused."""
    for name, build in SAMPLES.items():
        sample = build()
        write_study(sample.study, folder / name, images=sample.images)


def main() -> None:
    """Build into the folder given, or into the one that this file lies in."""
    parser = argparse.ArgumentParser(prog="python -m sample_data.build", description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=Path(__file__).parent, metavar="FOLDER")
    build_samples(parser.parse_args().folder)


if __name__ == "__main__":
    main()
