"""Agreement, concordance and accuracy of raters."""
