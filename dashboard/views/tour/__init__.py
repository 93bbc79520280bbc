"""Tour: what is lost when disagreement becomes one label, in five short steps on a toy problem."""
