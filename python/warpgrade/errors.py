# SPDX-License-Identifier: Apache-2.0
"""The errors of the package. Wrong calls raise `TypeError` or `ValueError`; these are for the rest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional

if TYPE_CHECKING:
    from warpgrade.runs import Run


class KernelError(RuntimeError):
    """The kernel does not compile, or did something wrong while it ran.

    The text is the report's: file, line, message, source line with a caret, block and thread.

    Attributes:
        diagnostics: one dict per finding with the keys `kind`, `severity`, `file`, `line`, `message`,
            `block` and `thread`. Kinds are `out_of_bounds`, `race`, `compile_error` and others
            (docs/json/warpgrade.profile.schema.json). Line 0 is the file as a whole; `block` and
            `thread` are lists of three numbers, or None.
        run: the launch as far as it went, with its counters; its text is the whole report.
    """

    def __init__(self, text: str, diagnostics: list[dict[str, Any]], run: Optional[Run] = None) -> None:
        super().__init__(text)
        self.diagnostics = diagnostics
        self.run = run

    def _render_traceback_(self) -> list[str]:
        """In a notebook: the report alone, since the fault is in the kernel and not in Python."""
        return [f"KernelError: {self}"]


class KernelWarning(UserWarning):
    """A finding that makes no result wrong on any card, such as a benign race."""


class ToolError(RuntimeError):
    """The tool itself could not do its work: no program, no CUDA compiler, no GPU, or a feature that the
    simulator lacks. It is never the kernel's fault.

    Attributes:
        diagnostics: the unsupported features, in the form of `KernelError.diagnostics`; often empty.
    """

    def __init__(self, text: str, diagnostics: Optional[list[dict[str, Any]]] = None) -> None:
        super().__init__(text)
        self.diagnostics = diagnostics or []
