# SPDX-License-Identifier: Apache-2.0
"""Results in notebooks: a summary in plain HTML, and the complete page in a frame.

Notebooks that a reader does not trust, and sites that show notebooks, remove frames. Therefore the summary has no
script and no style that it needs. A page goes into an iframe of its own, so that several fit into one notebook and
none changes the notebook's style. Colours follow the reader's choice of light or dark.
"""

from __future__ import annotations

import html
from typing import Any, Iterable, Mapping, Sequence

_UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))
_MOST_ROWS = 40
# The frame has the height of its page, also after parts of it were opened or closed.
_FRAME = ('<iframe srcdoc="{}" title="warpgrade" style="width:100%;height:30em;border:0" '
          'onload="const b=this.contentDocument.body,'
          "f=()=>{{this.style.height=Math.ceil(b.getBoundingClientRect().bottom)+24+'px'}};"
          'f();new ResizeObserver(f).observe(b)"></iframe>')


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
    """A line of text."""
    return f"<div>{html.escape(text)}</div>"


def labelled(label: str, text: str) -> str:
    """A line with a label; "" without a text."""
    return f"<div><b>{html.escape(label)}</b> {html.escape(text)}</div>" if text else ""


def plain(text: str) -> str:
    """A text report as an element of a notebook."""
    return f"<pre>{html.escape(text)}</pre>"


def _cell(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.4g}"
    return html.escape(f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value))


def table(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """A table; "" without rows."""
    cells = ["".join(f"<td>{_cell(value)}</td>" for value in row) for row in rows]
    if not cells:
        return ""
    more = note(f"and {len(cells) - _MOST_ROWS} more rows") if len(cells) > _MOST_ROWS else ""
    head = "".join(f"<th>{html.escape(name)}</th>" for name in columns)
    return (f"<table><thead><tr>{head}</tr></thead><tbody>" +
            "".join(f"<tr>{one}</tr>" for one in cells[:_MOST_ROWS]) + f"</tbody></table>{more}")


def lines(all_lines: Sequence[Mapping[str, Any]], source: str) -> str:
    """The counters of source lines, with the text of each line."""
    texts = source.splitlines()
    rows = []
    for one in all_lines:
        text = texts[one["line"] - 1].strip() if 0 < one["line"] <= len(texts) else ""
        unit, count = ("sectors", one["sectors"]) if one["sectors"] else ("wavefronts", one["wavefronts"])
        each = f"{count / one['requests']:.3g} {unit}" if one["requests"] else ""
        rows.append((str(one["line"]), one["operation"], one["requests"], each, text))
    return table(("line", "operation", "requests", "per request", "source"), rows)
