"""What a page shows until its code has come and drawn the first words: a frame, and that it is opening."""

from __future__ import annotations

from dashboard.shell.theme import FONT, LIGHT, WORDMARK, paired

_DRAWN = ("h1", ".stSpinner", ".stException", ".st-key-footer")
"""What of the page takes the place of these words."""
_STYLE = """
.loupe-opening {
  position: fixed; inset: 0; z-index: 1; pointer-events: none; color-scheme: light dark;
  background: PAGE; color: TEXT; font: 16px FAMILY;
}
.loupe-opening aside {
  position: absolute; inset: 0 auto 0 0; width: 281px; box-sizing: border-box; padding: 12px 30px;
  background: PANEL; border-right: 1px solid RULE;
}
.loupe-opening p { position: absolute; left: 318px; top: 46px; margin: 0; color: MUTED; }
@media (max-width: 768px) {
  .loupe-opening aside { width: 100%; height: 60px; padding: 12px 18px; background: none; border: 0; }
  .loupe-opening p { left: 18px; top: 80px; }
}
body:has(DRAWN) .loupe-opening { display: none; }
"""


def opening() -> str:
    """Style and words that stand in the document itself; nothing of them needs code."""
    # The typeface is named first: its name holds no name of a colour.
    style = paired(_STYLE).replace("FAMILY", FONT)
    style = style.replace("DRAWN", ", ".join(f".stApp {part}" for part in _DRAWN))
    mark = WORDMARK.replace("ACCENT", LIGHT.soft).replace("TEXT", "currentColor")
    return (
        f'<style>{style}</style><div class="loupe-opening"><aside>{mark}</aside>'
        '<p role="status">Opening …</p></div>'
    )
