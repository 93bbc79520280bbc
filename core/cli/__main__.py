"""``python -m core.cli``: the command line without its entry point."""

from __future__ import annotations

import sys

from core.cli import main

sys.exit(main())
