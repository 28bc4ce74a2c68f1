# SPDX-License-Identifier: Apache-2.0
"""Pages in notebooks: the frame that keeps them apart.

Each page is complete and goes into an iframe of its own, so that several fit into one notebook and none
changes the notebook's style. Colours follow the reader's choice of light or dark.
"""

from __future__ import annotations

import html

_UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))
# The frame gets the height of its page when that has loaded.
_FRAME = ('<iframe srcdoc="{}" title="warpgrade" style="width:100%;height:30em;border:0" loading="lazy" '
          'onload="this.style.height=Math.min(this.contentDocument.documentElement.scrollHeight+8,1600)+\'px\'">'
          "</iframe>")


def seconds(value: float) -> str:
    """A time with its unit: "5.31 µs"."""
    for scale, unit in _UNITS:
        if value >= scale:
            return f"{value / scale:.3g} {unit}"
    return "0 s" if value == 0 else f"{value / 1e-9:.3g} ns"


def framed(page: str) -> str:
    """A complete page as an element of a notebook."""
    return _FRAME.format(html.escape(page))


def note(text: str) -> str:
    """A line above a page."""
    return f"<div>{html.escape(text)}</div>"


def plain(text: str) -> str:
    """A text report as an element of a notebook."""
    return f"<pre>{html.escape(text)}</pre>"
