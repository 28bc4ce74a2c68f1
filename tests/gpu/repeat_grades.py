#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Grades the same files again and again on a GPU: does a verdict ever flip?

  tests/gpu/repeat_grades.py PROGRAM OUT.csv [--times N] [--jobs N] [EXERCISE ...]

PROGRAM is `./warpgrade` or what takes its arguments, started in the root of the project. Each
exercise with a bound on the speed on the card's profile is graded N times by its solution, and N
times by a kernel that lies just under the bound: the solution with a pause at its start, which is
fitted until the kernel reaches 0.97 of the bound. Several grades run at a time; they take turns on
the card.

OUT.csv has a row a grade. Exit code 1: a solution did not pass each time, or a kernel under its bound
passed once; verdicts that were left open are counted and shown.
"""
import argparse
import concurrent.futures
import csv
import json
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import tomllib

UNDER = 0.97  # of the bound
MOST_NANOSECONDS = 1 << 17


def speed_gates(root, device):
    """EXERCISE -> (kernel's name, the highest bound on its fraction of copy on the device)."""
    found = {}
    for manifest in sorted((root / "labs").glob("*/grader.toml")):
        for exercise in tomllib.loads(manifest.read_text())["exercise"]:
            bounds = [
                gate["min"]
                for gate in exercise.get("gate", [])
                if gate["metric"] == "fraction_of_copy" and gate["device"] == device
            ]
            if max(bounds, default=0) > 0:
                found[f"{manifest.parent.name}/{exercise['id']}"] = (exercise["kernel"], max(bounds))
    return found


def grade(program, exercise, device, options):
    """(verdict, reason, fraction) of one grade."""
    with tempfile.NamedTemporaryFile(suffix=".json") as out:
        command = [program, "grade", exercise, "--backend", "gpu", "--device", device]
        done = subprocess.run(
            [*command, "--json", out.name, *options], capture_output=True, text=True, check=False
        )
        try:
            report = json.load(open(out.name))["exercises"][0]
        except ValueError:
            sys.exit(f"{exercise}: no report, exit code {done.returncode}\n{done.stdout}{done.stderr}")
    gates = [g for g in report["gates"] if g["metric"] == "fraction_of_copy" and (g["min"] or 0) > 0]
    return report["verdict"], report["reason"], gates[0]["value"] if gates else None


def slowed(text, kernel, nanoseconds):
    """The kernel's file with a pause at the start of each block."""
    start = re.search(rf"__global__[^;{{]*\b{re.escape(kernel.split('<')[0])}\s*\([^{{]*{{", text)
    return f"{text[:start.end()]}\n  __nanosleep({nanoseconds}U);\n{text[start.end():]}"


def fit(program, exercise, device, text, kernel, bound, folder):
    """A file whose kernel reaches UNDER of the bound, and the fraction that it had."""
    low, high = 0, MOST_NANOSECONDS
    file = pathlib.Path(folder) / (exercise.replace("/", "_") + ".cu")
    while True:
        pause = (low + high) // 2
        file.write_text(slowed(text, kernel, pause))
        fraction = grade(program, exercise, device, ["--file", str(file)])[2]
        if high - low <= 1 or (fraction and abs(fraction / bound - UNDER) < 0.004):
            return file, fraction
        low, high = (low, pause) if not fraction or fraction < UNDER * bound else (pause, high)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("out")
    parser.add_argument("--times", type=int, default=200)
    parser.add_argument("--jobs", type=int, default=8)
    parser.add_argument("--device", default="h200")
    parser.add_argument("exercise", nargs="*")
    options = parser.parse_args()
    root = pathlib.Path.cwd()
    gates = speed_gates(root, options.device)
    flipped = False
    with tempfile.TemporaryDirectory() as folder, open(options.out, "w", newline="") as out, (
        concurrent.futures.ThreadPoolExecutor(options.jobs)
    ) as pool:
        rows = csv.writer(out)
        rows.writerow(["exercise", "kernel", "bound", "verdict", "reason", "fraction"])
        for exercise in options.exercise or gates:
            kernel, bound = gates[exercise]
            text = (root / "solutions" / f"{exercise}.cu").read_text()
            file, _ = fit(options.program, exercise, options.device, text, kernel, bound, folder)
            for what, arguments in ("solution", ["--solutions"]), ("under", ["--file", str(file)]):
                tasks = [
                    pool.submit(grade, options.program, exercise, options.device, arguments)
                    for _ in range(options.times)
                ]
                results = [task.result() for task in tasks]
                for result in results:
                    rows.writerow([exercise, what, bound, *result])
                out.flush()
                counts = {v: sum(r[0] == v for r in results) for v in ("pass", "fail", "inconclusive", "error")}
                values = [r[2] for r in results if r[2] is not None]
                spread = f"{statistics.mean(values):.4f} +- {statistics.pstdev(values):.4f}" if values else "-"
                print(f"{exercise} {what}, bound {bound}: {counts}, fraction {spread}", flush=True)
                wrong = "fail" if what == "solution" else "pass"
                flipped |= counts[wrong] + counts["error"] > 0
    return 1 if flipped else 0


if __name__ == "__main__":
    sys.exit(main())
