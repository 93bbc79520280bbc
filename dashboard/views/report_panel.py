"""Report: what all pages show under these settings as one file, made while one goes on."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import urlencode

import streamlit as st

from core.analysis.file_names import file_stem
from core.progress import Progress
from dashboard.report.settings import MOST_CASES, SECTIONS
from dashboard.report.to_pdf import chromium
from dashboard.shell import cache, sidebar, state, studies, widgets
from dashboard.shell.address import format_address
from dashboard.shell.beside import run_beside
from dashboard.shell.jobs import Job
from dashboard.views import parts

KINDS = {"html": "HTML", "pdf": "PDF"}
MIME = {"html": "text/html", "pdf": "application/pdf"}
_ASKED = "loupe-report-asked"
_STEPS = len(SECTIONS) + 2
"""Steps of the work: each section, the cases, and the writing."""


def offer(chosen: sidebar.Chosen) -> None:
    """Draw the way to a report in the sidebar, where there is a study to report on."""
    if chosen.study is not None and chosen.task is not None:
        with st.sidebar:
            has_images = "image" in chosen.study.cases
            _panel(chosen.source, chosen.study.fingerprint, chosen.study.name, has_images)


@st.fragment
def _panel(source: studies.Source, fingerprint: str, name: str, has_images: bool) -> None:
    """Ask what the report shall hold, make it, and hand it out."""
    asked: _Asked | None = st.session_state.get(_ASKED)
    # Who goes to another page meanwhile sees it go on there.
    is_under_way = asked is not None and (asked.source, asked.fingerprint) == (source.key, fingerprint)
    panel = st.expander("Report", expanded=is_under_way, key="report", on_change="rerun")
    if not panel.open:
        return
    with panel:
        parts.note(
            "One file with words, tables and pictures of these pages, under the settings in force here."
        )
        sections = st.multiselect(
            "Sections",
            list(SECTIONS),
            default=list(SECTIONS),
            format_func=SECTIONS.__getitem__,
            key="report-sections",
        )
        cases = int(
            st.number_input("Cases to list by name", 0, MOST_CASES, value=0, step=10, key="report-cases")
        )
        if cases:
            parts.warning(
                "The report will name cases, with their metadata, raters, and those who reviewed them. "
                "Hand it on only to those who may know."
            )
        raters = bool(not cases and st.checkbox("Name the raters", key="report-raters"))
        images = bool(cases and has_images and st.checkbox("With their images", key="report-images"))
        if images:
            parts.warning(
                "Images can show who somebody is: a face, or a name that is burned into the picture."
            )
        kinds = list(KINDS) if chromium() else ["html"]
        kind = st.segmented_control(
            "Format", kinds, default="html", required=True, format_func=KINDS.__getitem__, key="report-kind"
        )
        if not sections:
            parts.note("Choose a section.")
            return
        chosen = _Asked(source.key, fingerprint, link(), tuple(sections), cases, images, raters, str(kind))
        if asked is not None and replace(asked, link=chosen.link) == chosen:
            _show(asked, name)
            if asked.link == chosen.link:
                return
            parts.note("It is of the settings that were in force when it was asked for; others are now.")
        st.button("Make the report", key="report-make", on_click=_ask, args=(chosen,), type="primary")


@dataclass(frozen=True)
class _Asked:
    """What a report is made of."""

    source: str
    fingerprint: str
    link: str
    sections: tuple[str, ...]
    cases: int
    images: bool
    raters: bool
    kind: str

    @property
    def job(self) -> Job[bytes]:
        """The work that makes it."""
        of = self.source, self.fingerprint, self.link, self.sections, self.cases
        named = (("--images", self.images), ("--name-raters", self.raters))
        return make(*of, tuple(flag for flag, is_asked in named if is_asked), self.kind)


def _ask(chosen: _Asked) -> None:
    """Have a report made of what is in force now: the panel may have been drawn before the last step."""
    chosen = replace(chosen, link=link())
    st.session_state[_ASKED] = chosen
    chosen.job.start()


def _show(asked: _Asked, name: str) -> None:
    """Show how far a report is, or hand it out."""
    report = parts.result_of(asked.job, what="Report", key="report")
    if report is not None:
        st.download_button(
            f"Download the report ({len(report) / 1e6:.1f} MB)",
            report,
            file_name=f"{file_stem('report', name, {})}.{asked.kind}",
            mime=MIME[asked.kind],
            key="report-download",
            on_click="ignore",
        )


def link() -> str:
    """Address of what is in force, without the study."""
    said = {key: value for key, value in format_address(state.view()).items() if key != "study"}
    return f"/{widgets.page() or 'study'}?{urlencode(said, doseq=True)}"


@cache.background
def make(
    progress: Progress,
    source: str,
    fingerprint: str,  # noqa: ARG001 - a study whose files have changed is another
    link: str,
    sections: tuple[str, ...],
    cases: int,
    flags: tuple[str, ...],
    kind: str,
) -> bytes:
    """Make a report in a process of its own: pages drawn without a browser must not meet those of this one.

    Parameters
    ----------
    source : str
        Key of the study's source (`dashboard.shell.studies.Source`).
    fingerprint : str
        Of the study.
    link, sections, cases
        As of `dashboard.report.settings.Contents`.
    flags : tuple of str
        What else is to be shown or named, as the command has it.
    kind : {"html", "pdf"}
        Of the file.

    Raises
    ------
    ValueError
        Why there is none, in the words of ``loupe report``.
    """
    of = studies.sources()[source]
    with tempfile.TemporaryDirectory() as folder:
        study, out = of.folder, Path(folder) / f"report.{kind}"
        if study is None:
            study = Path(folder) / "study.zip"
            study.write_bytes(of.content or b"")
        asked = [f"--link={link}", f"--sections={','.join(sections)}", f"--cases={cases}", f"--format={kind}"]
        _run([str(study), str(out), *asked, *flags], progress)
        return out.read_bytes()


def _run(arguments: list[str], progress: Progress) -> None:
    """Run the command that writes the report; end it where nobody waits for it any more."""
    said, step = "", 0

    def hear(line: str) -> None:
        nonlocal said, step
        said = line or said
        step += line.endswith("…")
        progress(min(step / _STEPS, 1.0), said.removesuffix(" …") or "starting")

    run_beside("dashboard.report", arguments, hear)
