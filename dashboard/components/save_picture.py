"""Save a picture as SVG or PNG from the browser, with what made it written in and on it.

The server cannot paint a chart; the browser can, and its files are what a person sees. The buttons take the
chart as it is painted, so nothing has to be fetched from elsewhere.
"""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from typing import Any

import streamlit as st

from dashboard.charts.figure import Figure
from dashboard.components.text import wrapped
from dashboard.shell.theme import Tokens

WIDTH = 640
"""Of a picture that has no width of its own, in pixels."""
PADDING = 14
LEAST_TITLE = 460
"""Pixels that the words above a narrow picture may take."""
_HTML = """<div class="save"><button type="button" data-kind="svg">Download SVG</button>
<button type="button" data-kind="png">Download PNG</button><span role="status"></span></div>"""
_CSS = """
.save { display: flex; align-items: center; gap: 0.5rem; flex-wrap: wrap; font-family: var(--st-font); }
button {
  font: inherit; font-size: 0.93rem; cursor: pointer;
  color: var(--st-text-color); background: var(--st-background-color);
  border: 1px solid var(--st-border-color); border-radius: 6px; padding: 0.35rem 0.75rem;
}
button:hover { border-color: var(--st-primary-color); color: var(--st-primary-color); }
button:focus-visible { outline: 2px solid var(--st-primary-color); outline-offset: 2px; }
span { font-size: 0.87rem; }
"""
_JS = """
const SVG = "http://www.w3.org/2000/svg";

async function font() {
  for (const sheet of document.styleSheets) {
    let rules = [];
    try { rules = sheet.cssRules; } catch { continue; }
    for (const rule of rules) {
      if (!(rule instanceof CSSFontFaceRule)) continue;
      const [family, style] = ["font-family", "font-style"].map((name) => rule.style.getPropertyValue(name));
      if (!/^["']?Source Sans["']?$/.test(family) || style === "italic") continue;
      const found = /url\\(["']?([^"')]+)/.exec(rule.style.getPropertyValue("src"));
      if (!found) continue;
      const url = new URL(found[1], sheet.href ?? document.baseURI);
      if (url.origin !== location.origin) continue;
      const blob = await (await fetch(url)).blob();
      const data = await new Promise((done) => {
        const reader = new FileReader();
        reader.onload = () => done(reader.result);
        reader.readAsDataURL(blob);
      });
      return `@font-face{font-family:"Source Sans";font-weight:200 900;src:url(${data})}`;
    }
  }
  return "";
}

async function complete(painted, words) {
  const copy = painted.cloneNode(true);
  copy.setAttribute("xmlns", SVG);
  copy.removeAttribute("style");
  const add = (tag, text) => {
    const node = document.createElementNS(SVG, tag);
    node.textContent = text;
    copy.prepend(node);
  };
  const face = await font();
  if (face) add("style", face);
  add("desc", words.provenance);
  add("title", words.title);
  return new XMLSerializer().serializeToString(copy);
}

function raster(text, width, height) {
  const url = URL.createObjectURL(new Blob([text], {type: "image/svg+xml"}));
  return new Promise((done, fail) => {
    const image = new Image();
    image.onerror = () => fail(new Error("the picture could not be painted"));
    image.onload = () => {
      const canvas = document.createElement("canvas");
      canvas.width = 2 * width;
      canvas.height = 2 * height;
      canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
      URL.revokeObjectURL(url);
      canvas.toBlob(done, "image/png");
    };
    image.src = url;
  });
}

function download(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

export default function ({data, parentElement}) {
  const status = parentElement.querySelector("[role=status]");
  for (const button of parentElement.querySelectorAll("button")) {
    button.onclick = async () => {
      const painted = document.querySelector(`.st-key-${data.chart} svg.marks`);
      if (!painted) { status.textContent = "The picture is not painted yet."; return; }
      try {
        const text = await complete(painted, data);
        const blob = button.dataset.kind === "svg"
          ? new Blob([text], {type: "image/svg+xml"})
          : await raster(text, painted.width.baseVal.value, painted.height.baseVal.value);
        download(blob, `${data.name}.${button.dataset.kind}`);
        status.textContent = "";
      } catch (failure) { status.textContent = `Not saved: ${failure.message}.`; }
    };
  }
}
"""


def save_buttons(
    figure: Figure, *, name: str, title: str, provenance: Mapping[str, str], tokens: Tokens
) -> None:
    """Show the picture as it will be saved, and buttons that save it.

    Parameters
    ----------
    figure : Figure
        The picture.
    name : str
        Of the files.
    title : str
        What the picture shows; stands above it.
    provenance : mapping of str to str
        Stands below the title, and in the description of the SVG file.
    tokens : Tokens
        Colours.
    """
    spec = saved_spec(figure, title=title, provenance=provenance, tokens=tokens)
    with st.container(key=f"saved-{name}"):
        st.vega_lite_chart(
            spec=spec | {"datasets": figure.data},
            theme=None,
            alt=title,
            width="content",
            key=f"save-as-{name}",
        )
    words = "\n".join(f"{key}: {value}" for key, value in provenance.items())
    mount = st.components.v2.component("loupe_save_picture", html=_HTML, css=_CSS, js=_JS)
    mount(
        data={"chart": f"saved-{name}", "name": name, "title": title, "provenance": words},
        key=f"save-{name}",
    )


def saved_spec(
    figure: Figure, *, title: str, provenance: Mapping[str, str], tokens: Tokens
) -> dict[str, Any]:
    """Specification of a picture as it is saved: on a ground of its own, with title and provenance."""
    spec = {key: value for key, value in figure.spec.items() if key != "usermeta"}
    is_single = not {"hconcat", "vconcat", "concat", "facet", "repeat"} & set(spec)
    if is_single and not isinstance(spec.get("width"), int | float):
        spec["width"] = WIDTH
    across = max(spec["width"], LEAST_TITLE) if is_single else WIDTH
    small_print = " · ".join(f"{key}: {' '.join(value.split())}" for key, value in provenance.items())
    return spec | {
        "title": {
            "text": wrapped(title, int(across / 8)).split("\n"),
            "subtitle": textwrap.wrap(small_print, int(across / 5)),
            "anchor": "start",
            "fontSize": 14,
            "color": tokens.text,
            "subtitleColor": tokens.muted,
            "subtitleFontSize": 10.5,
            "subtitlePadding": 4,
            "offset": 14,
        },
        "background": tokens.page,
        "autosize": {"type": "pad"},
        "padding": dict.fromkeys(("left", "right", "top", "bottom"), PADDING),
        "usermeta": {"embedOptions": {"renderer": "svg"}},
    }
