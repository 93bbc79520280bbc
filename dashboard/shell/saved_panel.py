"""Saved views in the sidebar: open one, rename, delete, share; and the way to one more at the worklist."""

from __future__ import annotations

from functools import partial
from urllib.parse import parse_qs, urlencode, urlsplit

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.analysis.cases.select import Filters
from core.plausibility.settings import AggregationChoice
from core.settings import options
from core.study.model import Study
from dashboard.components.text import element
from dashboard.shell import saved_views, state, studies, widgets
from dashboard.shell.address import format_address, parse
from dashboard.shell.saved_views import NotKeptError, SavedView
from dashboard.shell.view import View

KEPT = {
    of.name: of
    for of in options(View)
    if of.name
    in {
        *("task", "where", "preset", "sort", "columns"),
        *(of.name for kind in (Filters, AggregationChoice) for of in options(kind) if of.address),
    }
}
"""What a saved view holds: how readings are aggregated, which cases are listed, and how."""
_SAID, _DELETED = "loupe-said-of-saved-views", "loupe-deleted-view"


def offer(study: Study) -> None:
    """Draw the saved views of a study."""
    views = saved_views.views_of(study.name, state.published(study))
    link = _link(state.view())
    is_listed = widgets.page() == "cases"
    # Elsewhere none is chosen, so that each can be: choosing what is chosen already says nothing.
    now = next((view for view in views if is_listed and _link(_read(view)[0]) == link), None)
    with st.container(key="saved-views"):
        if views:
            names = {view.key: view.name for view in views}
            st.selectbox(
                "Saved views",
                **widgets.choice(
                    "saved-view",
                    now.key if now else "",
                    ["", *names],
                    words=lambda key: names.get(key, "Open a saved view"),
                    take=partial(_open, {view.key: view for view in views}, study),
                ),
            )
        if now is not None:
            _change(now)
        if is_listed:
            _say()


def save(study: Study) -> DeltaGenerator | None:
    """Draw the way to keep the worklist as it is, where its filters stand.

    Returns
    -------
    DeltaGenerator or None
        While it is open, a place on top for what else the list can be saved as, once its rows are known.
    """
    panel = st.popover("Save", key="save-view", on_change="rerun")
    if not panel.open:
        return None
    with panel:
        place = st.container(key="save-list")
        _save_view(study)
        return place


def _save_view(study: Study) -> None:
    """Keep the view under a name, unless it is kept already."""
    link = _link(state.view())
    views = saved_views.views_of(study.name, state.published(study))
    now = next((view for view in views if _link(_read(view)[0]) == link), None)
    if now is not None:
        words = f"This view is saved as “{now.name}”: the sidebar renames, shares and deletes it."
        element("p", words, role="note")
        return
    with st.form("save-view-form", border=False):
        said = "Save this view: condition, search, filters, order, columns and reliability, under a name."
        element("p", said, role="note")
        st.text_input("Name of the view", key="save-view-name")
        st.form_submit_button("Save", on_click=_take_name, args=(study, link))


def _link(chosen: View) -> str:
    """What is kept of a view, as an address says it."""
    said = format_address(chosen)
    return urlencode({of.address: said[of.address] for of in KEPT.values() if of.address in said}, doseq=True)


def _read(view: SavedView) -> tuple[View, list[str]]:
    """What a saved view chooses, and what in it means nothing, in plain words."""
    found, problems = parse(parse_qs(view.link, keep_blank_values=True))
    return found, [problem.replace("The address", f"The saved view “{view.name}”") for problem in problems]


def _open(views: dict[str, SavedView], study: Study, key: str) -> None:
    """Show the worklist of a saved view."""
    view = views.get(key)
    if view is None:
        return
    found, said = _read(view)
    if view.fingerprint != state.published(study):
        said.append(
            f"“{view.name}” was saved before the files of this study changed; it may list other cases now."
        )
    _forget()
    chosen = {name: getattr(found, name) for name in KEPT}
    state.lead_to("cases", *said, **chosen | {"case": "", "what_if": ""})


def _take_name(study: Study, link: str) -> None:
    """Keep the view under the name that was written."""
    name = st.session_state.get("save-view-name", "")
    try:
        made = saved_views.save(name, study=study.name, fingerprint=state.published(study), link=link)
    except NotKeptError as why:
        _tell(str(why))
    else:
        _tell(f"Saved as “{made.name}”.")


def _change(view: SavedView) -> None:
    """Offer another name, the link, and the end of a saved view."""
    panel = st.expander("Rename, share or delete", key=f"change-view-{view.key}", on_change="rerun")
    if not panel.open:
        return
    with panel:
        field = f"rename-view-{view.key}"
        with st.form(f"rename-form-{view.key}", border=False):
            st.text_input("Name of the view", value=view.name, key=field)
            st.form_submit_button("Rename", on_click=_rename, args=(view, field))
        element("p", "A link to this view; it names the study and no folder:", role="note")
        st.code(share_link(view), language=None)
        st.button("Delete", key=f"delete-view-{view.key}", on_click=_delete, args=(view,))


def share_link(view: SavedView) -> str:
    """Address that opens a saved view in any Loupe that has the study."""
    here = urlsplit(st.context.url or "")
    source = studies.sources().get(state.view().study)
    key = studies.shared_key(source, name=view.study, fingerprint=view.fingerprint)
    return f"{here.scheme}://{here.netloc}/cases?{urlencode({'study': key})}&{view.link}"


def _rename(view: SavedView, field: str) -> None:
    try:
        saved_views.rename(view, st.session_state.get(field, ""))
    except NotKeptError as why:
        _tell(str(why))
    else:
        _tell("")


def _delete(view: SavedView) -> None:
    try:
        saved_views.delete(view)
    except NotKeptError as why:
        _tell(str(why))
    else:
        _tell(f"“{view.name}” is deleted.")
        st.session_state[_DELETED] = view


def _restore(view: SavedView) -> None:
    try:
        saved_views.restore(view)
    except NotKeptError as why:
        _tell(str(why))
    else:
        _tell("")


def _tell(words: str) -> None:
    """Keep what is to be said of the last thing done."""
    _forget()
    st.session_state[_SAID] = words
    state.redraw_if_elsewhere()


def _forget() -> None:
    st.session_state.pop(_SAID, None)
    st.session_state.pop(_DELETED, None)


def _say() -> None:
    """Say what came of the last thing done, and what cannot be read."""
    for words in filter(None, (saved_views.trouble(), st.session_state.get(_SAID, ""))):
        element("p", words, role="note")
    deleted = st.session_state.get(_DELETED)
    if deleted is not None:
        st.button("Undo", key="undo-delete-view", type="tertiary", on_click=_restore, args=(deleted,))
