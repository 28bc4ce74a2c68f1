# SPDX-License-Identifier: Apache-2.0
"""CuPy's names without a GPU: `import warpgrade.cupy as cp` for `import cupy as cp`.

Arrays are NumPy's, with `get()` and `set()`; `asarray` copies a NumPy array, as a copy to a card would. Functions that
are not here are NumPy's. RawKernel, RawModule, ElementwiseKernel and ReductionKernel are simulated. `cuda` has the
device, streams, events and memory pools; see `warpgrade._cuda`.
"""

from __future__ import annotations

import types
from typing import Any

import numpy as _numpy

from warpgrade import _cuda as cuda
from warpgrade import _generated, kernels
from warpgrade.runs import Run


class ndarray(_numpy.ndarray):
    """A NumPy array with the methods that move CuPy's arrays. An element is a 0-d array, as in CuPy."""

    def get(self, stream: Any = None, order: str = "C", out: Any = None, blocking: bool = True) -> Any:
        """A NumPy array with a copy of the content."""
        del stream, blocking
        if out is None:
            return _numpy.array(self, order=order, subok=False)  # type: ignore[call-overload]
        out[...] = self
        return out

    def set(self, arr: Any, stream: Any = None) -> None:
        """Copies a NumPy array of the same shape and type."""
        del stream
        if arr.shape != self.shape or arr.dtype != self.dtype:
            raise ValueError(f"the array is {arr.dtype} of shape {arr.shape}; it must be {self.dtype} of {self.shape}")
        self[...] = arr

    def __getitem__(self, key: Any) -> Any:
        found = super().__getitem__(key)
        if isinstance(found, _numpy.generic) and self.dtype.names is None:
            return super().__getitem__((*key, ...) if isinstance(key, tuple) else (key, ...))
        return found

    def __str__(self) -> str:
        return str(self.view(_numpy.ndarray))

    def __repr__(self) -> str:
        return repr(self.view(_numpy.ndarray))

    @property
    def device(self) -> Any:
        """The device of the array: always the same."""
        return cuda.Device(0)


def _ours(value: Any) -> Any:
    """A result of NumPy as this module's: arrays, tuples of them, and generators of random numbers."""
    if type(value) is _numpy.ndarray:
        return value.view(ndarray)
    if isinstance(value, (tuple, list)) and type(value) in (tuple, list):
        return type(value)(map(_ours, value))
    if isinstance(value, (_numpy.random.Generator, _numpy.random.RandomState)):
        return _Part(value)
    return value


def _returning_ours(function: Any) -> Any:
    def call(*args: Any, **more: Any) -> Any:
        return _ours(function(*args, **more))

    call.__name__ = getattr(function, "__name__", "function")
    call.__doc__ = function.__doc__
    return call


def _adapted(found: Any) -> Any:
    """A name of NumPy for this module: functions return our arrays, and modules have such functions."""
    if isinstance(found, types.ModuleType):
        return _Part(found)
    is_plain = isinstance(found, (type, _numpy.ufunc)) or not callable(found)
    return found if is_plain else _returning_ours(found)


class _Part:
    """A module of NumPy, such as `random`, whose functions return our arrays."""

    def __init__(self, part: Any) -> None:
        self._part = part

    def __getattr__(self, name: str) -> Any:
        return _adapted(getattr(self._part, name))


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    try:
        found = getattr(_numpy, name)
    except AttributeError:
        raise AttributeError(f"warpgrade.cupy has no {name!r}, and neither has NumPy; CuPy's kernels are RawKernel, "
                             "RawModule, ElementwiseKernel and ReductionKernel here") from None
    return _adapted(found)


def asnumpy(a: Any, stream: Any = None, order: str = "C", out: Any = None, *, blocking: bool = True) -> Any:
    """A NumPy array with a copy of the content."""
    return asarray(a).get(stream, order, out, blocking)


def array(obj: Any, dtype: Any = None, copy: bool = True, order: Any = "K", subok: bool = False, ndmin: int = 0) -> ndarray:
    """A new array of this module."""
    del subok
    if not copy and isinstance(obj, ndarray):
        return asarray(obj, dtype, order)
    return _numpy.array(obj, dtype=dtype, order=order, ndmin=ndmin).view(ndarray)


def asarray(a: Any, dtype: Any = None, order: Any = None) -> ndarray:
    """The array itself if it is one of this module; otherwise a copy."""
    if isinstance(a, ndarray):
        same: ndarray = _numpy.asanyarray(a, dtype=dtype, order=order)
        return same
    return _numpy.array(a, dtype=dtype, order=order or "K").view(ndarray)


asanyarray = asarray


def ascontiguousarray(a: Any, dtype: Any = None) -> ndarray:
    """The same in C order."""
    return asarray(a, dtype, "C")


def asfortranarray(a: Any, dtype: Any = None) -> ndarray:
    """The same in Fortran order."""
    return asarray(a, dtype, "F")


def get_array_module(*args: Any) -> Any:
    """This module if one of the arguments is an array of it, otherwise NumPy."""
    import sys

    return sys.modules[__name__] if any(isinstance(one, ndarray) for one in args) else _numpy


class RawKernel(kernels.RawKernel):
    """`warpgrade.RawKernel`, whose launches advance the time of events."""

    def __call__(self, *args: Any, **more: Any) -> Run:
        run = super().__call__(*args, **more)
        cuda.add_seconds(run.seconds)
        return run


class RawModule(kernels.RawModule):
    """`warpgrade.RawModule` with kernels of this module."""

    _kernel_class = RawKernel


class ElementwiseKernel(_generated.ElementwiseKernel):
    """CuPy's ElementwiseKernel; see `warpgrade._generated`."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, kernel_class=RawKernel, **more)

    def __call__(self, *args: Any, **more: Any) -> Any:
        return _ours(super().__call__(*args, **more))


class ReductionKernel(_generated.ReductionKernel):
    """CuPy's ReductionKernel; see `warpgrade._generated`."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, kernel_class=RawKernel, **more)

    def __call__(self, *args: Any, **more: Any) -> Any:
        return _ours(super().__call__(*args, **more))


def get_default_memory_pool() -> cuda.MemoryPool:
    """A pool without memory."""
    return cuda.MemoryPool()


get_default_pinned_memory_pool = get_default_memory_pool


def is_available() -> bool:
    """True: kernels run, on the simulator."""
    return cuda.is_available()
