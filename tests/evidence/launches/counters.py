#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs each launch once under Nsight Compute (README.md has the command).

    python3 tests/evidence/launches/counters.py ORDER

Writes the names of the launches to ORDER, in order. Launches of more than 2.2 GB are left out:
Nsight Compute would save and restore their memory for each pass of its counters.
"""

import pathlib
import sys
import tempfile

import card
import cupy
import launches
import machine_code
import measure

MOST_BYTES = 2.2e9


def main():
    todo = [one for one in launches.read()
            if sum(a.bytes for a in one.arguments if a.role != "value") <= MOST_BYTES]
    fill = launches.FOLDER / "fill.cu"
    programs = measure.compile_all(machine_code.Compiler(launches.ROOT), todo, {fill: card.FILLS})
    fills = programs.pop(fill)
    with tempfile.TemporaryDirectory() as folder, open(sys.argv[1], "w", encoding="utf-8") as order:
        device = card.Card(pathlib.Path(folder), programs, fills)
        for one in todo:
            kernel = device.kernels[one.path, one.kernel]
            if one.shared_bytes > 48 << 10:
                kernel.max_dynamic_shared_size_bytes = one.shared_bytes
            arguments = tuple(device.made(argument) for argument in one.arguments)
            cupy.cuda.runtime.deviceSynchronize()
            cupy.cuda.profiler.start()
            kernel((*one.grid, 1, 1)[:3], (*one.block, 1, 1)[:3], arguments,
                   shared_mem=one.shared_bytes)
            cupy.cuda.runtime.deviceSynchronize()
            cupy.cuda.profiler.stop()
            print(one.name, file=order, flush=True)
            del arguments
            cupy.get_default_memory_pool().free_all_blocks()


if __name__ == "__main__":
    main()
