"""Models: what happens to their order when the truth stops pretending to be certain."""

from dashboard.views.models.page import show

__all__ = ["show"]
