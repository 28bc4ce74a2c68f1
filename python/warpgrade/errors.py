# SPDX-License-Identifier: Apache-2.0
"""The errors of the package. Wrong calls raise `TypeError` or `ValueError`; these are for the rest.

All of them can be pickled, so that a pool of processes passes them on.
"""

from __future__ import annotations

import sys
import warnings
from typing import TYPE_CHECKING, Any, Optional

from warpgrade._types import Diagnostic

if TYPE_CHECKING:
    from warpgrade.runs import Run


class KernelError(RuntimeError):
    """The kernel does not compile, or did something wrong while it ran.

    The text is the report's: file, line, message, source line, block and thread. A caret is below the access
    that is wrong if the line has only one to that array.

    Attributes:
        diagnostics: one dict per finding with the keys `kind`, `severity`, `file`, `line`, `message`,
            `block` and `thread`. Kinds are `out_of_bounds`, `race`, `compile_error` and others
            (docs/json/warpgrade.profile.schema.json). Line 0 is the file as a whole; `block` and
            `thread` are lists of three numbers, or None.
        run: the launch as far as it went, with its counters; its text is the whole report.
    """

    def __init__(self, text: str, diagnostics: Optional[list[Diagnostic]] = None, run: Optional[Run] = None) -> None:
        super().__init__(text)
        self.diagnostics = diagnostics or []
        self.run = run

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self), self.diagnostics, self.run), self.__dict__

    def _render_traceback_(self) -> list[str]:
        """In a notebook: the report alone, since the fault is in the kernel and not in Python."""
        return [f"KernelError: {self}"]


class KernelWarning(UserWarning):
    """A finding that makes no result wrong on any card, such as a benign race."""


class ArgumentWarning(UserWarning):
    """The elements of an array have another type than what the kernel's pointer points to."""


class ToolError(RuntimeError):
    """The tool itself could not do its work: no program, no CUDA compiler, no GPU, or a feature that the
    simulator lacks. It is never the kernel's fault.

    Attributes:
        diagnostics: the unsupported features, in the form of `KernelError.diagnostics`; often empty.
    """

    def __init__(self, text: str, diagnostics: Optional[list[Diagnostic]] = None) -> None:
        super().__init__(text)
        self.diagnostics = diagnostics or []

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self), self.diagnostics), self.__dict__


def warn(text: str, category: type[Warning]) -> None:
    """Warns at the line that has called this package."""
    level, frame = 1, sys._getframe()
    while frame is not None and str(frame.f_globals.get("__name__", "")).partition(".")[0] == "warpgrade":
        level, frame = level + 1, frame.f_back  # type: ignore[assignment]
    warnings.warn(text, category, stacklevel=level)
