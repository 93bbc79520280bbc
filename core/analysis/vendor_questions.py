"""What to ask whoever names an accuracy: what it rests on, and what it hides."""

from __future__ import annotations

TRUTH = "Who says what is true of each case: readers alone, or biopsy, culture or follow-up?"
CASES = "How many cases were there?"
WHO_READ = "Did the readers of these cases see what the model says?"
READERS = "How many read each case, independently of each other?"
AGREEMENT = "How often did any two of them agree?"
INDEPENDENT = "Did the readers of a case read it independently of each other?"
"""What is left to ask where it is known how many read each case."""
DISPUTED = "What became of the cases in which the readers did not agree?"
ALIKE = "How often would two such readers agree?"
"""In place of the question how often they did, where each case has one reader."""
DANGER = "Of the dangerous cases, how many does the model name?"
TRY_OUT = (
    "May we try the model on cases of our own whose truth is known more firmly: by biopsy, culture, imaging "
    "or follow-up?"
)
"""In a note alone: it is asked later than the others."""
