"""numba's compiler, with compiled code kept on disk where that is possible and never relied upon."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from typing import Any

import numba
from numba.core.caching import FunctionCache
from numba.core.options import DefaultOptions

_COUNTED = {"_nrt": True} if hasattr(DefaultOptions, "_nrt") else {}
"""Whether references to arrays are counted; where it is not said, a function does as its caller."""

_UNCOUNTED = dict.fromkeys(_COUNTED, False)


def njit(**options: Any) -> Callable[[Callable[..., Any]], Any]:
    """Compile a function as `numba.njit` does, with the same options.

    With ``cache=True`` the code is kept: beside the source, else in the home folder, or where the variable
    NUMBA_CACHE_DIR says. numba refuses a function where none of them can be written, and fails where what was
    kept is damaged; here the function is compiled all the same, and damaged code anew.
    """
    is_kept = options.pop("cache", False)

    def compiled(function: Callable[..., Any]) -> Any:
        dispatcher = numba.njit(**{**_COUNTED, **options})(function)
        if is_kept:
            try:
                dispatcher._cache = _StoredCode(function)
            except RuntimeError:
                _say_that_nothing_is_stored()
        return dispatcher

    return compiled


def inlined(function: Callable[..., Any]) -> Any:
    """Compile a function into those that call it, so that a part of a long loop costs no call.

    It must make no arrays, as `without_counting`.
    """
    return _part(function, forceinline=True)


def without_counting(function: Callable[..., Any]) -> Any:
    """Compile a function that only others call and that makes no arrays: it counts no references to them.

    With references counted, which is what happens where numba no longer has the option, the Plackett–Luce
    sampler takes three times as long.
    """
    return _part(function)


def _part(function: Callable[..., Any], **options: bool) -> Any:
    return njit(
        cache=True,
        nogil=True,
        error_model="numpy",
        no_cpython_wrapper=True,
        no_cfunc_wrapper=True,
        **_UNCOUNTED,
        **options,
    )(function)


class _StoredCode(FunctionCache):
    """Code of a function on disk; where it cannot be read or written, there is none."""

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Load what was compiled for a signature; forget all of the function's code if any is damaged."""
        try:
            return super().load_overload(sig, target_context)
        except Exception:
            with suppress(OSError):
                self.flush()
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Save what was compiled, unless the disk is full or the folder has become read-only."""
        with suppress(Exception):
            super().save_overload(sig, data)


@cache
def _say_that_nothing_is_stored() -> None:
    """Say once what it costs, and what would help."""
    sys.stderr.write(
        "loupe: compiled code cannot be kept, neither beside Loupe nor in the home folder: every start takes"
        " up to a minute longer; set NUMBA_CACHE_DIR to a folder that can be written\n"
    )
