# SPDX-License-Identifier: Apache-2.0
"""Compares simulated counters of the labs' solutions with Nsight Compute's on an H100 and an H200.

Arguments: the program, then the root of the project. README.md beside this file describes the data.
"""

import collections
import csv
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent


def measured():
    """{exercise: rows of the table}"""
    out = collections.defaultdict(list)
    with (HERE / "counters.csv").open(encoding="utf-8", newline="") as table:
        for row in csv.DictReader(table):
            out[row["exercise"]].append(row)
    return out


class Labs(unittest.TestCase):
    def simulated(self, exercise):
        """{metric: value} of the gates for h200 in the grade of the solution; an H100 counts alike."""
        with tempfile.TemporaryDirectory() as folder:
            report = pathlib.Path(folder) / "grade.json"
            subprocess.run([PROGRAM, "grade", exercise, "--file", f"solutions/{exercise}.cu",
                            "--backend", "sim", "--json", report],
                           cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
            graded = json.loads(report.read_text(encoding="utf-8"))["exercises"][0]
            return {gate["metric"]: gate["value"] for gate in graded["gates"] if gate["device"] == "h200"}

    def test_counters_are_the_cards(self):
        for exercise, rows in measured().items():
            values = self.simulated(exercise)
            for row in rows:
                for name in ("h100", "h200"):
                    if not row[name]:
                        continue  # not measured there
                    with self.subTest(exercise=exercise, metric=row["metric"], card=name):
                        card = float(row[name])
                        self.assertAlmostEqual(card, values[row["metric"]], delta=float(row["tolerance"]) * card)

    def test_every_solution_is_measured(self):
        labs = ("attention", "convolution", "matmul", "stencil", "histogram", "scan", "sort", "sparse", "latency", "tensor_cores")
        solutions = {f"{lab}/{file.stem}" for lab in labs for file in (ROOT / "solutions" / lab).glob("*.cu")}
        self.assertEqual(solutions, set(measured()))


if __name__ == "__main__":
    PROGRAM = pathlib.Path(sys.argv[1]).resolve()
    ROOT = pathlib.Path(sys.argv[2]).resolve()
    unittest.main(argv=sys.argv[:1])
