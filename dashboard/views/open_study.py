"""Open a study of one's own: files that are dropped, or a folder on this computer."""

from __future__ import annotations

import streamlit as st

from dashboard.shell import state, studies
from dashboard.shell.uploads import KINDS, Dropped, as_archive
from dashboard.views import parts

_PATH, _REFUSED = "folder-to-open", "loupe-folder-refused"
_DROPPED, _OPENED, _WHY = "upload", "loupe-upload", "loupe-upload-refused"
EXAMPLE = "case_id,rater_id,label\ncase 1,Dr Ames,nevus\ncase 1,Dr Brook,melanoma\ncase 2,Dr Ames,nevus"
"""The least that a study is made of."""


def open_another(*, opened: bool = False) -> None:
    """Let files be dropped, or a folder on this computer be opened; folded unless asked for or ``opened``."""
    with st.expander("Open another study", expanded=opened or state.is_asked_for_another()):
        st.file_uploader(
            "Drop annotations.csv here, alone or together with predictions.csv and the other tables, or a "
            "zip file of a study folder",
            type=KINDS,
            accept_multiple_files=True,
            key=_DROPPED,
            on_change=_open_dropped,
        )
        why = st.session_state.get(_WHY, "")
        if why:
            parts.warning(why)
        parts.note(
            "One table is enough, a row for each reading, like this. What is dropped stays in the memory of "
            "this computer until Loupe ends."
        )
        st.code(EXAMPLE, language=None)
        with st.form("open-folder", border=False):
            left, right = st.columns([5, 1], vertical_alignment="bottom")
            path = left.text_input("Or a folder on this computer", placeholder="/path/to/study", key=_PATH)
            # A run that is overtaken may never come as far as this button; what is called is called first.
            right.form_submit_button("Open folder", width="stretch", on_click=_open_folder)
        tried, why = st.session_state.get(_REFUSED, ("", ""))
        if why and path.strip() == tried:
            parts.warning(why)
        parts.note(
            "The command “loupe check FOLDER” says what is wrong with a folder; “Bring your own data” in the "
            "README names all tables and columns."
        )


def _open_dropped() -> None:
    """Switch to the study that the dropped files make, or keep why they make none."""
    st.session_state.pop(_WHY, None)
    files = st.session_state.get(_DROPPED) or []
    # The browser may say again what it holds, when nothing was dropped.
    now = tuple(file.file_id for file in files)
    if not files or now == st.session_state.get(_OPENED):
        return
    st.session_state[_OPENED] = now
    try:
        archive = as_archive([Dropped(file.name, file.getvalue()) for file in files])
    except ValueError as why:
        st.session_state[_WHY] = str(why)
    else:
        _open(studies.add_upload(archive.name, archive.content))


def _open_folder() -> None:
    """Switch to the study in the folder that was named, or keep why there is none."""
    path = st.session_state[_PATH].strip()
    try:
        source = studies.add_folder(path)
    except ValueError as why:
        st.session_state[_REFUSED] = (path, str(why))
    else:
        st.session_state.pop(_REFUSED, None)
        _open(source)


def _open(source: studies.Source) -> None:
    """Switch to a study."""
    state.ask_for_another(False)
    state.change(study=source.key)
