"""``python -m loupe`` is the command ``loupe``."""

from __future__ import annotations

import sys

from core.__main__ import main

if __name__ == "__main__":
    sys.exit(main())
