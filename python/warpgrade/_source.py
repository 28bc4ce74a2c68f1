# SPDX-License-Identifier: Apache-2.0
"""The source of kernels with the options of the compiler, and what the program says about it."""

from __future__ import annotations

import hashlib
import itertools
import json
import os
import pathlib
import tempfile
from typing import Any, Optional, Sequence

from warpgrade import _program
from warpgrade._types import KernelFacts, PathLike
from warpgrade.errors import KernelError, ToolError
from warpgrade.runs import Run

SUFFIXES = (".cu", ".cuh", ".cpp", ".ptx")
_FILE = "kernel.cu"  # the name of a source that comes as text
# Options whose value may be the next item, and the form with the value attached.
_WITH_VALUE = {"-D": "-D", "--define-macro": "-D", "-U": "-U", "--undefine-macro": "-U", "-std": "-std=",
               "--std": "-std=", "--maxrregcount": "--maxrregcount=", "-maxrregcount": "--maxrregcount="}
_HEADERS = str(pathlib.Path(__file__).resolve().parent / "include")  # of CuPy
_numbers = itertools.count()
_MOST_FACTS = 1024
_facts: dict[tuple[str, str, str], KernelFacts] = {}  # by the key of the source, the kernel and the device


def is_path(source: PathLike) -> bool:
    """Whether `source` names a file: a pathlib.Path, or one line that ends with .cu, .cuh, .cpp or .ptx."""
    return not isinstance(source, str) or ("\n" not in source and source.endswith(SUFFIXES))


class Source:
    """CUDA C++ text or a file, with the options of CuPy's compiler call that mean something here."""

    def __init__(self, source: PathLike, options: Sequence[str]) -> None:
        if not isinstance(source, (str, os.PathLike)):
            raise TypeError(f"the source is a {type(source).__name__}; it must be CUDA C++ text or a path")
        if isinstance(options, str):
            raise TypeError(f"options is the string {options!r}; it must be a tuple of strings: ({options!r},)")
        self.path: Optional[pathlib.Path] = pathlib.Path(source).resolve() if is_path(source) else None
        if self.path is not None and not self.path.is_file():
            raise ValueError(f"{self.path}: no such file")
        self.text = str(source) if self.path is None else self.path.read_text("utf-8", "replace")
        self.folders: list[str] = []
        self.options: list[str] = []
        self._read_options(list(options))
        self._key = self._make_key()

    def _read_options(self, options: list[str]) -> None:
        while options:
            option = options.pop(0)
            if not isinstance(option, str):
                raise TypeError(f"options has the {type(option).__name__} {option!r}; its items must be strings")
            name = next((one for one in ("--include-path=", "-I") if option.startswith(one)), None)
            if name is not None:
                self._add_folder(option[len(name):].strip() or (options.pop(0) if options else ""))
            elif option in _WITH_VALUE and options:
                self.options.append(_WITH_VALUE[option] + options.pop(0))
            else:
                self.options.append(option)

    def _add_folder(self, folder: str) -> None:
        if not os.path.isdir(folder):
            raise ValueError(f"option -I {folder}: no such folder")
        self.folders.append(os.path.abspath(folder))

    def _make_key(self) -> str:
        """Equal for sources that compile to the same program. Files may change, so a source in one, or with folders
        of headers, is compiled once per object."""
        has_files = self.path is not None or bool(self.folders)
        own = [os.getpid(), next(_numbers)] if has_files else []
        parts = [self.text, str(self.path), self.options, self.folders, own]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()

    def is_same(self, other: Source) -> bool:
        """Whether both are the same text with the same options."""
        return (self.text, self.path, self.options, self.folders) == (other.text, other.path, other.options,
                                                                      other.folders)

    def words(self, folder: str) -> list[str]:
        """The source and its options as words of `warpgrade profile`; text is written into `folder`."""
        if self.path is None:
            pathlib.Path(folder, _FILE).write_text(self.text, "utf-8")
        return [_FILE if self.path is None else str(self.path), *self.compile_words(), f"--same-program={self._key}"]

    def compile_words(self) -> list[str]:
        """The folders of headers and the options of the compiler as words of the command line."""
        folders = [*self.folders, *([_HEADERS] if "cupy/" in self.text else [])]
        return [*(word for one in folders for word in ("-I", one)),
                *(f"--compiler-option={option}" for option in self.options)]

    def facts(self, kernel: Optional[str], device: str) -> KernelFacts:
        """Compiles for `device`; returns what is known about the kernel, by default the only one.

        Raises:
            KernelError: the source does not compile, or has no such kernel.
            ValueError: no kernel is named, and the source has none or several; or as for a call.
            ToolError: as for a call.
        """
        place = (self._key, kernel, device)
        known = _facts.get(place)
        if known is None:
            named = [] if kernel is None else ["--kernel", kernel]
            known = self.listed([*named, "--device", device, "--list-kernel"])
            if len(_facts) == _MOST_FACTS:
                _facts.clear()
            if not device.endswith(".toml"):  # such a file may change
                _facts[place] = known
        return known

    def listed(self, words: list[str]) -> Any:
        """The JSON that the program writes to a file, whose option is the last of `words`.

        Raises: as facts().
        """
        with tempfile.TemporaryDirectory(prefix="warpgrade-") as folder:
            listed, report = os.path.join(folder, "listed.json"), os.path.join(folder, "report.json")
            done = _program.request(["profile", *self.words(folder), *words, listed, "--json", report], folder)
            if os.path.exists(listed):
                return json.loads(pathlib.Path(listed).read_text("utf-8"))
            if not os.path.exists(report):
                _program.raise_failure(done)
            made = json.loads(pathlib.Path(report).read_text("utf-8"))
        run = Run(made, made.get("diagnostics_text", ""), self.text)
        raise_findings(run, done.returncode)
        raise AssertionError  # A report without a list has a failure.


def raise_findings(run: Run, code: int) -> None:
    """Raises the error of a run whose exit code is not 0."""
    if code == 0:
        return
    text = run.report.get("diagnostics_text") or run.text
    errors = [one for one in run.diagnostics if one["severity"] == "error"]
    if code == _program.TOOL_FAILED:
        raise ToolError(text.rstrip(), errors)
    raise KernelError(text.rstrip(), errors, run)
