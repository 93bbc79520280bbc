"""What trust in the raters does to certainty, risk and every model's metrics."""
