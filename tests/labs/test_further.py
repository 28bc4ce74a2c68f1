# SPDX-License-Identifier: Apache-2.0
"""The kernels in solutions/LAB/further, which go beyond the exercises, are right.

Each runs on the simulator, with all checks on and the launch in its head. Its output must equal
Python's result for the same input. Arguments: the program, then the root of the project.
"""

import array
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

CODES = {"f32": "f", "f64": "d", "u32": "I"}
# Metrics of a kernel without waste: it uses all bytes of each sector and has no bank conflicts.
LOADED_SECTORS = "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.ratio"
STORED_SECTORS = "smsp__sass_average_data_bytes_per_sector_mem_global_op_st.ratio"
SHARED_CONFLICTS = (
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",
)


def transposed(values, width, height):
    return array.array(
        values.typecode, (values[row * width + c] for c in range(width) for row in range(height))
    )


class Further(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.metrics = {}

    def run_kernel(self, file, kernel, grid, block, arguments, outputs):
        """Runs one launch without findings; returns the buffers at the indices `outputs`."""
        report = self.folder / "profile.json"
        command = [PROGRAM, "profile", ROOT / "solutions" / file, "--kernel", kernel]
        command += ["--grid", grid, "--block", block, "--device", "h200", "--json", report]
        for argument in arguments:
            command += ["--arg", argument]
        for index in outputs:
            command += ["--dump", f"{index}={self.folder / str(index)}"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        self.assertEqual(0, done.returncode, f"{kernel} {grid}\n{done.stdout}\n{done.stderr}")
        profile = json.loads(report.read_text())
        self.assertEqual([], profile["diagnostics"])
        self.metrics = profile["metrics"]
        buffers = []
        for index in outputs:
            values = array.array(CODES[arguments[index].split(":")[1]])
            values.frombytes((self.folder / str(index)).read_bytes())
            buffers.append(values)
        return buffers

    def input(self, kind, count, below=2**24):
        """An argument with unordered whole numbers, and the numbers."""
        values = array.array(CODES[kind], (i * 7919 % 16777213 % below for i in range(count)))
        (self.folder / "in").write_bytes(values.tobytes())
        return f"in:{kind}:{count}:file:{self.folder / 'in'}", values

    def expect_full_speed(self):
        self.assertEqual(32, self.metrics[LOADED_SECTORS])
        self.assertEqual(32, self.metrics[STORED_SECTORS])
        for name in SHARED_CONFLICTS:
            self.assertEqual(0, self.metrics[name], name)

    def test_copy_limit(self):
        for n in (512, 4096 + 512):
            argument, values = self.input("f32", n)
            (out,) = self.run_kernel(
                *("coalescing/further/copy_limit.cu", "copy_limit", f"{n // 512}", "128"),
                *((f"out:f32:{n}", argument, f"u32:{n}"), [0]),
            )
            self.assertEqual(values, out)
            self.expect_full_speed()

    def test_transpose_limit(self):
        for width, height in ((64, 64), (192, 128), (64, 256)):
            argument, values = self.input("f32", width * height)
            (out,) = self.run_kernel(
                *("bank_conflicts/further/transpose_limit.cu", "transpose_limit"),
                *(f"{height // 64},{width // 64}", "16,16"),
                (f"out:f32:{width * height}", argument, f"i32:{width}", f"i32:{height}"),
                [0],
            )
            self.assertEqual(transposed(values, width, height), out, (width, height))
            self.expect_full_speed()

    def test_transpose_order(self):
        along_rows, down_columns, diagonal = 0, 1, 2
        for width, height in ((32, 32), (96, 64), (32, 160)):
            argument, values = self.input("f64", width * height)
            for order in (along_rows, down_columns, diagonal):
                columns, rows = width // 32, height // 32
                (out,) = self.run_kernel(
                    *("partition_camping/further/transpose_order.cu", f"transpose_order<{order}>"),
                    f"{columns},{rows}" if order == along_rows else f"{rows},{columns}",
                    "256",
                    (f"out:f64:{width * height}", argument, f"i32:{width}", f"i32:{height}"),
                    [0],
                )
                self.assertEqual(transposed(values, width, height), out, (width, height, order))
                self.expect_full_speed()

    def test_sum_limit(self):
        # A chunk has 16384 elements: only a remainder, only whole chunks, chunks and a remainder.
        for n, blocks in ((1, 2), (16383, 3), (3 * 16384, 2), (50001, 1), (100003, 8)):
            argument, values = self.input("f32", n, below=101)
            total, partial, counters = self.run_kernel(
                *("coarsening/further/sum_limit.cu", "sum_limit", str(blocks), "512"),
                ("out:f32:1", f"out:f32:{blocks}", "inout:u32:2:zeros", argument, f"u32:{n}"),
                [0, 1, 2],
            )
            self.assertLess(sum(values), 2**24, "not exact in every order of summation")
            self.assertEqual(sum(values), total[0])
            self.assertEqual(sum(values), sum(partial))
            self.assertEqual([0, 0], list(counters), "not ready for another launch")

    def test_every_kernel_is_tried(self):
        tried = {
            "coalescing/further/copy_limit.cu",
            "bank_conflicts/further/transpose_limit.cu",
            "partition_camping/further/transpose_order.cu",
            "coarsening/further/sum_limit.cu",
        }
        solutions = ROOT / "solutions"
        found = {str(file.relative_to(solutions)) for file in solutions.glob("*/further/*")}
        self.assertEqual(tried, found)


if __name__ == "__main__":
    PROGRAM, ROOT = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
