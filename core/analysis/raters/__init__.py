"""How good is the Diamond standard itself? Agreement, concordance and accuracy of the raters, as tables."""
