# SPDX-License-Identifier: Apache-2.0
"""Launches of the PTX files in this folder, whose counters on a card are in h200_counters.csv.

    python3 tests/cli/ptx/launches.py "NVIDIA H200, driver ..., DATE" > h200_counters.csv

This command launches each kernel once under Nsight Compute (`ncu`). Needs a GPU, no CUDA toolkit and no package.
test_ptx.py compares the table with simulated counters.
"""

import array
import collections
import csv
import ctypes
import pathlib
import re
import subprocess
import sys

FOLDER = pathlib.Path(__file__).resolve().parent
METRICS = [
    *(f"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_{op}.sum" for op in ("ld", "st")),
    *(f"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{op}.sum" for op in ("ld", "st")),
    *(f"l1tex__t_requests_pipe_lsu_mem_global_op_{op}.sum" for op in ("ld", "st")),
    *(f"l1tex__t_sectors_pipe_lsu_mem_global_op_{op}.sum" for op in ("ld", "st")),
]
Launch = collections.namedtuple("Launch", "grid block shared arguments")
ZEROS = ("i64:0", "i64:0")


def numba_array(buffer, count):
    """The seven arguments of an array of one dimension."""
    return (*ZEROS, f"i64:{count}", "i64:4", buffer, f"i64:{count}", "i64:4")


# By file. Arguments are those of `warpgrade profile --arg`.
LAUNCHES = {
    "triton_add": Launch((4,), (128,), 0, (*("in:f32:1000:iota",) * 2, "out:f32:1000", "i32:1000", *ZEROS)),
    "triton_softmax": Launch((3,), (128,), 16, ("out:f32:750", "in:f32:750:iota", "i32:250", *ZEROS)),
    "triton_matmul": Launch((8, 8), (128,), 4096,
                            (*("in:f16:65536:zeros",) * 2, "out:f32:65536", *("i32:256",) * 3, *ZEROS)),
    "numba_scale": Launch((8,), (128,), 0, (*numba_array("out:f32:1000", 1000), *numba_array("in:f32:1000:iota", 1000),
                                            "f32:3", "i32:1000")),
    "numba_transpose": Launch((1,), (32, 32), 0,
                              (*numba_array("out:f32:1024", 1024), *numba_array("in:f32:1024:iota", 1024))),
}


class Driver:
    """The CUDA driver; each failure ends the program."""

    def __init__(self):
        self.library = ctypes.CDLL("libcuda.so.1")
        self.call("cuInit", 0)
        context = ctypes.c_void_p()
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), 0)
        self.call("cuCtxSetCurrent", context)
        version = ctypes.c_int()
        self.call("cuDriverGetVersion", ctypes.byref(version))
        # CUDA 12.x reads PTX up to 8.x, CUDA 13.x up to 9.x.
        self.ptx = (version.value // 1000 - 4, version.value % 1000 // 10)

    def call(self, function, *arguments):
        error = getattr(self.library, function)(*arguments)
        if error != 0:
            sys.exit(f"{function}: CUDA error {error}")

    def readable(self, text):
        """PTX with the driver's version if its own is newer: these files use no newer instruction."""
        own = tuple(map(int, re.search(r"\.version (\d+)\.(\d+)", text).groups()))
        return re.sub(r"\.version [\d.]+", ".version {}.{}".format(*min(own, self.ptx)), text, count=1)

    def argument(self, spec):
        words = spec.split(":")
        numbers = {"i32": ctypes.c_int32, "i64": ctypes.c_int64, "f32": ctypes.c_float}
        if words[0] in numbers:
            return numbers[words[0]](float(words[1]) if words[0] == "f32" else int(words[1]))
        kind, count, fill = words[1], int(words[2]), words[3] if len(words) > 3 else "zeros"
        values = range(count) if fill == "iota" else [0] * count
        content = array.array({"f32": "f", "f16": "H"}[kind], values).tobytes()
        address = ctypes.c_uint64()
        self.call("cuMemAlloc_v2", ctypes.byref(address), ctypes.c_size_t(len(content)))
        self.call("cuMemcpyHtoD_v2", address, content, ctypes.c_size_t(len(content)))
        return address

    def launch(self, name, launch):
        text = self.readable((FOLDER / f"{name}.ptx").read_text("utf-8"))
        module, function = ctypes.c_void_p(), ctypes.c_void_p()
        self.call("cuModuleLoadData", ctypes.byref(module), text.encode() + b"\0")
        entry = re.search(r"\.entry\s+(\w+)", text)[1].encode()
        self.call("cuModuleGetFunction", ctypes.byref(function), module, entry)
        arguments = [self.argument(spec) for spec in launch.arguments]
        addresses = (ctypes.c_void_p * len(arguments))(*map(ctypes.addressof, arguments))
        extents = [*(*launch.grid, 1, 1)[:3], *(*launch.block, 1, 1)[:3]]
        self.call("cuLaunchKernel", function, *extents, launch.shared, None, addresses, None)
        self.call("cuCtxSynchronize")


def launch_all():
    driver = Driver()
    for name, launch in LAUNCHES.items():
        driver.launch(name, launch)


def table(raw):
    """Rows of h200_counters.csv from the raw output of Nsight Compute."""
    head, _, *rows = csv.reader(line for line in raw.splitlines() if not line.startswith("=="))
    if len(rows) != len(LAUNCHES):
        sys.exit(f"{len(rows)} launches were counted instead of {len(LAUNCHES)}:\n{raw}")
    yield ["kernel", "registers", *METRICS]
    for name, row in zip(LAUNCHES, rows):
        found = dict(zip(head, row))
        yield [name, *(found[metric].replace(",", "") for metric in ("launch__registers_per_thread", *METRICS))]


def main():
    if sys.argv[1:] == ["--launch"]:
        launch_all()
        return
    metrics = ",".join(["launch__registers_per_thread", *METRICS])
    command = ["ncu", "--csv", "--page", "raw", "--metrics", metrics, sys.executable, __file__, "--launch"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(done.stdout + done.stderr)
    print("# " + " ".join(sys.argv[1:]))
    csv.writer(sys.stdout, lineterminator="\n").writerows(table(done.stdout))


if __name__ == "__main__":
    main()
