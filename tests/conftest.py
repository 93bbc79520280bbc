"""What all tests share."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

# A loaded machine is no fault of what is tested: nothing here is timed.
settings.register_profile("loupe", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("loupe")
