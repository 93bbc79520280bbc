"""Pictures that compare models."""
