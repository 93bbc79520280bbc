"""Whether a study is of real patients: what it says of itself, where everybody sees it."""

from __future__ import annotations

import re

from core.study.model import Study

_INVENTED = re.compile(r"(simulated|synthetic|invented|made[ -]up)\b", re.I)
"""How a study begins that says of itself that it is not real."""
_SENTENCE = re.compile(r"(?<=[.!?])\s")


def origin_in_words(study: Study) -> str:
    """Say that a study is not real, where its description or its source begins by saying so.

    Returns
    -------
    str
        Empty where neither does.
    """
    for said in (study.description, study.source):
        first = _SENTENCE.split(said.strip(), maxsplit=1)[0].rstrip(".")
        if _INVENTED.match(first):
            has_models = any(task.predictions for task in study.tasks.values())
            what = "readings and models" if has_models else "readings"
            return (
                f"“{first}”, this study says of itself: its {what} are examples. Take no number here "
                f"for one about real patients{' or a product on sale' * has_models}."
            )
    return ""
