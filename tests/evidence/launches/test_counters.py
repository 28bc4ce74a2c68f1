# SPDX-License-Identifier: Apache-2.0
"""Compares counters of accesses that the assembler changes with two cards: shared loads that it
joins, arrays that it keeps in registers, and registers that it spills. All blocks of these launches
do the same work, so only a few are profiled.

Argument: `warpgrade`.
"""

import functools
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import launches

WARPGRADE = pathlib.Path(sys.argv.pop()).resolve()
BLOCKS = 4
# The arguments that suffice for these blocks.
JOINED = {
    "layout_aos_to_soa": "out:f32:8192 in:f32:8192:random:1 i32:1024",
    "product_tiled_16_double_1024": "out:f64:1048576 in:f64:1048576:random:1 in:f64:1048576:random:2 i32:1024",
    "product_tiled_32_1024": "out:f32:1048576 in:f32:1048576:random:1 in:f32:1048576:random:2 i32:1024",
}
JOINED_IN_PART = {"scan_blelloch_256": "out:f32:2048 in:f32:2048:random:1"}
SPILLED = {
    "registers_200": "out:f32:102400 in:f32:102400:random:1 i32:2",
    "registers_spilled": "out:f32:196608 in:f32:196608:random:1 i32:2",
}
# Local arrays: file, kernel, grid, block, arguments, an H100's requests of loads and stores (driver
# 580.159.04, Nsight Compute 2025.3.1, 2026-11-27). The assembler keeps the first one in registers.
ARRAYS = (
    ("histogram/skewed/copy_of_each_lane", "histogram", "4", "256", "out:u32:256 in:u8:70003:random:1 u32:70003", 0, 0),
    ("coalescing/copy/array_in_local_memory", "copy", "4,4", "32,8",
     "out:f32:16384 in:f32:16384:random:1 i32:128 i32:128", 512, 512),
)
# Solutions: file, kernel, grid, block, arguments, and wavefronts of shared loads on an H100 and an H200
# (../golden/README.md). The scan runs a quarter of its blocks.
SOLUTIONS = (
    ("matmul/tiled", "matmul", "16,8", "16,16",
     "out:f32:32768 in:f32:16384:random:1 in:f32:32768:random:2 i32:128 i32:256 i32:128", 196608),
    ("scan/block_scan", "scan_blocks", "1040", "256", "out:u32:1064960 out:u32:1040 in:u32:1064960:random:1 u32:1064960",
     83200 / 4),
)
# The shared memory stage repeats a few accesses when busy: up to 2 % here, and it varies.
REPEATED = 0.02


@functools.cache
def profiled(file, card, kernel, grid, block, arguments):
    """The metrics of a launch."""
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "report.json"
        command = [WARPGRADE, "profile", file, "--device", card, "--kernel", kernel, "--grid", grid, "--block", block,
                   "--json", report]
        for argument in arguments.split():
            command += ["--arg", argument]
        environment = {**os.environ, "WARPGRADE_ROOT": str(launches.ROOT)}
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment)
        return json.loads(report.read_text(encoding="utf-8"))["metrics"]


def local_requests(metrics):
    """Requests of loads and of stores."""
    return [metrics[f"l1tex__t_requests_pipe_lsu_mem_local_op_{operation}.sum"] for operation in ("ld", "st")]


def local_sectors(metrics):
    return [metrics[f"l1tex__t_sectors_pipe_lsu_mem_local_op_{operation}.sum"] for operation in ("ld", "st")]


class Counters(unittest.TestCase):
    def of_both(self, arguments):
        """(simulated metrics, {column: the card's count for these blocks}), per launch and card."""
        chosen = [one for one in launches.read() if one.name in arguments]
        self.assertEqual(len(arguments), len(chosen))
        for card in ("h200", "h100"):
            _, counted = launches.read_measured(launches.FOLDER / f"{card}_counters.csv")
            for one in chosen:
                blocks = math.prod(one.grid)
                there = {column: float(count) * BLOCKS / blocks for column, count in counted[one.name].items()
                         if column != "name"}
                with self.subTest(one.name, card=card):
                    block = ",".join(map(str, one.block))
                    yield profiled(one.path, card, one.kernel, str(BLOCKS), block, arguments[one.name]), there

    def test_loads_of_neighbouring_words_are_one_load(self):
        for here, there in self.of_both(JOINED):
            self.assertEqual(there["shared_load_instructions"], here["warpgrade__shared_requests_op_ld.sum"])

    def test_they_take_the_wavefronts_of_one_load(self):
        for here, there in self.of_both(JOINED | JOINED_IN_PART):
            ours = here["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"]
            self.assertLessEqual(ours, there["shared_loads"])
            self.assertGreater(ours, there["shared_loads"] * (1 - REPEATED))

    def test_solutions_have_the_wavefronts_of_both_cards(self):
        for file, *launch, wavefronts in SOLUTIONS:
            for card in ("h200", "h100"):
                with self.subTest(file, card=card):
                    here = profiled(launches.ROOT / "solutions" / f"{file}.cu", card, *launch)
                    self.assertEqual(wavefronts, here["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"])

    def test_spills_are_loads_and_stores_of_local_memory(self):
        for here, there in self.of_both(SPILLED):
            self.assertEqual([there["local_loads"], there["local_stores"]], local_requests(here))
            self.assertEqual([4 * requests for requests in local_requests(here)], local_sectors(here))

    def test_arrays_in_registers_are_no_memory(self):
        for file, *launch, loads, stores in ARRAYS:
            path = launches.ROOT / "tests/evidence/right" / f"{file}.cu"
            with self.subTest(file):
                here = profiled(path, "h100", *launch)
                self.assertEqual([loads, stores], local_requests(here))
                self.assertEqual([4 * loads, 4 * stores], local_sectors(here))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
