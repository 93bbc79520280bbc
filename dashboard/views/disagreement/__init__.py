"""Disagreement: whether a model's probabilities, and its idea of how often raters disagree, are right."""
