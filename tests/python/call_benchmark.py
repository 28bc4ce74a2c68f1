# SPDX-License-Identifier: Apache-2.0
"""Processor time of a kernel call on 1,048,576 floats, beside the same launch on the command line.

Arguments: the program, then the root of the project. Prints the minimum of 20 runs each, since other processes
only add time. Exits with 1 if a call costs 0.5 s or more, or 50 ms more than the command line.
"""

import os
import pathlib
import resource
import subprocess
import sys
import tempfile

from package import PROGRAM

import numpy as np
import warpgrade
from warpgrade import _server

SOURCE = """
extern "C" __global__ void scale(float* y, const float* x, float a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i];
}
"""
SIZE, THREADS, REPETITIONS = 1 << 20, 256, 20
CALL_LIMIT, OVERHEAD_LIMIT = 0.5, 0.05  # seconds


def processor_seconds():
    """CPU seconds of this process, its ended children, and the program that the package keeps running."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    kept = 0
    for server in _server._idle:
        # The fields after the name: utime, stime, and those of ended children.
        fields = pathlib.Path(f"/proc/{server._process.pid}/stat").read_text().rpartition(")")[2].split()
        kept += sum(map(int, fields[11:15]))
    return sum(one.ru_utime + one.ru_stime for one in used) + kept / os.sysconf("SC_CLK_TCK")


def least(function):
    """The minimum processor time of a call of `function`, in seconds."""
    seconds = []
    for _ in range(REPETITIONS):
        start = processor_seconds()
        function()
        seconds.append(processor_seconds() - start)
    return min(seconds)


def command(folder):
    """The command that launches the kernel once; its files are in `folder`."""
    pathlib.Path(folder, "kernel.cu").write_text(SOURCE)
    np.zeros(SIZE, np.float32).tofile(os.path.join(folder, "x.bin"))
    array = f"inout:f32:{SIZE}:file:x.bin"
    arguments = [array, array, "f32:2", f"int:{SIZE}"]
    return [PROGRAM, "profile", "kernel.cu", "--kernel", "scale", "--grid", str(SIZE // THREADS), "--block",
            str(THREADS), *(word for one in arguments for word in ("--arg", one))]


def main():
    x = np.arange(SIZE, dtype=np.float32)
    y = np.empty_like(x)
    kernel = warpgrade.RawKernel(SOURCE, "scale")
    call = least(lambda: kernel((SIZE // THREADS,), (THREADS,), (y, x, np.float32(2), np.int32(SIZE))))
    with tempfile.TemporaryDirectory() as folder:
        words = command(folder)
        alone = least(lambda: subprocess.run(words, check=True, cwd=folder, stdout=subprocess.DEVNULL))
    print(f"call from Python: {1e3 * call:.0f} ms, command line: {1e3 * alone:.0f} ms, "
          f"overhead: {1e3 * (call - alone):.0f} ms")
    return call >= CALL_LIMIT or call - alone >= OVERHEAD_LIMIT


if __name__ == "__main__":
    sys.exit(main())
