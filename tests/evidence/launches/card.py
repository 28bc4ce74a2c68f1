# SPDX-License-Identifier: Apache-2.0
"""Runs launches of the table on this machine's card, all in one process.

It measures like `warpgrade profile --backend gpu` (common/gpu/session.cpp): the program's own
machine code, and samples between two events. Each sample starts with the initial outputs and an
overwritten L2. Unlike there, the card stays busy between launches. With a process per launch, the
card drops to its idle clock in between, which makes the first samples slow.

Needs CuPy, and a toolkit with NVRTC.
"""

import statistics
import subprocess
import time

import cupy
import numpy

from contents import start_of
from launches import interval

TYPES = {"i8": numpy.int8, "u8": numpy.uint8, "i16": numpy.int16, "u16": numpy.uint16,
         "i32": numpy.int32, "u32": numpy.uint32, "i64": numpy.int64, "u64": numpy.uint64,
         "f16": numpy.float16, "f32": numpy.float32, "f64": numpy.float64}
# The C++ names of these types, for the instances of fill.cu.
SPELLED = {"i8": "signed char", "u8": "unsigned char", "i16": "short", "u16": "unsigned short",
           "i32": "int", "u32": "unsigned", "i64": "long long", "u64": "unsigned long long",
           "f16": "__half", "f32": "float", "f64": "double"}
FILLS = [f"{how}<{spelled}>" for how in ("random", "iota") for spelled in SPELLED.values()
         if (how, spelled) != ("iota", "__half")]
WARM_UP = 0.5  # Seconds until the card has reached its clock.
UNTIMED = 3  # Launches of each kernel before the timed ones.
# Samples: enough for an interval of 1 % if single samples spread by 3 %. Fewer for long launches.
MOST_SAMPLES = 201
LEAST_SAMPLES = 11
SECONDS_A_LAUNCH = 0.5

# Bytes overwritten before each sample: several times L2, and enough work that the launch is queued
# before the card gets to it.
FLUSHED = 256 << 20


def driver_version():
    asked = ["nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader", "--id=0"]
    try:
        return subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


class Card:
    def __init__(self, folder, programs, fills):
        """`programs`: {path of a source: (machine code, {kernel: its name there})}; `fills` is
        the program of fill.cu. Writes the machine code to `folder`."""
        self.folder = folder
        self.kernels = {}
        for number, (path, program) in enumerate(programs.items()):
            self.load(path, f"{number}.cubin", program)
        self.load("fill", "fill.cubin", fills)
        self.name = cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()
        self.flush = cupy.empty(FLUSHED, cupy.uint8)
        self.flushes = 0
        self.begin, self.end = cupy.cuda.Event(), cupy.cuda.Event()
        self.warm_up()

    def load(self, path, name, program):
        code, lowered = program
        (self.folder / name).write_bytes(code)
        module = cupy.RawModule(path=str(self.folder / name))
        for kernel, there in lowered.items():
            self.kernels[path, kernel] = module.get_function(there)

    def warm_up(self):
        until = time.monotonic() + WARM_UP
        while time.monotonic() < until:
            for _ in range(100):
                self.overwrite_l2()
            cupy.cuda.runtime.deviceSynchronize()

    def overwrite_l2(self):
        self.flushes += 1
        self.clear(self.flush, self.flushes & 255)

    @staticmethod
    def clear(buffer, value=0):
        cupy.cuda.runtime.memsetAsync(buffer.data.ptr, value, buffer.nbytes, 0)

    def made(self, argument):
        """A kernel's argument: a number, or a filled buffer."""
        type_ = TYPES[argument.type]
        if argument.role == "value":
            whole = numpy.issubdtype(type_, numpy.integer)
            return type_(int(argument.content) if whole else float(argument.content))
        buffer = cupy.empty(argument.bytes, cupy.uint8)
        how, _, seed = argument.content.partition(":")
        if how == "zeros":
            self.clear(buffer)
            return buffer
        given = (numpy.uint64(start_of(int(seed))),) if how == "random" else ()
        fill = self.kernels["fill", f"{how}<{SPELLED[argument.type]}>"]
        fill((2112,), (256,), (buffer, *given, numpy.uint64(argument.count)))
        return buffer

    def seconds(self, launch):
        """Seconds of each sample."""
        kernel = self.kernels[launch.path, launch.kernel]
        if launch.shared_bytes > 48 << 10:
            kernel.max_dynamic_shared_size_bytes = launch.shared_bytes
        arguments = [self.made(argument) for argument in launch.arguments]
        outputs = [made for made, argument in zip(arguments, launch.arguments)
                   if argument.role == "out"]
        grid = (*launch.grid, 1, 1)[:3]
        block = (*launch.block, 1, 1)[:3]

        def sample():
            for output in outputs:
                self.clear(output)
            self.overwrite_l2()
            self.begin.record()
            kernel(grid, block, tuple(arguments), shared_mem=launch.shared_bytes)
            self.end.record()
            self.end.synchronize()
            return cupy.cuda.get_elapsed_time(self.begin, self.end) * 1e-3

        for _ in range(UNTIMED):
            sample()
        taken = []
        until = time.monotonic() + SECONDS_A_LAUNCH
        while len(taken) < LEAST_SAMPLES or (len(taken) < MOST_SAMPLES and time.monotonic() < until):
            taken.append(sample())
        del arguments, outputs
        cupy.get_default_memory_pool().free_all_blocks()
        return taken

    def row(self, launch):
        """The row of a launch in h200.csv."""
        taken = self.seconds(launch)
        low, high = interval(taken)
        middle = statistics.median(taken)
        return {"seconds": middle, "low": low, "high": high, "samples": len(taken)}
