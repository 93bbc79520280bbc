"""Pictures of one case."""
