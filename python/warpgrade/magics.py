# SPDX-License-Identifier: Apache-2.0
"""The magics of `%load_ext warpgrade`: `%%grade`, `%%profile` and `%watch`.

    %%grade coalescing/copy [--device PROFILE] [--backend auto|sim|gpu] [--seed N]
        The cell is the submission. The result is a Grade, which the notebook shows as a page.

    %%profile [KERNEL] --grid X[,Y[,Z]] --block X[,Y[,Z]] [--arg ARG]... [--shared BYTES] [--device PROFILE]
              [--backend sim|gpu] [--cooperative] [-I DIR]... [-D NAME=VALUE]... [--option OPTION]...
        The cell is CUDA C++ source. An ARG is a variable or expression of the notebook (an array, changed
        in place, or a number) or a SPEC of `warpgrade profile`, such as in:f32:1024:iota. A number
        without a type has the width of its parameter. OPTION is one of RawKernel's options. The result is a Run.

    %watch coalescing/copy FILE [--device PROFILE] [--backend auto|sim|gpu] [--seed N] [--runs N]
        Grades FILE now and each time that it is saved, until it passes, after N grades, or until you
        interrupt the cell. The page is updated in place.

Results are kept in order: `history("coalescing/copy")` and `history("KERNEL")` list them, and each page says
how the newest compares with the one before. A kernel's fault is shown as the report, not as a traceback.
"""

from __future__ import annotations

import argparse
import os
import shlex
import time
from typing import Any, NoReturn, Optional, Sequence, Union

from IPython.core.error import UsageError
from IPython.core.magic import Magics, cell_magic, line_magic, magics_class
from IPython.display import display

from warpgrade import _arguments
from warpgrade.grades import Grade, grade
from warpgrade.kernels import RawKernel
from warpgrade.runs import Run

Result = Union[Grade, Run]
_SPECS = ("in:", "inout:", "out:", "same:", "struct:", "int:", "bool:", "i8:", "u8:", "i16:", "u16:", "i32:", "u32:",
          "i64:", "u64:", "f32:", "f64:")


_POLL_SECONDS = 0.3


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{self.prog}: {message}\n{self.format_usage().strip()}")


def _grade_parser(program: str = "%%grade") -> _Parser:
    parser = _Parser(prog=program, add_help=False)
    parser.add_argument("exercise", metavar="LAB/EXERCISE")
    parser.add_argument("--device")
    parser.add_argument("--backend", choices=("auto", "sim", "gpu"), default="auto")
    parser.add_argument("--seed", type=int)
    return parser


def _watch_parser() -> _Parser:
    parser = _grade_parser("%watch")
    parser.add_argument("file", metavar="FILE")
    parser.add_argument("--runs", type=int, metavar="N")
    return parser


def _pause() -> None:
    """Waits before the next look at the file."""
    time.sleep(_POLL_SECONDS)


def _saved_at(path: str) -> Optional[tuple[int, int]]:
    """A value that changes when a file is saved; None while the file is missing."""
    try:
        found = os.stat(path)
    except FileNotFoundError:
        return None
    return found.st_mtime_ns, found.st_size


def _profile_parser() -> _Parser:
    parser = _Parser(prog="%%profile", add_help=False)
    parser.add_argument("kernel", metavar="KERNEL", nargs="?")
    parser.add_argument("--grid", required=True)
    parser.add_argument("--block", required=True)
    parser.add_argument("--arg", action="append", default=[], metavar="ARG")
    parser.add_argument("--shared", type=int, default=0, metavar="BYTES")
    parser.add_argument("--device", default="h200")
    parser.add_argument("--backend", choices=("sim", "gpu"), default="sim")
    parser.add_argument("--cooperative", action="store_true")
    parser.add_argument("-I", action="append", default=[], dest="folders", metavar="DIR")
    parser.add_argument("-D", action="append", default=[], dest="macros", metavar="NAME=VALUE")
    parser.add_argument("--option", action="append", default=[], metavar="OPTION")
    return parser


def _extents(text: str) -> list[int]:
    try:
        return [int(one) for one in text.split(",")]
    except ValueError:
        raise UsageError(f"%%profile: {text} is not X[,Y[,Z]]") from None


@magics_class
class WarpgradeMagics(Magics):
    """The cell magics, with the results of this session."""

    def __init__(self, shell: Any) -> None:
        super().__init__(shell)
        self._results: dict[str, list[Result]] = {}
        shell.push({"history": self.history}, interactive=False)

    def history(self, name: str) -> list[Result]:
        """All results of an exercise or kernel in this session, oldest first."""
        return list(self._results.get(name, []))

    @cell_magic("grade")
    def grade_cell(self, line: str, cell: str) -> Grade:
        """Grades the cell as a submission."""
        asked = _grade_parser().parse_args(shlex.split(line))
        made = grade(asked.exercise, cell, device=asked.device, backend=asked.backend, seed=asked.seed)
        self._keep(made.exercise, made)
        return made

    @line_magic("watch")
    def watch_line(self, line: str) -> Optional[Grade]:
        """Grades a file each time that it is saved; returns the last grade."""
        asked = _watch_parser().parse_args(shlex.split(line))
        if _saved_at(asked.file) is None:
            raise UsageError(f"%watch: {asked.file}: no such file")
        made: Optional[Grade] = None
        handle = None
        runs = 0
        try:
            while True:
                saved = _saved_at(asked.file)
                made = grade(asked.exercise, os.path.abspath(asked.file), device=asked.device, backend=asked.backend,
                             seed=asked.seed)
                self._keep(made.exercise, made)
                if handle is None:
                    handle = display(made, display_id=True)
                else:
                    handle.update(made)
                runs += 1
                if made.verdict == "pass" or runs == asked.runs:
                    break
                while _saved_at(asked.file) in (saved, None):
                    _pause()
        except KeyboardInterrupt:  # the way to end it
            pass
        return None if handle is not None else made

    @cell_magic("profile")
    def profile_cell(self, line: str, cell: str) -> Run:
        """Runs one kernel of the cell."""
        asked = _profile_parser().parse_args(shlex.split(line))
        options = [*(word for folder in asked.folders for word in ("-I", folder)),
                   *(f"-D{macro}" for macro in asked.macros), *asked.option]
        kernel = RawKernel(cell if "\n" in cell else cell + "\n", asked.kernel, options,
                           enable_cooperative_groups=asked.cooperative)
        run = kernel(_extents(asked.grid), _extents(asked.block), self._values(asked.arg), shared_mem=asked.shared,
                     device=asked.device, backend=asked.backend)
        self._keep(kernel.name, run)
        return run

    def _values(self, texts: Sequence[str]) -> tuple[Any, ...]:
        return tuple(_arguments.Spec(one) if one.startswith(_SPECS) else self._value(one) for one in texts)

    def _value(self, text: str) -> Any:
        try:
            return self.shell.ev(text)
        except Exception as error:
            raise UsageError(f"%%profile: --arg {text}: {error}; it must be an expression of this notebook, or a "
                             "SPEC such as in:f32:1024:iota") from None

    def _keep(self, name: str, result: Result) -> None:
        before = self._results.setdefault(name, [])
        if before:
            result.previous = before[-1]
        before.append(result)
