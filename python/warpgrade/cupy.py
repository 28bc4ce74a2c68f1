# SPDX-License-Identifier: Apache-2.0
"""CuPy's names without a GPU: `import warpgrade.cupy as cp` for `import cupy as cp`.

Arrays are NumPy's, with `get()` and `set()`; `asarray` copies a NumPy array, as a copy to a card would. Functions that
are not here are NumPy's. RawKernel, RawModule, ElementwiseKernel and ReductionKernel are simulated. Streams are
accepted and do nothing; an Event has the simulated time of the launches so far.
"""

from __future__ import annotations

import types
from typing import Any, Optional

import numpy as _numpy

from warpgrade import _generated, kernels
from warpgrade.errors import KernelError
from warpgrade.runs import Run

_seconds = 0.0  # simulated, of all launches so far


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
        global _seconds
        run = super().__call__(*args, **more)
        _seconds += run.seconds
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


class _Scoped:
    """An object of a GPU that does nothing here, also in a `with` statement."""

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *args: Any) -> None:
        pass

    def use(self) -> Any:
        """Does nothing."""
        return self

    def synchronize(self) -> None:
        """Does nothing: each call has ended when it returns."""


class _Stream(_Scoped):
    """A stream, which does nothing: launches run one after the other."""

    null: Any = None
    ptr = 0
    done = True

    def __init__(self, null: bool = False, non_blocking: bool = False, ptds: bool = False) -> None:
        del null, non_blocking, ptds

    def record(self, event: Optional[_Event] = None) -> _Event:
        """Records an event."""
        event = event or _Event()
        event.record(self)
        return event

    def wait_event(self, event: Any) -> None:
        """Does nothing."""


class _Event(_Scoped):
    """A moment in the simulated time of all launches."""

    done = True

    def __init__(self, block: bool = False, disable_timing: bool = False, interprocess: bool = False) -> None:
        del block, disable_timing, interprocess
        self._seconds: Optional[float] = None

    def record(self, stream: Any = None) -> None:
        """Takes the time of the launches so far."""
        del stream
        self._seconds = _seconds


class _Device(_Scoped):
    """The one device. `device=` of a launch chooses the card that is simulated; the default is an H200."""

    compute_capability = "90"

    def __init__(self, device: int = 0) -> None:
        self.id = int(device)
        if self.id != 0:
            raise ValueError(f"device {device}: there is only device 0; device='k40' of a launch chooses a card")


class _MemoryPool:
    """The memory of arrays is NumPy's, so there is nothing to free."""

    def free_all_blocks(self, stream: Any = None) -> None:
        """Does nothing."""

    def used_bytes(self) -> int:
        """Nothing is kept."""
        return 0

    total_bytes = used_bytes
    n_free_blocks = used_bytes


def get_default_memory_pool() -> _MemoryPool:
    """A pool without memory."""
    return _MemoryPool()


get_default_pinned_memory_pool = get_default_memory_pool


def _elapsed_time(start_event: _Event, end_event: _Event) -> float:
    """Milliseconds of simulated launches between two events."""
    if start_event._seconds is None or end_event._seconds is None:
        raise ValueError("an event was not recorded")
    return 1e3 * (end_event._seconds - start_event._seconds)


_Stream.null = _Stream()
cuda = types.SimpleNamespace(
    Device=_Device, Event=_Event, Stream=_Stream, get_current_stream=lambda: _Stream.null,
    get_elapsed_time=_elapsed_time, is_available=lambda: True,
    compiler=types.SimpleNamespace(CompileException=KernelError),
    runtime=types.SimpleNamespace(getDeviceCount=lambda: 1, deviceSynchronize=lambda: None))
