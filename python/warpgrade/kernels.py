# SPDX-License-Identifier: Apache-2.0
"""Kernels from CUDA C++ source, called as CuPy's are: `RawKernel` and `RawModule`."""

from __future__ import annotations

import json
import math
import operator
import os
import pathlib
import sys
import tempfile
import warnings
from typing import Any, Optional, Sequence, Union

from warpgrade import _program, _progress, _symbols
from warpgrade._arguments import Arguments, describe
from warpgrade.errors import KernelError, KernelWarning, ToolError
from warpgrade.runs import Run

Extent = Union[int, Sequence[int]]
PathLike = Union[str, "os.PathLike[str]"]

_SUFFIXES = (".cu", ".cuh", ".cpp")
_MOST_THREADS = 1024  # of a block, on every card
_FILE = "kernel.cu"   # the name of a source that comes as text
# Options whose value may be the next item, and the form with the value attached.
_WITH_VALUE = {"-D": "-D", "--define-macro": "-D", "-U": "-U", "--undefine-macro": "-U", "-std": "-std=",
               "--std": "-std=", "--maxrregcount": "--maxrregcount=", "-maxrregcount": "--maxrregcount="}
# NumPy types of a parameter by its bytes, for messages.
_TYPES = {
    1: "bool, numpy.int8 or numpy.uint8",
    2: "numpy.int16, numpy.uint16 or numpy.float16",
    4: "numpy.int32 or numpy.uint32",
    8: "an array, numpy.int64 or numpy.uint64",
}
_FLOATS = {4: "numpy.float32", 8: "numpy.float64 or float"}
_STRUCTURE = "a structure (numpy.void, or a 0-d array with a structured dtype)"


def is_path(source: PathLike) -> bool:
    """Whether `source` names a file: a pathlib.Path, or one line that ends with .cu, .cuh or .cpp."""
    return not isinstance(source, str) or ("\n" not in source and source.endswith(_SUFFIXES))


def _extents(what: str, given: Extent) -> list[int]:
    """One to three positive numbers as three."""
    values = list(given) if isinstance(given, (tuple, list)) else [given]
    if not 1 <= len(values) <= 3:
        raise ValueError(f"{what} is {given!r}; it has one to three numbers, such as (32, 8)")
    try:
        out = [operator.index(one) for one in values]
    except TypeError:
        raise TypeError(f"{what} is {given!r}; its numbers must be integers: use // for a division") from None
    if min(out) < 1:
        raise ValueError(f"{what} is {given!r}; its numbers must be positive")
    return out + [1] * (3 - len(out))


class _Source:
    """The source of kernels, with the options of CuPy's compiler call that mean something here."""

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

    def write(self, folder: str) -> str:
        """Writes the source into `folder` if that is needed; returns the path for the program."""
        if self.path is not None:
            return str(self.path)
        pathlib.Path(folder, _FILE).write_text(self.text, "utf-8")
        return _FILE

    def compile_options(self) -> list[str]:
        """The folders and the compiler's options, as the program's options."""
        return [*(word for folder in self.folders for word in ("-I", folder)),
                *(f"--compiler-option={option}" for option in self.options)]


class RawKernel:
    """A kernel of CUDA C++ source, called on NumPy arrays.

    Args:
        code: CUDA C++ text, or the path of a file (a pathlib.Path, or a string that ends with .cu).
        name: the kernel: an `extern "C"` name, a plain C++ name, or an instance of a template such as
            `"scale<float, 4>"`.
        options: as for NVRTC: `-I DIR`, `-D NAME=VALUE`, `-std=c++17` or `c++20`, `--use_fast_math` and others.
            The first call raises ValueError for an option that is not supported.
        backend: CuPy's choice of a compiler; no effect.
        enable_cooperative_groups: launch cooperatively, so that `grid.sync()` works.

    Other keywords of CuPy's constructor (`translate_cucomplex`, `jitify`) are accepted and have no effect.
    The source is compiled at each call.

    Raises:
        TypeError, ValueError: wrong source or options.
    """

    def __init__(self, code: PathLike, name: str, options: Sequence[str] = (), backend: str = "nvrtc", *,
                 translate_cucomplex: bool = False, enable_cooperative_groups: bool = False,
                 jitify: bool = False) -> None:
        del backend, translate_cucomplex, jitify
        if not isinstance(name, str) or not name:
            raise TypeError(f"the kernel's name is {name!r}; it must be text")
        self._source = _Source(code, options)
        self._cooperative = enable_cooperative_groups
        self._symbols = _symbols.Symbols()
        self.name = name

    @property
    def code(self) -> str:
        """The source text."""
        return self._source.text

    def __repr__(self) -> str:
        return f"<warpgrade.RawKernel {self.name}>"

    def compile(self, log_stream: Any = None) -> None:
        """Does nothing: a call compiles. For code that was written for CuPy."""

    def __call__(self, grid: Extent, block: Extent, args: Sequence[Any] = (), *, shared_mem: int = 0,
                 device: str = "h200", backend: str = "sim", stream: Any = None, page: Optional[bool] = None) -> Run:
        """Runs the kernel once and waits for it.

        Args:
            grid: number of blocks, one to three integers (x, y, z).
            block: threads per block, likewise; at most 1,024 in all.
            args: one per parameter. A NumPy array (C or Fortran order, writeable) is a pointer to its
                elements and is changed in place; the same array twice is the same memory. A NumPy scalar
                has its own width, `numpy.void` or a structured 0-d array is a structure by value, None a
                null pointer, a Python float a double. A Python int must fit the parameter's width.
            shared_mem: dynamic shared memory per block, in bytes.
            device: a profile (`warpgrade.devices()`) or the path of a TOML file; whose counters and times.
            backend: "sim", or "gpu" for this machine's GPU.
            stream: accepted for CuPy's sake; no effect.
            page: make the page with pictures, `Run.html` (default: in a notebook).

        Returns:
            The launch's counters, times and warnings. What the kernel printed is printed, too.

        Raises:
            KernelError: the source does not compile, or the kernel is wrong; arrays keep their contents.
            TypeError: an argument does not fit its parameter.
            ValueError: the launch is impossible (too many threads or too much shared memory, an unknown
                device, an array that is not contiguous).
            ToolError: the tool could not run it.
        """
        del stream
        options = ["--kernel", self.name]
        blocks, threads = _extents("grid", grid), _extents("block", block)
        if math.prod(threads) > _MOST_THREADS:
            raise ValueError(f"block {tuple(threads)} has {math.prod(threads):,} threads; "
                             f"a block has at most {_MOST_THREADS:,}")
        shared = operator.index(shared_mem)
        if shared < 0:
            raise ValueError(f"shared_mem is {shared}; it must not be negative")
        if not isinstance(args, (tuple, list)):
            raise TypeError(f"args is a {type(args).__name__}; it must be a tuple: (x,) for one argument")
        options += ["--grid", ",".join(map(str, blocks)), "--block", ",".join(map(str, threads))]
        profile = os.path.abspath(device) if device.endswith(".toml") else device
        options += ["--shared", str(shared), "--device", profile, "--backend", backend]
        options += ["--cooperative"] if self._cooperative else []
        return self._run(options, tuple(args), _progress.in_notebook() if page is None else page)

    def _run(self, options: list[str], values: tuple[Any, ...], has_page: bool) -> Run:
        with tempfile.TemporaryDirectory(prefix="warpgrade-") as folder:
            arguments = Arguments(values, folder)
            self._symbols.reject_arguments(arguments.arrays())
            report_path, page_path = os.path.join(folder, "report.json"), os.path.join(folder, "page.html")
            path = self._source.write(folder)
            done = _program.run(["profile", path, *options, *self._source.compile_options(), *arguments.options,
                                 *self._symbols.options(folder), "--json", report_path,
                                 *(["--html", page_path] if has_page else [])], folder)
            report: dict[str, Any] = {}
            if os.path.exists(report_path):
                with open(report_path, encoding="utf-8") as file:
                    report = json.load(file)
            if report.get("schema") == "warpgrade.usage/1":
                raise TypeError(_mismatch(report, values))
            if not report:
                _program.raise_failure(done)
            page = pathlib.Path(page_path).read_text("utf-8") if os.path.exists(page_path) else ""
            run = Run(report, done.stdout, self._source.text, page)
            _raise_findings(run, done.returncode)
            arguments.read_back()
            self._symbols.read_back(folder)
        _show(run)
        return run


def _mismatch(report: dict[str, Any], values: tuple[Any, ...]) -> str:
    """The text of a TypeError for arguments that do not fit the kernel's parameters."""
    parameters = report["parameters"]
    index = report["argument"]
    names = [one["name"] or f"parameter {i}" for i, one in enumerate(parameters)]
    if index is None:
        listed = ", ".join(f"{name} ({one['bytes']} bytes)" for name, one in zip(names, parameters)) or "none"
        return f"{report['kernel']} has {len(parameters)} parameters, {listed}; {len(values)} arguments are given"
    size, is_float = parameters[index]["bytes"], parameters[index]["is_float"]
    expected = _FLOATS[size] if is_float else _TYPES.get(size, _STRUCTURE)
    return (f"argument {index} does not fit parameter `{names[index]}` of {report['kernel']}: expected {size} "
            f"byte{'s'[:size != 1]}, such as {expected}; given {describe(values[index])}")


def _raise_findings(run: Run, code: int) -> None:
    if code == 0:
        return
    text = run.report.get("diagnostics_text") or run.text
    errors = [one for one in run.diagnostics if one["severity"] == "error"]
    if code == 1:
        raise KernelError(text.rstrip(), errors, run)
    raise ToolError(text.rstrip(), errors)


def _show(run: Run) -> None:
    """Prints what the kernel printed, and warns of the launch's warnings."""
    sys.stdout.write(run.printed)
    for one in run.diagnostics:
        warnings.warn(f"{one['file']}:{one['line']}: {one['kind']}: {one['message']}", KernelWarning, stacklevel=4)


class RawModule:
    """Several kernels of one source.

    Args:
        code: CUDA C++ text or the path of a file, as for RawKernel.
        path: the path of a CUDA C++ file, instead of `code`. Compiled files (cubin, PTX) are not supported.
        options, backend, enable_cooperative_groups: as for RawKernel.
        name_expressions: instances of templates, such as `["scale<float>"]`; `get_function` accepts any
            instance, named here or not.

    Raises:
        TypeError, ValueError: wrong source or options.
    """

    def __init__(self, *, code: Optional[PathLike] = None, path: Optional[PathLike] = None,
                 options: Sequence[str] = (), backend: str = "nvrtc", translate_cucomplex: bool = False,
                 enable_cooperative_groups: bool = False, name_expressions: Optional[Sequence[str]] = None,
                 jitify: bool = False) -> None:
        del backend, translate_cucomplex, jitify
        if (code is None) == (path is None):
            raise TypeError("RawModule needs either code= or path=")
        if path is not None and not str(path).endswith(_SUFFIXES):
            raise ValueError(f"path={str(path)!r}: only CUDA C++ source ({', '.join(_SUFFIXES)}) can be loaded")
        source = pathlib.Path(path) if path is not None else code
        assert source is not None
        self._source = source
        self._options = tuple(options)
        self._cooperative = enable_cooperative_groups
        self.name_expressions = tuple(name_expressions or ())
        self._symbols = _symbols.Symbols()
        _Source(source, self._options)

    @property
    def code(self) -> str:
        """The source text."""
        return _Source(self._source, self._options).text

    def compile(self, log_stream: Any = None) -> None:
        """Does nothing: a call compiles. For code that was written for CuPy."""

    def get_function(self, name: str) -> RawKernel:
        """The kernel of this name: plain, `extern "C"`, or an instance such as "scale<float>"."""
        kernel = RawKernel(self._source, name, self._options, enable_cooperative_groups=self._cooperative)
        kernel._symbols = self._symbols
        return kernel

    def get_global(self, name: str) -> Any:
        """The memory of a `__constant__` or `__device__` variable: a NumPy array of its bytes.

        View or wrap it to assign values, as with CuPy's pointer:

            weights = numpy.ndarray((3,), numpy.float32, module.get_global("weights"))
            weights[...] = (0.25, 0.5, 0.25)

        From now on all calls of this module's kernels start with these bytes and leave their results in them.
        Variables that were not asked for start with their initialisers at each call.

        Args:
            name: the name in the source, without namespaces.

        Raises:
            ValueError: there is no such variable.
            NotImplementedError: the variable contains addresses.
            KernelError: the source does not compile.
        """
        known = self._symbols.get(name)
        if known is not None:
            return known
        source = _Source(self._source, self._options)
        with tempfile.TemporaryDirectory(prefix="warpgrade-") as folder:
            instance = ["--kernel", self.name_expressions[0]] if self.name_expressions else []
            made = _symbols.listed(source.write(folder), [*instance, *source.compile_options()], folder)
        if made["schema"] != "warpgrade.symbols/1":
            run = Run(made, made.get("diagnostics_text", ""), source.text)
            raise KernelError(run.text.rstrip(), run.diagnostics, run)
        found = next((one for one in made["symbols"] if one["name"] == name), None)
        if found is None:
            names = ", ".join(one["name"] for one in made["symbols"]) or "none"
            raise ValueError(f"the source has no __constant__ or __device__ variable {name!r}; it has: {names}")
        if found["has_addresses"]:
            raise NotImplementedError(f"variable {name} contains addresses, which Python cannot set")
        return self._symbols.add(name, found)
