# SPDX-License-Identifier: Apache-2.0
"""Types of the dicts in results, and of the words that calls accept."""

from __future__ import annotations

import os
from typing import Literal, Optional, Sequence, TypedDict, Union

Extent = Union[int, Sequence[int]]
PathLike = Union[str, "os.PathLike[str]"]
Backend = Literal["sim", "gpu"]
GradeBackend = Literal["auto", "sim", "gpu"]
Verdict = Literal["pass", "fail", "inconclusive", "error"]
Reason = Literal["none", "compile", "diagnostic", "incorrect", "mechanism", "performance", "tool"]
DiagnosticKind = Literal["out_of_bounds", "misaligned", "uninitialized_read", "input_modified", "race",
                         "divergent_barrier", "deadlock", "runaway", "trap", "unsupported", "compile_error"]


class Diagnostic(TypedDict):
    """A finding. Line 0 is the file as a whole; block and thread have three numbers."""

    kind: DiagnosticKind
    severity: Literal["error", "warning"]
    file: str
    line: int
    message: str
    block: Optional[list[int]]
    thread: Optional[list[int]]


class _LineCounters(TypedDict):

    file: str
    line: int
    operation: str
    requests: int
    sectors: int
    wavefronts: int


class Line(_LineCounters, total=False):
    """The counters of one operation in a line of the source. An included file's line has no text."""

    text: str
    stalls: dict[str, float]


class Occupancy(TypedDict):
    """The blocks that fit on a multiprocessor."""

    blocks_per_sm: int
    warps_per_sm: int
    limited_by: Literal["warps", "blocks", "registers", "shared", ""]


class Resources(TypedDict):
    """What the kernel uses."""

    registers_per_thread: int
    static_shared_bytes: int
    dynamic_shared_bytes: int


class LaunchTime(TypedDict):
    """Equal launches in a row, of a sequence."""

    kernel: str
    grid: list[int]
    block: list[int]
    times: int
    seconds: float


class Gate(TypedDict, total=False):
    """A gate of an exercise; `value` is None if it was not measured. Keys after `passed` are a GPU's."""

    id: str
    metric: str
    device: str
    value: Optional[float]
    min: Optional[float]
    max: Optional[float]
    points: float
    passed: bool
    low: Optional[float]
    high: Optional[float]
    undecided: bool
    waived: bool


class GateLines(TypedDict):
    """The counters by line that explain a gate."""

    gate: str
    device: str
    lines: list[Line]


class Parameter(TypedDict):
    """A parameter of a kernel. Without a type, the compiler could not name it."""

    name: str
    bytes: int
    kind: Literal["float", "integer or address", "structure"]
    type: Optional[str]
    pointee_bytes: int


class KernelFacts(TypedDict):
    """A compiled kernel (docs/json/warpgrade.kernel.schema.json)."""

    kernel: str
    parameters: list[Parameter]
    registers_per_thread: int
    static_shared_bytes: int
    local_bytes: int
    constant_bytes: int
    most_threads_per_block: int
    most_dynamic_shared_bytes: int
    architecture: str
