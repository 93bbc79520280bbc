"""What to ask whoever quotes an accuracy: what it rests on, and what it hides."""

from __future__ import annotations

TRUTH = "What is the reference standard for each case: readers alone, or biopsy, culture or follow-up?"
CASES = "How many cases were tested?"
WHO_READ = "Did the readers of these cases see the model’s output?"
TRAINED = "Was the model trained or tuned on any of these cases, or on answers of these readers?"
READERS = "How many readers read each case independently?"
AGREEMENT = "How often did any two readers agree?"
INDEPENDENT = "Did the readers of each case read it independently?"
"""What is left to ask where it is known how many read each case."""
MEASURED = "How was the agreement of two readers measured, and on which cases?"
"""What is left to ask where it is told."""
DISPUTED = "What happened to the cases on which the readers disagreed?"
ALIKE = "How often would two such readers agree?"
"""In place of the question how often they did, where each case has one reader."""
DANGER = "How many of the dangerous cases does the model warn of?"
TRY_OUT = (
    "May we try the model on cases of our own with a stronger reference: biopsy, culture, imaging or "
    "follow-up?"
)
"""Asked last: it takes longest to answer."""
