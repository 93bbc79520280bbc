"""Pictures of calibration and of one more expert's label."""
