"""Losses of class probabilities against label histograms, and what they are made of."""
