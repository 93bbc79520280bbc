"""Recalibration: fits that mend a model's probabilities, and say how far they are to be trusted."""
