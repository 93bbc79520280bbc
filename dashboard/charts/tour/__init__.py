"""Pictures of the tour."""
