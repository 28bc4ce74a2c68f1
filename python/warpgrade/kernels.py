# SPDX-License-Identifier: Apache-2.0
"""Kernels from CUDA C++ source, called as CuPy's are: `RawKernel` and `RawModule`; and sequences of launches."""

from __future__ import annotations

import json
import math
import operator
import os
import pathlib
import sys
import tempfile
from typing import Any, Optional, Sequence

from warpgrade import _arguments, _parameters, _program, _progress, _sequence, _symbols
from warpgrade._source import SUFFIXES, Source, raise_findings
from warpgrade._types import Backend, Extent, KernelFacts, PathLike
from warpgrade.errors import KernelWarning, warn
from warpgrade.runs import Run

_MOST_THREADS = 1024  # of a block, on every card
_DEVICE = "h200"


def _extents(what: str, given: Extent) -> list[int]:
    """One to three positive numbers as three."""
    values: list[Any] = list(given) if isinstance(given, (tuple, list)) else [given]
    if not 1 <= len(values) <= 3:
        raise ValueError(f"{what} is {given!r}; it has one to three numbers, such as (32, 8)")
    try:
        out = [operator.index(one) for one in values]
    except TypeError:
        raise TypeError(f"{what} is {given!r}; its numbers must be integers: use // for a division") from None
    if min(out) < 1:
        raise ValueError(f"{what} is {given!r}; its numbers must be positive")
    return out + [1] * (3 - len(out))


def _geometry(grid: Extent, block: Extent, shared_mem: int) -> tuple[list[int], list[int], int]:
    """Blocks, threads and bytes of a launch that a card could make."""
    blocks, threads = _extents("grid", grid), _extents("block", block)
    if math.prod(threads) > _MOST_THREADS:
        raise ValueError(f"block {tuple(threads)} has {math.prod(threads):,} threads; "
                         f"a block has at most {_MOST_THREADS:,}")
    shared = operator.index(shared_mem)
    if shared < 0:
        raise ValueError(f"shared_mem is {shared}; it must not be negative")
    return blocks, threads, shared


def _arguments_of(args: Sequence[Any]) -> tuple[Any, ...]:
    """The arguments of a call, each of a type that some kernel could have."""
    if not isinstance(args, (tuple, list)):
        raise TypeError(f"args is a {type(args).__name__}; it must be a tuple: (x,) for one argument")
    for index, value in enumerate(args):
        if _arguments.is_address(value):
            _arguments.reject_array(f"argument {index}", value)
        elif not isinstance(value, _arguments.Spec):
            _arguments.value_bytes(f"argument {index}", value, 8)
    return tuple(args)


def _device_option(device: str) -> list[str]:
    return ["--device", os.path.abspath(device) if device.endswith(".toml") else device]


def _run(source: Source, words: list[str], backend: str, page: Optional[bool], folder: str) -> Run:
    """Runs `warpgrade profile` with these words in `folder`; raises the error of a launch that failed."""
    report_path, page_path = os.path.join(folder, "report.json"), os.path.join(folder, "page.html")
    has_page = _progress.in_notebook() if page is None else page
    words = ["profile", *source.words(folder), *words, "--backend", backend, "--json", report_path,
             *(["--html", page_path] if has_page else [])]
    # A process that stays would keep the memory of the card.
    done = _program.request(words, folder) if backend == "sim" else _program.run(words, folder)
    if not os.path.exists(report_path):
        _program.raise_failure(done)
    report = json.loads(pathlib.Path(report_path).read_text("utf-8"))
    html = pathlib.Path(page_path).read_text("utf-8") if os.path.exists(page_path) else ""
    run = Run(report, done.stdout, source.text, html)
    raise_findings(run, done.returncode)
    return run


def _show(run: Run) -> None:
    """Prints what the kernel printed, and warns of the launch's warnings."""
    sys.stdout.write(run.printed)
    for one in run.diagnostics:
        warn(f"{one['file']}:{one['line']}: {one['kind']}: {one['message']}", KernelWarning)


class RawKernel:
    """A kernel of CUDA C++ source, called on NumPy arrays.

    Args:
        code: CUDA C++ text, or the path of a file (a pathlib.Path, or a string that ends with .cu).
        name: the kernel: an `extern "C"` name, a plain C++ name, or an instance of a template such as
            `"scale<float, 4>"`. A template has its plain name if the source launches one instance. By default the
            only kernel of the source.
        options: as for NVRTC: `-I DIR`, `-D NAME=VALUE`, `-std=c++17` or `c++20`, `--use_fast_math` and others.
            The compilation raises ValueError for an option that is not supported.
        backend: CuPy's choice of a compiler; no effect.
        enable_cooperative_groups: launch cooperatively, so that `grid.sync()` works.

    Other keywords of CuPy's constructor (`translate_cucomplex`, `jitify`) are accepted and have no effect.
    The first call compiles. Text is compiled once in a process, and a file once per object.

    Attributes:
        name, code, options, backend, file_path, enable_cooperative_groups: as given.
        num_regs, shared_size_bytes, local_size_bytes, const_size_bytes, max_threads_per_block, attributes: of the
            kernel on an H200, as in CuPy; reading one compiles.

    Raises:
        TypeError, ValueError: wrong source or options.
    """

    def __init__(self, code: PathLike, name: Optional[str] = None, options: Sequence[str] = (),
                 backend: str = "nvrtc", *,
                 translate_cucomplex: bool = False, enable_cooperative_groups: bool = False,
                 jitify: bool = False) -> None:
        del translate_cucomplex, jitify
        if name is not None and (not isinstance(name, str) or not name):
            raise TypeError(f"the kernel's name is {name!r}; it must be text")
        self._source = Source(code, options)
        self._symbols = _symbols.Symbols()
        self._dynamic_bytes: Optional[int] = None
        self._name = name
        self.options = tuple(options)
        self.backend = backend
        self.enable_cooperative_groups = enable_cooperative_groups
        self.preferred_shared_memory_carveout = -1  # CuPy's; no effect

    @property
    def name(self) -> str:
        """The kernel's name. If none was given, reading it compiles."""
        if self._name is None:
            self._name = self._facts()["kernel"]
        return self._name

    @property
    def code(self) -> str:
        """The source text."""
        return self._source.text

    def __repr__(self) -> str:
        return f"<warpgrade.RawKernel {self._name or 'without a name yet'}>"

    @property
    def file_path(self) -> Optional[str]:
        """The file of the source; None for text."""
        return None if self._source.path is None else str(self._source.path)

    def compile(self, log_stream: Any = None, *, device: str = _DEVICE) -> None:
        """Compiles for `device`, which the first call would do. `log_stream` has no effect.

        Raises:
            KernelError: the source does not compile, or has no kernel of this name.
            ValueError: an option or the device is unknown.
        """
        del log_stream
        self._facts(device)

    def _facts(self, device: str = _DEVICE) -> KernelFacts:
        return self._source.facts(self._name, _device_option(device)[1])

    @property
    def num_regs(self) -> int:
        """Registers per thread."""
        return self._facts()["registers_per_thread"]

    @property
    def shared_size_bytes(self) -> int:
        """Static shared memory per block."""
        return self._facts()["static_shared_bytes"]

    @property
    def local_size_bytes(self) -> int:
        """Local memory per thread."""
        return self._facts()["local_bytes"]

    @property
    def const_size_bytes(self) -> int:
        """Constant memory that the kernel uses."""
        return self._facts()["constant_bytes"]

    @property
    def max_threads_per_block(self) -> int:
        """The most threads per block, by the kernel's registers and __launch_bounds__."""
        return self._facts()["most_threads_per_block"]

    @property
    def ptx_version(self) -> int:
        """The compute capability of the code: 90 for 9.0."""
        return int("".join(filter(str.isdigit, self._facts()["architecture"])))

    binary_version = ptx_version

    @property
    def max_dynamic_shared_size_bytes(self) -> int:
        """The most bytes of shared_mem= that a call may have; all that the card has, unless it was set to less.

        CuPy's starts at 48 KiB and must be set for more.
        """
        most = self._facts()["most_dynamic_shared_bytes"]
        return most if self._dynamic_bytes is None else self._dynamic_bytes

    @max_dynamic_shared_size_bytes.setter
    def max_dynamic_shared_size_bytes(self, value: int) -> None:
        most = self._facts()["most_dynamic_shared_bytes"]
        if not 0 <= value <= most:
            raise ValueError(f"max_dynamic_shared_size_bytes is {value}; {self.name} may have 0 to {most}")
        self._dynamic_bytes = value

    @property
    def attributes(self) -> dict[str, int]:
        """The same numbers by CuPy's names."""
        names = ("num_regs", "shared_size_bytes", "local_size_bytes", "const_size_bytes", "max_threads_per_block",
                 "max_dynamic_shared_size_bytes", "ptx_version", "binary_version", "preferred_shared_memory_carveout")
        return {**{name: getattr(self, name) for name in names}, "cache_mode_ca": 0}

    def __call__(self, grid: Extent, block: Extent, args: Sequence[Any] = (), *, shared_mem: int = 0,
                 device: str = _DEVICE, backend: Backend = "sim", stream: Any = None, page: Optional[bool] = None,
                 cluster: Optional[Extent] = None) -> Run:
        """Runs the kernel once and waits for it.

        Args:
            grid: number of blocks, one to three integers (x, y, z).
            block: threads per block, likewise; at most 1,024 in all.
            args: one per parameter. A NumPy array (C or Fortran order) is a pointer to its elements and is
                changed in place; the same array twice is the same memory. A read-only array is for a
                pointer to const. A NumPy scalar
                has its own width, `numpy.void` or a structured 0-d array is a structure by value, None a
                null pointer, a Python float a double. A Python int must fit the parameter's width.
            shared_mem: dynamic shared memory per block, in bytes.
            device: a profile (`warpgrade.devices()`) or the path of a TOML file; whose counters and times.
            backend: "sim", or "gpu" for this machine's GPU.
            stream: accepted for CuPy's sake; no effect.
            page: make the page with pictures, `Run.html` (default: in a notebook).
            cluster: blocks of a thread block cluster, one to three integers.

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
        blocks, threads, shared = _geometry(grid, block, shared_mem)
        words = ["--kernel", self.name, "--grid", ",".join(map(str, blocks)), "--block", ",".join(map(str, threads)),
                 "--shared", str(shared), *_device_option(device)]
        words += ["--cooperative"] if self.enable_cooperative_groups else []
        words += ["--cluster", ",".join(map(str, _extents("cluster", cluster)))] if cluster is not None else []
        values = _arguments_of(args)
        if self._dynamic_bytes is not None and shared > self._dynamic_bytes:
            raise ValueError(f"shared_mem is {shared}, and max_dynamic_shared_size_bytes was set to "
                             f"{self._dynamic_bytes}")
        parameters = self._facts(device)["parameters"]
        _parameters.check(self.name, parameters, values)
        with tempfile.TemporaryDirectory(prefix="warpgrade-") as folder:
            arrays = _arguments.Arrays(folder)
            words += _arguments.options(values, [one["bytes"] for one in parameters], arrays)
            self._symbols.reject_arguments(arrays.all())
            run = _run(self._source, [*words, *self._symbols.options(folder)], backend, page, folder)
            arrays.read_back()
            self._symbols.read_back(folder)
        _show(run)
        return run


class RawModule:
    """Several kernels of one source.

    Args:
        code: CUDA C++ text or the path of a file, as for RawKernel.
        path: the path of a CUDA C++ or PTX file, instead of `code`. Machine code (cubin) is not supported.
        options, backend, enable_cooperative_groups: as for RawKernel.
        name_expressions: instances of templates, such as `["scale<float>"]`; `get_function` accepts any
            instance, named here or not.

    Raises:
        TypeError, ValueError: wrong source or options.
    """

    _kernel_class = RawKernel

    def __init__(self, *, code: Optional[PathLike] = None, path: Optional[PathLike] = None,
                 options: Sequence[str] = (), backend: str = "nvrtc", translate_cucomplex: bool = False,
                 enable_cooperative_groups: bool = False, name_expressions: Optional[Sequence[str]] = None,
                 jitify: bool = False) -> None:
        del translate_cucomplex, jitify
        if (code is None) == (path is None):
            raise TypeError("RawModule needs either code= or path=")
        if path is not None and not str(path).endswith(SUFFIXES):
            raise ValueError(f"path={str(path)!r}: only CUDA C++ source and PTX ({', '.join(SUFFIXES)}) can be loaded")
        given = pathlib.Path(path) if path is not None else code
        assert given is not None
        self._source = Source(given, options)
        self._symbols = _symbols.Symbols()
        self.options = tuple(options)
        self.backend = backend
        self.enable_cooperative_groups = enable_cooperative_groups
        self.name_expressions = tuple(name_expressions or ())

    @property
    def code(self) -> str:
        """The source text."""
        return self._source.text

    @property
    def file_path(self) -> Optional[str]:
        """The file of the source; None for text."""
        return None if self._source.path is None else str(self._source.path)

    def compile(self, log_stream: Any = None) -> None:
        """Compiles the source, and each of the name expressions. `log_stream` has no effect.

        Raises:
            KernelError: the source does not compile, or lacks one of them.
        """
        del log_stream
        for name in self.name_expressions:
            self._source.facts(name, _DEVICE)
        if not self.name_expressions:
            self._source.listed(["--list-symbols"])

    def get_function(self, name: str) -> RawKernel:
        """The kernel of this name: plain, `extern "C"`, or an instance such as "scale<float>". Compiles it.

        Raises:
            KernelError: the source does not compile, or has no such kernel.
        """
        given = self._source.text if self._source.path is None else self._source.path
        kernel = self._kernel_class(given, name, self.options, self.backend,
                                    enable_cooperative_groups=self.enable_cooperative_groups)
        kernel._source = self._source
        kernel._symbols = self._symbols
        kernel.compile()
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
        instance = ["--kernel", self.name_expressions[0]] if self.name_expressions else []
        made = self._source.listed([*instance, "--list-symbols"])
        found = next((one for one in made["symbols"] if one["name"] == name), None)
        if found is None:
            names = ", ".join(one["name"] for one in made["symbols"]) or "none"
            raise ValueError(f"the source has no __constant__ or __device__ variable {name!r}; it has: {names}")
        if found["has_addresses"]:
            raise NotImplementedError(f"variable {name} contains addresses, which Python cannot set")
        return self._symbols.add(name, found)


def sequence(launches: Sequence[Sequence[Any]], *, rounds: int = 1, device: str = _DEVICE, backend: Backend = "sim",
             page: Optional[bool] = None) -> Run:
    """Runs launches one after the other, and counts and times them as one: L2 keeps what earlier ones left there.

    Args:
        launches: each is (kernel, grid, block, args) or (kernel, grid, block, args, shared_mem), as in a call. The
            kernels are of one RawModule, or of equal sources and options. Launches share the arrays that they name.
        rounds: repetitions of all launches.
        device, backend, page: as for a call.

    Returns:
        The sum over all launches; `Run.launches` has the time of each.

    Raises:
        As for a call; NotImplementedError if variables of the module were requested with `get_global`.
    """
    if not launches:
        raise ValueError("launches is empty; it must be a list such as [(kernel, grid, block, args)]")
    steps = [_step(index, launch, device) for index, launch in enumerate(launches)]
    source = launches[0][0]._source
    if operator.index(rounds) < 1:
        raise ValueError(f"rounds is {rounds}; it must be positive")
    with tempfile.TemporaryDirectory(prefix="warpgrade-") as folder:
        arrays = _arguments.Arrays(folder)
        path = os.path.join(folder, "sequence")
        dumps = _sequence.write(path, steps, operator.index(rounds), arrays)
        for launch in launches:
            if not launch[0]._source.is_same(source):
                raise ValueError(f"{launch[0].name} and {launches[0][0].name} have different sources or options; put the "
                                 "kernels of a sequence into one RawModule")
            launch[0]._symbols.reject_sequence()
        run = _run(source, ["--sequence", path, *_device_option(device), *dumps], backend, page, folder)
        arrays.read_back()
    _show(run)
    return run


def _step(index: int, launch: Sequence[Any], device: str) -> _sequence.Step:
    """One launch of a sequence, checked."""
    if not isinstance(launch, (tuple, list)) or not 3 <= len(launch) <= 5 or not isinstance(launch[0], RawKernel):
        raise TypeError(f"launch {index} is {launch!r}; it must be (kernel, grid, block, args) or (kernel, grid, block, "
                        "args, shared_mem)")
    kernel: RawKernel = launch[0]
    blocks, threads, shared = _geometry(launch[1], launch[2], launch[4] if len(launch) == 5 else 0)
    values = _arguments_of(launch[3] if len(launch) > 3 else ())
    parameters = kernel._facts(device)["parameters"]
    _parameters.check(kernel.name, parameters, values)
    return _sequence.Step(kernel.name, blocks, threads, shared, kernel.enable_cooperative_groups, values, parameters)
