"""One page of the dashboard as a script, with the sidebar and the address."""

from __future__ import annotations


def page_script(page: str) -> None:
    """Show the page of a name."""
    import importlib

    from dashboard.shell import sidebar, state

    state.read_address()
    importlib.import_module(f"dashboard.views.{page}.page").show(sidebar.choose())
    state.write_address()
