"""How far long work is, on the page that waits for it.

The bar asks the server itself, twice a second, and lets the page's script run once, when the work has ended.
A timed fragment would run the script each time, between and against the runs that a person causes; and where
two fragments are inside each other in the sidebar, Streamlit gives the inner one the outer one's place.
"""

from __future__ import annotations

from collections.abc import Sequence
from time import monotonic
from typing import Any, Literal

import streamlit as st
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from dashboard.shell import state
from dashboard.shell.jobs import Job, find_job
from dashboard.shell.theme import paired

_PATH = "/jobs/"
_AND = "."
"""Between tokens; stands in none."""
_SHORTLY = 0.05
"""Seconds between two looks at work that is waited for."""
_CSS = """
p { margin: 0 0 0.3rem; color: MUTED; font-size: 0.87rem; line-height: 1.4; overflow-wrap: anywhere; }
.bar { height: 0.5rem; border-radius: 4px; background: RULE; overflow: hidden; }
.quiet { display: flex; align-items: center; gap: 0.8rem; }
.quiet p { margin: 0; }
.quiet .bar { height: 3px; flex: 0 0 4.5rem; }
i { display: block; height: 100%; background: SOFT; transition: width 0.4s; }
"""
_JS = """
const EVERY = 500, AGAIN = 5000;
// Streamlit calls again with each change of the data, and ends the last call alone when the bar goes.
const ends = new WeakMap();

function draw(parent, quiet) {
  const line = document.createElement("div");
  const words = document.createElement("p"), bar = document.createElement("div");
  line.className = quiet ? "quiet" : "";
  bar.className = "bar";
  bar.setAttribute("role", "progressbar");
  bar.append(document.createElement("i"));
  line.append(words, bar);
  parent.append(line);
}

function show(parent, {what, doing, share, quiet, brief}) {
  if (!parent.querySelector("p")) draw(parent, quiet);
  const words = brief ? what : `${what}: ${doing}`, bar = parent.querySelector(".bar");
  if (parent.querySelector("p").textContent !== words) parent.querySelector("p").textContent = words;
  bar.setAttribute("aria-label", what);
  bar.setAttribute("aria-valuenow", Math.round(100 * share));
  bar.firstChild.style.width = `${100 * share}%`;
}

export default function ({data, parentElement, setTriggerValue}) {
  ends.get(parentElement)?.();
  let timer = 0;
  const ask = async () => {
    let now = {running: true};
    try {
      const answer = await fetch(data.address, {cache: "no-store"});
      now = answer.ok ? await answer.json() : {running: answer.status !== 404};
    } catch { /* The server is away; Streamlit says so. */ }
    if (timer === null) return;
    if ("share" in now) show(parentElement, {...data, ...now});
    if (!now.running) setTriggerValue("ended", data.address);
    timer = setTimeout(ask, now.running ? EVERY : AGAIN);
  };
  show(parentElement, data);
  timer = setTimeout(ask, EVERY);
  const end = () => { clearTimeout(timer); timer = null; };
  ends.set(parentElement, end);
  return end;
}
"""
"""Words are set as text: models are named in them. The end is told again where no run has followed."""


def wait_shortly(job: Job[Any], seconds: float) -> None:
    """Start work that is mostly short, and give it some time, unless somebody acts meanwhile."""
    if job.result is None and not job.begun:
        job.start()
    end = monotonic() + seconds
    while job.running and monotonic() < end:
        job.wait(_SHORTLY)
        # A run that another has overtaken ends at its next look into the session.
        state.view()


def watch(
    job: Job[Any],
    what: str,
    *,
    key: str,
    quiet: bool = False,
    brief: bool = False,
    also: Sequence[Job[Any]] = (),
) -> None:
    """Show how far long work is, with a button that stops it, and bring the page up to date when it ends.

    Parameters
    ----------
    job : Job
        At work.
    what : str
        What it does, in words.
    key : str
        Of its place on the page.
    quiet : bool
        One small line, for what nobody has asked for.
    brief : bool
        Without saying what it is at, where there is no room for it.
    also : sequence of Job
        Other work that the page waits for and shows no line of: the first to end brings the page up to date.
    """
    waited = [job, *(one for one in also if one.running)]
    for one in waited:
        one.show()
    with st.container(key=f"work-{key}", horizontal=True, vertical_alignment="center"):
        mount = st.components.v2.component("loupe_progress", css=paired(_CSS), js=_JS)
        mount(
            data={
                "address": _PATH + _AND.join(one.token for one in waited),
                "what": what,
                "quiet": quiet,
                "brief": brief,
                "doing": job.doing,
                "share": min(job.share, 1.0),
            },
            key=f"progress-{key}",
            # The run that comes with the end is all that is wanted.
            on_ended_change=state.redraw_if_elsewhere,
        )
        look: Literal["tertiary", "secondary"] = "tertiary" if quiet else "secondary"
        st.button("Stop", key=f"stop-{key}", type=look, on_click=_stop, args=(job,))


def _so_far(job: Job[Any]) -> dict[str, str | float]:
    """Say how far work is."""
    return {"doing": job.doing, "share": min(job.share, 1.0)}


def start(job: Job[Any]) -> None:
    """Start long work because a button says so."""
    job.start()
    state.redraw_if_elsewhere()


def _stop(job: Job[Any]) -> None:
    """Stop it because a button says so."""
    job.stop()
    state.redraw_if_elsewhere()


async def _tell(request: Request) -> Response:
    """Answer how far work is, and count it as seen; its token is known to the pages that show it alone."""
    jobs = [find_job(token) for token in request.path_params["token"].split(_AND)]
    known = [job for job in jobs if job is not None]
    if len(known) < len(jobs):
        return Response(status_code=404)
    for job in known:
        job.show()
    return JSONResponse({"running": all(job.running for job in known)} | _so_far(known[0]))


ROUTES = (Route(f"{_PATH}{{token}}", _tell, methods=["GET"]),)
"""What the server answers the bars with."""
