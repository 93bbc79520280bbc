"""Pictures of raters, their agreement and what they promise."""
