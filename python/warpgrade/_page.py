# SPDX-License-Identifier: Apache-2.0
"""Pages for notebooks: a launch as HTML, and the frame that keeps pages apart.

Each page is complete and goes into an iframe of its own, so that several fit into one notebook and none
changes the notebook's style. Colours follow the reader's choice of light or dark.
"""

from __future__ import annotations

import functools
import html
import pathlib
from typing import TYPE_CHECKING, Any, Iterable

if TYPE_CHECKING:
    from warpgrade.runs import Run

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


@functools.lru_cache(maxsize=None)
def _style() -> str:
    return pathlib.Path(__file__).with_name("page.css").read_text("utf-8")


def _table(head: Iterable[str], rows: Iterable[Iterable[Any]]) -> str:
    cells = "".join(f"<th>{html.escape(one)}</th>" for one in head)
    body = "".join("<tr>" + "".join(_cell(one) for one in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{cells}</tr></thead><tbody>{body}</tbody></table>"


def _cell(value: Any) -> str:
    if isinstance(value, (int, float)):
        shown = f"{value:,.0f}" if float(value).is_integer() else f"{value:,.4g}"
        return f'<td class="number">{shown}</td>'
    return f"<td>{html.escape(str(value))}</td>"


def _per_request(line: dict[str, Any]) -> tuple[float, str]:
    """What a request of a line takes: 4, "sectors per request"."""
    unit = "sectors" if line["sectors"] else "wavefronts"
    return line[unit] / line["requests"], f"{unit} per request"


def _source(run: Run) -> str:
    """The source with each line's counters in its margin."""
    counted: dict[int, list[str]] = {}
    own = next((one["file"] for one in run.lines), "")
    for one in run.lines:
        if one["file"] == own and one["requests"]:
            amount, unit = _per_request(one)
            counted.setdefault(one["line"], []).append(f"{one['operation']}: {amount:.3g} {unit}")
    rows = []
    for number, text in enumerate(run.source.split("\n"), 1):
        margin = "; ".join(counted.get(number, []))
        mark = ' class="counted"' if margin else ""
        rows.append(f'<tr{mark}><td class="number">{number}</td><td><code>{html.escape(text)}</code></td>'
                    f"<td>{html.escape(margin)}</td></tr>")
    return f'<table class="source"><tbody>{"".join(rows)}</tbody></table>'


def _bars(run: Run) -> str:
    """Sectors or wavefronts per request of each line, as bars against their best value."""
    rows = []
    for one in run.lines:
        if one["requests"]:
            amount, unit = _per_request(one)
            rows.append(f'<tr><td>line {one["line"]}</td><td>{html.escape(one["operation"])}</td>'
                        f'<td class="bar"><span style="width:{min(amount / 32, 1) * 100:.1f}%"></span></td>'
                        f'<td class="number">{amount:.3g} {unit}</td></tr>')
    return f"<table>{''.join(rows)}</table>" if rows else ""


def run_page(run: Run) -> str:
    """A launch as a complete page: result, findings, source with counters, metrics."""
    occupancy, resources = run.occupancy, run.resources
    facts = [
        ("time", f"{seconds(run.seconds)}, bound by {run.bound_by}"),
        ("throughput", f"{run.bytes_per_second / 1e9:,.3g} GB/s for {run.bytes:,} bytes"),
        ("grid, block", f"{' × '.join(map(str, run.grid))}, {' × '.join(map(str, run.block))}"),
        ("occupancy", f"{occupancy['blocks_per_sm']} blocks, {occupancy['warps_per_sm']} warps per SM, limited by "
                      f"{occupancy['limited_by']}"),
        ("resources", f"{resources['registers_per_thread']} registers per thread, "
                      f"{resources['static_shared_bytes'] + resources['dynamic_shared_bytes']:,} bytes of shared "
                      "memory per block"),
    ]
    how = "measured" if run.backend == "gpu" else "simulated"
    findings = "".join(
        f'<li class="{one["severity"]}">{html.escape(one["kind"])}, line {one["line"]}: '
        f"{html.escape(one['message'])}</li>" for one in run.diagnostics)
    parts = [
        f"<h1>{html.escape(run.kernel)} on {html.escape(run.device)} ({how})</h1>",
        f"<ul>{findings}</ul>" if findings else "",
        _table(("", ""), facts),
        "".join(f"<p>{html.escape(one)}</p>" for one in (*run.advice, run.note) if one),
        _bars(run),
        f"<details open><summary>source</summary>{_source(run)}</details>",
        f"<details><summary>metrics</summary>{_table(('metric', 'value'), run.metrics.items())}</details>",
        f"<details open><summary>printed</summary><pre>{html.escape(run.printed)}</pre></details>" if run.printed else "",
    ]
    return (f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{html.escape(run.kernel)}</title>'
            f"<style>{_style()}</style></head><body>{''.join(parts)}</body></html>")
