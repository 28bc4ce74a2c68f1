# SPDX-License-Identifier: Apache-2.0
"""`verify`: whether a new kernel computes what an old one computes."""

from __future__ import annotations

import json
import os
import pathlib
import tempfile
from typing import Any, Mapping, Optional, Sequence, Union

from warpgrade import _program
from warpgrade._source import Source
from warpgrade._types import Extent, PathLike

Size = Union[int, str, Sequence[Any]]
Expression = Union[int, str]


class Verification:
    """The verdict on two kernels.

    Attributes:
        verdict: "equal", "different" or "undecided".
        why: the reason for an undecided verdict; else None.
        counterexample: the smallest case that shows a difference, as a dict with `sizes`, `inputs`, `difference`
            and the `command` that shows it again; else None.
        diagnostics: the faults that were found, as of a Run.
        new, old: dicts of both kernels; with `metrics`, `time` and `resources` if they were measured.
        measured_at: the sizes at which they were measured; else None.
        report: the whole report (schema warpgrade.verify/1).
        text: the report as the program prints it.
    """

    def __init__(self, report: dict[str, Any], text: str) -> None:
        self.report = report
        self.text = text
        self.verdict: str = report["verdict"]
        self.why: Optional[str] = report["why"]
        self.counterexample: Optional[dict[str, Any]] = report["counterexample"]
        self.diagnostics: list[dict[str, Any]] = report["diagnostics"]
        self.new: dict[str, Any] = report["new"]
        self.old: dict[str, Any] = report["old"]
        self.measured_at: Optional[dict[str, Any]] = report["measured_at"]

    def __repr__(self) -> str:
        return self.text.rstrip()


def _limits(name: str, given: Size) -> str:
    """The option for a size: a number or an expression, or (least, most) or (least, most, step)."""
    if isinstance(given, (tuple, list)):
        if not 2 <= len(given) <= 3:
            raise ValueError(f"sizes[{name!r}] is {given!r}; limits are (least, most) or (least, most, step)")
        return f"{name}={given[0]}..{given[1]}" + (f":{given[2]}" if len(given) == 3 else "")
    return f"{name}={given}"


def _extents(given: Union[Expression, Sequence[Expression]]) -> str:
    return ",".join(map(str, given)) if isinstance(given, (tuple, list)) else str(given)


def verify(new: PathLike, old: PathLike, *, grid: Union[Extent, Expression, Sequence[Expression]],
           block: Union[Extent, Expression, Sequence[Expression]], args: Sequence[str],
           sizes: Optional[Mapping[str, Size]] = None, kernel: Optional[str] = None, old_kernel: Optional[str] = None,
           shared_mem: Expression = 0, old_grid: Any = None, old_block: Any = None,
           old_shared_mem: Optional[Expression] = None, ulps: Expression = 0, magnitude: Expression = 0,
           inputs: Optional[str] = None, cases: int = 100, at: Optional[Mapping[str, int]] = None,
           device: str = "h200", seed: Optional[int] = None, options: Sequence[str] = ()) -> Verification:
    """Runs both kernels on the same inputs at many sizes, and compares their results, counters and times.

    Args:
        new, old: CUDA C++ text or the path of a file, as for RawKernel; or of a PTX file.
        grid, block, shared_mem: the launch; extents are numbers or expressions of the sizes, such as
            `"ceil_div(n, 256)"`. `old_grid`, `old_block` and `old_shared_mem` are for the old kernel if it differs.
        args: one text per parameter, such as `"in:f32:height x width"`, `"out:f32:n"` or `"i32:n"`; see
            `warpgrade verify --help`.
        sizes: `{"n": (1, 5000)}`, `(least, most, step)`, or an expression of earlier sizes.
        kernel, old_kernel: the names; not needed if the files have one kernel each.
        ulps, magnitude: the permitted difference of floats; by default every bit is compared.
        inputs: the only kind of inputs (default: all kinds).
        cases: the number of cases.
        at: sizes at which counters and times are compared (default: the largest).
        device, seed, options: as for RawKernel and `warpgrade verify`.

    Raises:
        ValueError: the launch or an argument does not fit.
        ToolError: the tool could not work. An undecided verdict is no error.
    """
    with tempfile.TemporaryDirectory(prefix="warpgrade-") as folder:
        sources = []
        for name, given in (("new", new), ("old", old)):
            source = Source(given, options)
            sources.append(source)
            if source.path is None:
                pathlib.Path(folder, f"{name}.cu").write_text(source.text, "utf-8")
        paths = [str(source.path or f"{name}.cu") for name, source in zip(("new", "old"), sources)]
        words = [paths[0], "--against", paths[1], "--grid", _extents(grid), "--block", _extents(block),
                 "--shared", str(shared_mem), "--ulps", str(ulps), "--magnitude", str(magnitude),
                 "--cases", str(cases), "--device", os.path.abspath(device) if device.endswith(".toml") else device]
        for option, value in (("--kernel", kernel), ("--old-kernel", old_kernel), ("--inputs", inputs), ("--seed", seed),
                              ("--old-shared", old_shared_mem)):
            words += [] if value is None else [option, str(value)]
        for option, extents in (("--old-grid", old_grid), ("--old-block", old_block)):
            words += [] if extents is None else [option, _extents(extents)]
        for name, limits in (sizes or {}).items():
            words += ["--size", _limits(name, limits)]
        for name, size in (at or {}).items():
            words += ["--at", f"{name}={size}"]
        for one in args:
            words += ["--arg", one]
        path = os.path.join(folder, "report.json")
        done = _program.run(["verify", *words, *sources[0].compile_words(), "--json", path], folder)
        if not os.path.exists(path):
            _program.raise_failure(done)
        with open(path, encoding="utf-8") as file:
            return Verification(json.load(file), done.stdout)
