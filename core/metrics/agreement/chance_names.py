"""Names of the coefficients of agreement."""

OBSERVED = "observed agreement"
FLEISS = "Fleiss κ"
ALPHA = "Krippendorff α"
ALPHA_ORDINAL = "Krippendorff α, ordinal"
ALPHA_INTERVAL = "Krippendorff α, interval"
AC1 = "Gwet AC1"
AC2 = "Gwet AC2"
COEFFICIENTS = (OBSERVED, FLEISS, ALPHA, AC1)
"""For values of any kind."""
ORDERED_COEFFICIENTS = (ALPHA_ORDINAL, ALPHA_INTERVAL, AC2)
"""For values with an order besides."""
