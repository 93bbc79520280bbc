"""The gamma race: exact order statistics of independent gamma variables."""
