"""Whether a study is of real patients, and a case of it: what it says of them, where everybody sees it."""

from __future__ import annotations

import re

from core.study.model import Study

_INVENTED = re.compile(r"(simulated|synthetic|invented|made[ -]up)\b", re.I)
"""How a study begins that says of itself that it is not real."""
_SENTENCE = re.compile(r"(?<=[.!?])\s")
_NEXT_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[^\W\d_a-zß-ÿ])")
"""Where one ends that may stand anywhere: a capital letter follows, so that “et al. 2025” goes on."""


def invented_in_a_word(study: Study) -> str:
    """How a study says in a word that it is not real, such as “Simulated”; empty where it does not."""
    found = _INVENTED.match(_begins(study))
    return found[1].capitalize() if found else ""


def told_of_case(study: Study, case_id: str) -> str:
    """Quote what a study's description says of one of its cases: the sentences that name it by its id.

    Empty where none does.
    """
    names = re.compile(rf"(?<![\w-]){re.escape(case_id)}(?![\w-])")
    return " ".join(one for one in _NEXT_SENTENCE.split(study.description) if names.search(one))


def told_in_words(study: Study, case_id: str) -> str:
    """Say what a study says of one of its cases, as `told_of_case` quotes it; empty where it says nothing."""
    told = told_of_case(study, case_id)
    return f"The study says of it: “{told}”" if told else ""


def origin_in_words(study: Study) -> str:
    """Say that a study is not real, where its description or its source begins by saying so.

    Returns
    -------
    str
        Empty where neither does.
    """
    first = _begins(study)
    if not first:
        return ""
    has_models = any(task.predictions for task in study.tasks.values())
    what = "readings and models" if has_models else "readings"
    return (
        f"“{first}”, according to the study’s own files. Its {what} are examples: no number here is "
        f"about real patients{' or a product on sale' * has_models}."
    )


def _begins(study: Study) -> str:
    """The first sentence by which a description, or else a source, says that a study is not real."""
    for said in (study.description, study.source):
        first = _SENTENCE.split(said.strip(), maxsplit=1)[0].rstrip(".")
        if _INVENTED.match(first):
            return first
    return ""
