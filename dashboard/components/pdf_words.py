"""Words about a PDF that nobody sees on its pages: title, subject and the like."""

from __future__ import annotations

import re
from collections.abc import Mapping

_TRAILER = re.compile(
    rb"trailer\s*<<\s*/Size (\d+)\s*/Root (\d+ 0 R)\s*/Info (\d+) 0 R\s*>>\s*startxref\s*(\d+)\s*%%EOF\s*$"
)
"""End of a file with a table of places (PDF 1.7, 7.5.4 and 7.5.5)."""


def described_pdf(pdf: bytes, words: Mapping[str, str]) -> bytes:
    """Append a document information dictionary, as an update of the file (PDF 1.7, 7.5.6 and 14.3.3).

    Parameters
    ----------
    pdf : bytes
        Whole file; one that ends otherwise than those that are painted here stays as it is.
    words : mapping of str to str
        By keys of the dictionary, such as ``Title``.
    """
    found = _TRAILER.search(pdf)
    if found is None:
        return pdf
    size, root, info, before = found.groups()
    entries = "".join(
        f"/{key} <FEFF{text.encode('utf-16-be').hex().upper()}>\n" for key, text in words.items()
    )
    start = pdf + (b"" if pdf.endswith(b"\n") else b"\n")
    update = b"%s 0 obj\n<<\n%s>>\nendobj\n" % (info, entries.encode())
    table = b"xref\n0 1\n0000000000 65535 f\r\n%s 1\n%010d 00000 n\r\n" % (info, len(start))
    trailer = b"trailer\n<<\n/Size %s\n/Root %s\n/Info %s 0 R\n/Prev %s\n>>\n" % (size, root, info, before)
    return start + update + table + trailer + b"startxref\n%d\n%%%%EOF\n" % (len(start) + len(update))
