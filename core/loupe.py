"""Loupe for notebooks: judge medical AI when experts disagree about the truth."""

from core.public import *
from core.public import __all__ as __all__
from core.public import __version__ as __version__
