"""What to ask whoever names an accuracy: what it rests on, and what it hides."""

from __future__ import annotations

CASES = "How many cases were there, and who read them, without seeing what the model says?"
READERS = "How many read each case, independently of each other?"
AGREEMENT = "How often did they agree, and what became of the cases in which they did not?"
DANGER = "Of the dangerous cases, how many does the model name? An accuracy does not say"
"""Without a full stop: more may follow."""
