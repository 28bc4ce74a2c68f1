# SPDX-License-Identifier: Apache-2.0
"""The result of a launch: plain dicts, lists and numbers, and a page for notebooks."""

from __future__ import annotations

import re
import types
from typing import Any, Mapping, Optional, Sequence

from warpgrade import _page
from warpgrade._types import Backend, Diagnostic, LaunchTime, Line, Occupancy, Resources


# Percentages, means per clock, and stall reasons; the other metrics are sums, or ratios of sums.
# Those of the project's own are never part of it.
_SPEED_OF_LIGHT = re.compile(r"^(?!warpgrade__).*(\.avg\.|\.pct$|_issue_stalled_)")


class Run:
    """One launch of one kernel.

    Attributes:
        kernel, device, backend: what ran where; backend is "sim" or "gpu".
        grid, block: three numbers each.
        metrics: name to number. Names are Nsight Compute's where it has the quantity; others begin with
            `warpgrade__`. Empty on a GPU whose counters cannot be read.
        lines: one dict per source line and operation: `file`, `line`, `operation` ("global load" ...),
            `requests`, `sectors` (of 32 bytes), `wavefronts` (of shared memory), the line's `text`, and its `stalls`.
        instruction_lines: one dict per source line: `file`, `line`, `warp_instructions`, and `stalls`: shares of the
            time of all warps by Nsight Compute's stall reason ("selected": they issue); all lines add up to 1.
        breakdown: parts of the time by name, in seconds; they add up to `seconds`. Empty if the time is measured.
        roofline: operations by kind with their rates and roofs (`arithmetic`), and the bytes of `dram` and `l2`;
            empty without operations.
        speed_of_light: the metrics of Nsight Compute's Speed of Light and stall reasons.
        seconds: time of the launch on the device: simulated, or measured on a GPU.
        bytes: bytes that the kernel's useful accesses need; bytes_per_second: these by `seconds`.
        bound_by: what bounds the time: "dram", "latency", "launch overhead" ...
        skew: uneven data, if it is the cause: `kind` ("contention" or "imbalance"), the numbers, and `text`;
            otherwise None.
        occupancy: `blocks_per_sm`, `warps_per_sm`, `limited_by`.
        resources: `registers_per_thread`, `static_shared_bytes`, `dynamic_shared_bytes`.
        diagnostics: findings, in the form of `KernelError.diagnostics`. Those of a run that raised nothing
            are warnings.
        launches: of a sequence, equal launches in a row: `kernel`, `grid`, `block`, `times`, `seconds`;
            otherwise empty.
        printed: output of `printf` in the kernel.
        advice: sentences on what would reduce the time. note: a remark on results that depend on the
            order of execution, or "".
        compiler_warnings: the compiler's text, or "".
        text: the whole report as `warpgrade profile` prints it; `str(run)` is the same.
        report: the whole report as a dict (docs/json/warpgrade.profile.schema.json).
        simulated_seconds, simulated_metrics: on a GPU, the simulator's time and counters of the same launch
            beside the measured ones; otherwise None and {}.
        source: the source text.
        html: the page of `warpgrade profile --html`, which notebooks show; "" if it was not made.
        previous: in a notebook, the run of the same kernel by `%%profile` before this one, or None.
    """

    def __init__(self, report: dict[str, Any], text: str, source: str, page: str = "") -> None:
        self.report = report
        self.html = page
        self.previous: Optional[Run] = None
        self.text = text
        self.source = source
        self.kernel: str = report["kernel"]
        self.device: str = report["device"]
        self.backend: Backend = report["backend"]
        self.grid: list[int] = report["grid"]
        self.block: list[int] = report["block"]
        self.metrics: dict[str, float] = report["metrics"]
        self.lines: list[Line] = report["lines"]
        self.instruction_lines: list[dict[str, Any]] = report.get("instruction_lines", [])
        self.seconds: float = report["time"]["seconds"]
        self.bytes: int = report["time"]["bytes"]
        self.bytes_per_second: float = report["time"]["bytes_per_second"]
        self.bound_by: str = report["time"]["bound_by"]
        self.breakdown: dict[str, float] = report["time"].get("parts", {})
        self.roofline: dict[str, Any] = report.get("roofline", {})
        self.speed_of_light = {name: value for name, value in self.metrics.items() if _SPEED_OF_LIGHT.search(name)}
        self.skew: Optional[dict[str, Any]] = report["time"].get("skew")
        self.occupancy: Occupancy = report["occupancy"]
        self.resources: Resources = report["resources"]
        self.diagnostics: list[Diagnostic] = report["diagnostics"]
        self.launches: list[LaunchTime] = report.get("launches", [])
        self.simulated_seconds: Optional[float] = report.get("simulated_seconds")
        self.simulated_metrics: dict[str, float] = report.get("simulated_metrics", {})
        self.printed: str = report.get("printed", "")
        self.advice: list[str] = report.get("time_advice", [])
        self.note: str = report.get("note", "")
        self.compiler_warnings: str = report.get("compiler_warnings", "")

    def to_pandas(self, table: str = "lines") -> Any:
        """A pandas.DataFrame of "lines" (default), "metrics" (one row), "diagnostics" or "launches".

        Raises:
            ImportError: pandas is missing.
            ValueError: there is no such table.
        """
        tables: dict[str, Sequence[Mapping[str, Any]]] = {
            "lines": self.lines, "metrics": [self.metrics], "diagnostics": self.diagnostics, "launches": self.launches}
        return to_pandas(tables, table)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<warpgrade.Run {self.kernel} on {self.device}: {_page.seconds(self.seconds)}, bound by {self.bound_by}>"

    def _repr_html_(self) -> str:
        before = self.previous
        how = "measured" if self.backend == "gpu" else "simulated"
        rate = f", {self.bytes_per_second / 1e9:,.4g} GB/s" if self.bytes else ""
        parts = [
            "" if before is None else _page.note(
                f"before: {_page.seconds(before.seconds)}, bound by {before.bound_by}; now: "
                f"{_page.seconds(self.seconds)}, bound by {self.bound_by}"),
            _page.labelled(f"{self.kernel} on {self.device} ({how})", f"{_page.seconds(self.seconds)}{rate}"),
            _page.labelled("why", " ".join([f"bound by {self.bound_by}.", *self.advice]) if self.bound_by else ""),
            *(_page.labelled(one["kind"], f"{one['file']}:{one['line']}: {one['message']}")
              for one in self.diagnostics),
            _page.lines(self.lines, self.source),
            _page.framed(self.html) if self.html else _page.plain(self.text),
        ]
        return "".join(parts)


def to_pandas(tables: Mapping[str, Sequence[Mapping[str, Any]]], table: str) -> Any:
    """The DataFrame of one of `tables`."""
    pandas: types.ModuleType
    import pandas

    if table not in tables:
        raise ValueError(f"{table!r} is not a table; choose one of {', '.join(tables)}")
    return pandas.DataFrame(tables[table])
