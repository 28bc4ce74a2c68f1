# SPDX-License-Identifier: Apache-2.0
"""CuPy's module `cuda` without a GPU: the device, streams, events and memory pools.

There is one device, an H200, with the numbers of its profile. `device=` of a launch chooses another card. Streams do
nothing, since each call has ended when it returns. An event has the simulated time of the launches so far. Arrays are
NumPy's, so the memory of the device is the host's, and pools keep nothing.
"""

from __future__ import annotations

import contextlib as _contextlib
import functools as _functools
import json as _json
import os as _os
from typing import Any, Iterator, Optional

from warpgrade import _program
from warpgrade.errors import KernelError as _KernelError

_DEVICE = "h200"
_WARP = 32
_MOST_BLOCKS = (2**31 - 1, 65535, 65535)  # of a grid, from compute capability 3.0 on
_MOST_THREADS = (1024, 1024, 64)  # of a block, by dimension
_CONSTANT_BYTES = 65536
_seconds = 0.0  # simulated, of all launches so far


def add_seconds(seconds: float) -> None:
    """Advances the time of events by a launch."""
    global _seconds
    _seconds += seconds


class _Names:
    """A module of CuPy, such as `runtime`, with the names that work without a GPU."""

    def __init__(self, name: str, **names: Any) -> None:
        self._name = name
        self.__dict__.update(names)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        known = ", ".join(sorted(one for one in self.__dict__ if not one.startswith("_")))
        raise AttributeError(f"warpgrade.cupy.{self._name} has no {name!r}, because no GPU runs the kernels; it has {known}")


# The device


@_functools.lru_cache(maxsize=None)
def _facts() -> dict[str, Any]:
    done = _program.run(["devices", _DEVICE, "--json", "-"])
    if done.returncode != 0:
        _program.raise_failure(done)
    facts: dict[str, Any] = _json.loads(done.stdout)["devices"][0]
    return facts


def _memory() -> tuple[int, int]:
    """Free and all bytes of the host's memory."""
    page = _os.sysconf("SC_PAGE_SIZE")
    return page * _os.sysconf("SC_AVPHYS_PAGES"), page * _os.sysconf("SC_PHYS_PAGES")


def _check(device: Any) -> int:
    if int(device) != 0:
        raise ValueError(f"device {device}: there is only device 0; device='k40' of a launch chooses a card")
    return 0


def _properties(device: int) -> dict[str, Any]:
    """CUDA's properties of the device that the profile has; `totalGlobalMem` is the host's memory."""
    _check(device)
    facts = _facts()
    default = min(49152, facts["shared_bytes_per_block"])
    return {
        "name": facts["product"].encode(),
        "totalGlobalMem": _memory()[1],
        "major": facts["compute"][0],
        "minor": facts["compute"][1],
        "multiProcessorCount": facts["multiprocessors"],
        "clockRate": round(facts["clock_hz"] / 1000),
        "warpSize": _WARP,
        "maxThreadsPerBlock": facts["threads_per_block"],
        "maxThreadsDim": _MOST_THREADS,
        "maxGridSize": _MOST_BLOCKS,
        "maxThreadsPerMultiProcessor": _WARP * facts["warps_per_sm"],
        "maxBlocksPerMultiProcessor": facts["blocks_per_sm"],
        "regsPerBlock": facts["registers_per_sm"],
        "regsPerMultiprocessor": facts["registers_per_sm"],
        "sharedMemPerBlock": default,
        "sharedMemPerBlockOptin": facts["shared_bytes_per_block"],
        "sharedMemPerMultiprocessor": facts["shared_bytes_per_sm"],
        "reservedSharedMemPerBlock": facts["reserved_shared_bytes_per_block"],
        "totalConstMem": _CONSTANT_BYTES,
        "l2CacheSize": facts["l2_bytes"] or 0,
    }


def _attributes() -> dict[str, int]:
    """CuPy's names of the same numbers."""
    of = _properties(0)
    return {
        "ClockRate": of["clockRate"],
        "ComputeCapabilityMajor": of["major"],
        "ComputeCapabilityMinor": of["minor"],
        "L2CacheSize": of["l2CacheSize"],
        "MaxBlockDimX": _MOST_THREADS[0],
        "MaxBlockDimY": _MOST_THREADS[1],
        "MaxBlockDimZ": _MOST_THREADS[2],
        "MaxBlocksPerMultiprocessor": of["maxBlocksPerMultiProcessor"],
        "MaxGridDimX": _MOST_BLOCKS[0],
        "MaxGridDimY": _MOST_BLOCKS[1],
        "MaxGridDimZ": _MOST_BLOCKS[2],
        "MaxRegistersPerBlock": of["regsPerBlock"],
        "MaxRegistersPerMultiprocessor": of["regsPerMultiprocessor"],
        "MaxSharedMemoryPerBlock": of["sharedMemPerBlock"],
        "MaxSharedMemoryPerBlockOptin": of["sharedMemPerBlockOptin"],
        "MaxSharedMemoryPerMultiprocessor": of["sharedMemPerMultiprocessor"],
        "MaxThreadsPerBlock": of["maxThreadsPerBlock"],
        "MaxThreadsPerMultiProcessor": of["maxThreadsPerMultiProcessor"],
        "MultiProcessorCount": of["multiProcessorCount"],
        "ReservedSharedMemoryPerBlock": of["reservedSharedMemPerBlock"],
        "TotalConstantMemory": of["totalConstMem"],
        "WarpSize": of["warpSize"],
    }


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


class Device(_Scoped):
    """The one device."""

    def __init__(self, device: Any = 0) -> None:
        self.id = _check(0 if device is None else device)

    @property
    def compute_capability(self) -> str:
        """Without a dot: "90" for 9.0."""
        return "".join(map(str, _facts()["compute"]))

    @property
    def attributes(self) -> dict[str, int]:
        """Numbers of the device, by CuPy's names."""
        return _attributes()

    @property
    def mem_info(self) -> tuple[int, int]:
        """Free and all bytes of memory: the host's."""
        return _memory()

    def __int__(self) -> int:
        return self.id

    def __repr__(self) -> str:
        return f"<CUDA Device {self.id}: {_facts()['product']}, simulated>"


def _set_device(device: Any) -> None:
    _check(device)


def get_device_id() -> int:
    """The device of this thread: always 0."""
    return 0


def is_available() -> bool:
    """True: kernels run, on the simulator."""
    return True


# Streams and events


class Stream(_Scoped):
    """A stream, which does nothing: launches run one after the other."""

    null: Any = None
    ptr = 0
    done = True

    def __init__(self, null: bool = False, non_blocking: bool = False, ptds: bool = False) -> None:
        del null, non_blocking, ptds

    def record(self, event: Optional[Event] = None) -> Event:
        """Records an event."""
        event = event or Event()
        event.record(self)
        return event

    def wait_event(self, event: Any) -> None:
        """Does nothing."""


Stream.null = Stream()


def get_current_stream() -> Any:
    """The one stream."""
    return Stream.null


class Event(_Scoped):
    """A moment in the simulated time of all launches."""

    done = True

    def __init__(self, block: bool = False, disable_timing: bool = False, interprocess: bool = False) -> None:
        del block, disable_timing, interprocess
        self._seconds: Optional[float] = None

    def record(self, stream: Any = None) -> None:
        """Takes the time of the launches so far."""
        del stream
        self._seconds = _seconds


def get_elapsed_time(start_event: Event, end_event: Event) -> float:
    """Milliseconds of simulated launches between two events."""
    if start_event._seconds is None or end_event._seconds is None:
        raise ValueError("an event was not recorded")
    return 1e3 * (end_event._seconds - start_event._seconds)


# Memory


class MemoryPool:
    """The memory of arrays is NumPy's, so there is nothing to keep or to free."""

    def __init__(self, allocator: Any = None) -> None:
        del allocator

    def malloc(self, size: int) -> Any:
        """Not used: NumPy allocates arrays."""
        raise NotImplementedError(f"{size} bytes: pools have no memory here; make an array with warpgrade.cupy.empty")

    def free_all_blocks(self, stream: Any = None) -> None:
        """Does nothing."""

    def set_limit(self, size: Optional[int] = None, fraction: Optional[float] = None) -> None:
        """Does nothing."""

    def used_bytes(self) -> int:
        """Nothing is kept."""
        return 0

    total_bytes = used_bytes
    free_bytes = used_bytes
    get_limit = used_bytes
    n_free_blocks = used_bytes


PinnedMemoryPool = MemoryPool


def set_allocator(allocator: Any = None) -> None:
    """Does nothing: NumPy allocates arrays."""


set_pinned_memory_allocator = set_allocator


@_contextlib.contextmanager
def using_allocator(allocator: Any = None) -> Iterator[None]:
    """Does nothing."""
    del allocator
    yield


# Modules

runtime = _Names(
    "cuda.runtime", getDeviceCount=lambda: 1, getDevice=get_device_id, setDevice=_set_device,
    deviceSynchronize=lambda: None, getDeviceProperties=_properties, memGetInfo=_memory, is_hip=False,
    CUDARuntimeError=_KernelError)
compiler = _Names("cuda.compiler", CompileException=_KernelError)
device = _Names("cuda.device", Device=Device, get_device_id=get_device_id,
                get_compute_capability=lambda: Device().compute_capability)
memory = _Names("cuda.memory", MemoryPool=MemoryPool, OutOfMemoryError=MemoryError, set_allocator=set_allocator,
                using_allocator=using_allocator)
nvtx = _Names("cuda.nvtx", RangePush=lambda *_: None, RangePop=lambda: None, Mark=lambda *_: None)
profiler = _Names("cuda.profiler", start=lambda: None, stop=lambda: None)
stream = _Names("cuda.stream", Stream=Stream, Event=Event, get_current_stream=get_current_stream)


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    raise AttributeError(f"warpgrade.cupy.cuda has no {name!r}, because no GPU runs the kernels; it has Device, Stream, "
                         "Event, memory pools, runtime and nvtx")
