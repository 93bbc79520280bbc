"""The order of models: what it rests on, how sure it is, and which cases decide it."""
