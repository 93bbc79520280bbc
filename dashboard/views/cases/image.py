"""The images of a case, and one of them enlarged."""

from __future__ import annotations

import mimetypes
from typing import Any

import streamlit as st

from core.study.images import ImageError, image_paths, is_dicom
from core.study.model import Study
from dashboard.components.image_viewer import image_viewer
from dashboard.shell import widgets
from dashboard.views import parts
from dashboard.views.cases import dicom
from dashboard.views.cases.dicom import Shot

WIDTH = 300
"""Of the image beside its case, in pixels; twice as many are sent for dense screens."""
ENLARGE = "alt+z"
MOST_IN_SIGHT = 6
"""Images of a case that each have a button; more are chosen with a slider."""
_OPEN = "choose-enlarged"
"""Whether the session shows an image enlarged: forgotten on the way to another page, as widgets are."""
_NUMBER = "loupe-image-number"


def images_of(study: Study, index: int) -> tuple[Shot, ...]:
    """Return the case's images that are there and lie inside the study's folder, in the order of the file."""
    if "image" not in study.cases:
        return ()
    shots: list[Shot] = []
    for name in image_paths(study.cases["image"].iloc[index]):
        source = _source(study, name)
        if source is not None:
            n_frames = dicom.count_of(source) if is_dicom(name) else 1
            shots += [Shot(source, name, frame) for frame in range(n_frames)]
    return tuple(shots)


def _source(study: Study, name: str) -> str | bytes | None:
    """Where an image is, unless it is nowhere or outside of the study."""
    if study.root is None:
        return study.images.get(name)
    root = study.root.resolve()
    path = (root / name).resolve()
    return str(path) if path.is_relative_to(root) and path.is_file() else None


def show_images(shots: tuple[Shot, ...], study: Study, case_id: str) -> None:
    """Draw one of a case's images, with what chooses among them, and a button that enlarges it."""
    shot = _choose(shots, study, case_id, "image-number")
    try:
        if is_dicom(shot.name):
            window = dicom.window_in_force(shot)
            st.image(dicom.rendered(shot, window, 2 * WIDTH), width=WIDTH, alt=_words(shots, shot, case_id))
        else:
            st.image(shot.source, width=WIDTH, alt=_words(shots, shot, case_id))
    except Exception as error:
        parts.note(_refusal(error))
        _follow((), study, case_id)
        return
    if st.button("Enlarge", key="enlarge", shortcut=ENLARGE):
        st.session_state[_OPEN] = True
    _follow(shots, study, case_id)


def follow_none(study: Study, case_id: str) -> None:
    """Say in the dialog, if it is open, that this case has no image; the one before is not this one's."""
    _follow((), study, case_id)


def close() -> None:
    """Give way to another dialog."""
    st.session_state[_OPEN] = False


def _follow(shots: tuple[Shot, ...], study: Study, case_id: str) -> None:
    """Draw the dialog with the case of this run, as long as it is open: image and case never part."""
    if st.session_state.get(_OPEN):
        _enlarged(shots, study, case_id)


@st.dialog("Image", width="large", on_dismiss=close)
def _enlarged(shots: tuple[Shot, ...], study: Study, case_id: str) -> None:
    """Show an image as large as is asked for, under the name of its case."""
    parts.sentence(f"Case {case_id}")
    if not shots:
        parts.note("This case has no image that can be shown.")
        return
    content: str | bytes
    try:
        with st.container(horizontal=True, vertical_alignment="bottom"):
            shot = _choose(shots, study, case_id, "image-number-enlarged")
            window = dicom.choose_window(shot) if is_dicom(shot.name) else None
        content, kind = shot.source, mimetypes.guess_type(shot.name)[0] or "image/png"
        if is_dicom(shot.name):
            content, kind = dicom.rendered(shot, window, None), "image/png"
    except ImageError as error:
        parts.note(_refusal(error))
        return
    image_viewer(
        content,
        kind,
        of=f"{study.fingerprint} {case_id} {shot.name} {shot.frame}",
        key="image-enlarged",
        alternative=f"{_words(shots, shot, case_id)}, enlarged",
    )
    parts.note(shot.name + (f", picture {shot.frame + 1}" if shot.frame else ""))


def _words(shots: tuple[Shot, ...], shot: Shot, case_id: str) -> str:
    """What an image is, for those who do not see it."""
    which = f" ({shots.index(shot) + 1} of {len(shots)})" if len(shots) > 1 else ""
    return f"Image of case {case_id}{which}"


def _refusal(error: Exception) -> str:
    """Say why an image is not shown, and what mends it."""
    from PIL import Image  # Streamlit imports it with the first image.

    if isinstance(error, ImageError):
        return f"The image of this case cannot be shown: {error}."
    if not isinstance(error, OSError | SyntaxError | ValueError | Image.DecompressionBombError):
        raise error
    return (
        "The image of this case cannot be shown: its file is damaged, far too large, or not the kind of "
        "image that its name says. Repair the file in the study folder."
    )


def _choose(shots: tuple[Shot, ...], study: Study, case_id: str, name: str) -> Shot:
    """Offer a case's images, and return the one that is chosen."""
    of = study.fingerprint, case_id
    kept = st.session_state.get(_NUMBER)
    number = kept[1] if kept is not None and kept[0] == of and kept[1] <= len(shots) else 1

    def take(said: Any) -> None:
        st.session_state[_NUMBER] = (of, int(said))

    if len(shots) > MOST_IN_SIGHT:
        st.slider(
            f"Image, 1 to {len(shots)}", 1, len(shots), **widgets.bind(name, number, take=take), width=WIDTH
        )
    elif len(shots) > 1:
        numbers = range(1, len(shots) + 1)
        st.segmented_control("Image", required=True, **widgets.choices(name, number, numbers, take=take))
    return shots[number - 1]
