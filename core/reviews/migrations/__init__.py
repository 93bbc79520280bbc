"""How the tables of reviews came to be, step by step."""
