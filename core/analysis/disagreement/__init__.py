"""What models say of raters' disagreement, judged and recalibrated with the labels of several raters."""
