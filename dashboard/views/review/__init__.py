"""Review: cases are read again, those who disagree decide, and what it changed is shown."""
