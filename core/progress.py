"""What long work says of itself."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[float, str], None]
"""Called with the share of the work that is done, in [0, 1], and with what is being done."""
