"""Pictures of what a study holds."""
