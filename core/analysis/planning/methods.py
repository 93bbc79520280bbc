"""Methods of planning in words: how many readers and cases, and which cases to read again."""

from __future__ import annotations

from core.analysis.methods_text import Paragraph, Said, plain
from core.analysis.planning.raters_and_cases import Assumptions
from core.analysis.planning.settings import BudgetSettings, PlanSettings
from core.study.brief import number_of

_CALLS_FOR = {
    "certainty": "how uncertain the leading label is",
    "risk": "how likely a higher risk is overlooked",
    "models": "what it decides between two models",
}


def of_plan(settings: PlanSettings, assumed: Assumptions) -> Paragraph:
    """Say how many raters and cases were found.

    Parameters
    ----------
    settings : PlanSettings
        What was wanted.
    assumed : Assumptions
        Of raters and cases.
    """
    said = Said()
    said.say(
        f"Planned was with raters of an accuracy of {assumed.accuracy:.3g} among "
        f"{number_of(assumed.n_labels, 'label')}, and with cases whose difficulty spreads by "
        f"{assumed.difficulty:.3g} logits ({plain(assumed.source)})."
    )
    if settings.fineness is not None:
        said.say(
            f"Raters for a majority that is right in {settings.fineness:.3g} of the cases were found from "
            f"its fineness ({said.cite('cabitza2020')}, eq. 9 and 10), with errors that are independent and "
            "with difficulties of cases spread on the logit scale; ends are quantiles at 5 and 95 % over "
            "raters and cases drawn anew."
        )
    if settings.certainty is not None:
        said.say(
            f"Raters for a mean certainty of the leading label of {settings.certainty:.3g} were found by "
            f"working out that certainty for studies with more or fewer of them ({said.cite('stutz2025')}, "
            "eq. 7)."
        )
    if settings.ranking is not None:
        of = f" of {' and '.join(map(plain, settings.models))}" if settings.models else ""
        said.say(
            f"Readings for ranking two models{of} rightly with a probability of {settings.ranking:.3g} were "
            "found from the exact distribution of their difference over readings."
        )
    said.say("The number of cases is that of the normal approximation.")
    return said.paragraph("Planning")


def of_budget(settings: BudgetSettings) -> Paragraph:
    """Say how cases to be read again were chosen."""
    said = Said()
    between = f" ({' and '.join(map(plain, settings.between))})" if settings.between else ""
    said.say(
        f"{settings.readings:,} further readings, no more than {settings.most_each} of a case, were given to "
        f"the cases one after the other by {_CALLS_FOR[settings.order]}{between}."
    )
    said.say(
        "What they are worth is expected over what they may say, under the posterior predictive distribution "
        f"of the aggregation model ({said.cite('stutz2025')}), and is laid beside as many at random; of a "
        "further differential only its first choice counts."
    )
    return said.paragraph("Cases to read again")
