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
import tomllib
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


class Profiling(unittest.TestCase):
    """The answers of the lab on profiling against the card's counters of the six kernels."""

    UNITS = {
        "sm": "sm__throughput.avg.pct_of_peak_sustained_elapsed",
        "l1": "l1tex__throughput.avg.pct_of_peak_sustained_elapsed",
        "l2": "lts__throughput.avg.pct_of_peak_sustained_elapsed",
        "dram": "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed",
    }
    BUSY = 60  # percent of the peak
    LATENCY = 650  # ns under load, as in the solution
    MULTIPROCESSORS = 132

    def setUp(self):
        with (HERE / "profiling.csv").open(encoding="utf-8", newline="") as table:
            self.card = {row["kernel"]: {name: float(value) for name, value in row.items() if name != "kernel"}
                         for row in csv.DictReader(table)}
        self.answers = {}
        for file in (ROOT / "solutions/profiling").glob("*.toml"):
            answers = tomllib.loads(file.read_text(encoding="utf-8"))
            self.answers |= {tuple(name.split("_")): answer for name, answer in answers.items()}

    def asked(self, what):
        found = {kernel: answer for (kernel, asked), answer in self.answers.items() if asked == what}
        self.assertTrue(found)
        return found

    def test_busy_units_are_the_limits(self):
        for kernel, limit in self.asked("limit").items():
            busy = {unit for unit, metric in self.UNITS.items() if self.card[kernel][metric] >= self.BUSY}
            with self.subTest(kernel=kernel):
                if limit == "dram":
                    busy.discard("l2")  # which the bytes from DRAM load as well
                self.assertEqual({limit} if limit in self.UNITS else set(), busy)

    def test_occupancy_is_within_ten_points(self):
        for kernel, percent in self.asked("occupancy").items():
            with self.subTest(kernel=kernel):
                self.assertAlmostEqual(self.card[kernel]["sm__warps_active.avg.pct_of_peak_sustained_active"],
                                       percent, delta=10)

    def test_bytes_in_flight_are_littles_law(self):
        card = self.card["stream"]
        bytes_per_ns = card["dram__bytes_read.sum"] / card["gpu__time_duration.avg"] / self.MULTIPROCESSORS
        answer = self.asked("bytes")["stream"]
        self.assertAlmostEqual(bytes_per_ns * self.LATENCY, answer, delta=0.25 * answer)


if __name__ == "__main__":
    PROGRAM = pathlib.Path(sys.argv[1]).resolve()
    ROOT = pathlib.Path(sys.argv[2]).resolve()
    unittest.main(argv=sys.argv[:1])
