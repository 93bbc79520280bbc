"""Methods of measuring raters in words."""

from __future__ import annotations

import pandas as pd

from core.analysis.methods_text import Paragraph, Said, plain
from core.analysis.raters.accuracy import STANDARDS, Standard
from core.analysis.raters.settings import RaterSettings


def of_raters(
    settings: RaterSettings, *, judged_by: Standard | None = None, has_ability: bool = False
) -> Paragraph:
    """Say how raters were measured.

    Parameters
    ----------
    settings : RaterSettings
        What was chosen.
    judged_by : {"reference", "majority", "given", "model"}, optional
        What accuracies were judged by, where that was left to Loupe.
    has_ability : bool
        Whether each rater's ability is told.
    """
    said = Said()
    if settings.raters:
        said.say(f"Raters {', '.join(map(plain, settings.raters))} were looked at.")
    said.say(
        f"Agreement was measured by observed agreement, weighted concordance and fineness "
        f"({said.cite('cabitza2020')}), and by κ, α, AC1 and AC2"
        + (", the labels having an order" if settings.label_order else "")
        + f" ({said.cite('cohen1960', 'fleiss1971', 'krippendorff2011', 'gwet2008')}), with standard errors "
        f"from what each case adds ({said.cite('gwet2014')})."
    )
    if settings.other_raters:
        said.say(f"It was compared with that of raters {', '.join(map(plain, settings.other_raters))}.")
    standard = settings.standard or judged_by or ("given" if settings.rater_accuracy is not None else None)
    if standard is not None:
        by = f" ({said.cite('dawid1979')})" if standard == "model" else ""
        said.say(f"Raters' accuracy was judged by {STANDARDS[standard]}{by}.")
    if settings.rater_accuracy is not None:
        said.say(f"Every rater's accuracy was given as {settings.rater_accuracy:g}.")
    if settings.variability is not None:
        said.say(f"Raters' confidence was taken to vary by {settings.variability:g}.")
    known = ", with the references of the cases as known truths" if settings.gold else ""
    said.say(
        f"What each rater says for each truth was estimated with a model of the truth and of every rater's "
        f"errors ({said.cite('dawid1979')}){known}."
    )
    if has_ability:
        said.say(
            "Each rater's ability was told apart from the label that he or she leans to where a case tells "
            f"little, by a model of clear and unclear cases ({said.cite('whitehill2009')}, with leanings as "
            f"in {said.cite('birnbaum1968')})."
        )
    if settings.resamples:
        said.say(f"95 % intervals over cases come from {settings.resamples:,} resamples of the cases.")
    said.say(f"Those of how often stated confidences are right are of {said.cite('wilson1927')}.")
    return said.paragraph("Raters")


def tells_ability(profiles: pd.DataFrame) -> bool:
    """Whether profiles of raters (`core.analysis.raters.profiles.profile_table`) tell anybody's ability."""
    return "ability" in profiles and bool(profiles["ability"].notna().any())
