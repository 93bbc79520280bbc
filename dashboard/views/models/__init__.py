"""Models: what happens to their order when the truth stops pretending to be certain."""
