# SPDX-License-Identifier: Apache-2.0
"""Compares operations that `profile` counts with those of an H200.

Arguments: the program, then the root of the project. README.md in the folder above describes the data.
"""

import csv
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
# Additions that machine code executes with a predicate, or without one where PTX has one: by how much they differ.
DIFFERENT = {("roots", "fadd"): 0.34, ("odd", "fadd"): 0.15}


class Operations(unittest.TestCase):
    def profiled(self, kernel, repeats):
        width = "f64" if kernel == "doubles" else "f32"
        with tempfile.TemporaryDirectory() as folder:
            report = pathlib.Path(folder) / "profile.json"
            subprocess.run([PROGRAM, "profile", HERE / "kernels.cu", "--kernel", kernel, "--grid", "64", "--block", "256",
                            "--arg", f"out:{width}:16384", "--arg", f"in:{width}:16384:random:1", "--arg", f"i32:{repeats}",
                            "--device", "h200", "--json", report],
                           cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
            return json.loads(report.read_text(encoding="utf-8"))["metrics"]

    def test_operations_are_the_cards(self):
        with (HERE / "counters.csv").open(encoding="utf-8", newline="") as table:
            for row in csv.DictReader(table):
                metrics = self.profiled(row["kernel"], row["repeats"])
                for name in ("fadd", "fmul", "ffma", "dadd", "dmul", "dfma"):
                    with self.subTest(kernel=row["kernel"], operation=name):
                        card = float(row[name])
                        counted = metrics[f"smsp__sass_thread_inst_executed_op_{name}_pred_on.sum"]
                        share = DIFFERENT.get((row["kernel"], name), 0)
                        self.assertAlmostEqual(card, counted, delta=share * card)


if __name__ == "__main__":
    PROGRAM, ROOT = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
    unittest.main(argv=sys.argv[:1])
