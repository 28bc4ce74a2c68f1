#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Grades every file of the course on a GPU and compares the results with those that it states.

  tests/gpu/grade_course.py PROGRAM OUT.csv [--jobs N]

PROGRAM is `./warpgrade` or a program with the same arguments. Run this script in the root of the
project. Skeletons must fail, solutions and other right kernels must get full points, and wrong ones
must fail for the reason in their head. OUT.csv has one row per measured speed gate, or one row for a
file without any. Exit code 1: a file got another result.
"""
import argparse
import concurrent.futures
import csv
import json
import pathlib
import re
import subprocess
import sys
import tempfile

LIMIT = 120  # seconds per grade


def files(root):
    """Yields (file, exercise, expected result: "pass", "fail" or a reason)."""
    for lab in sorted(path.parent for path in root.glob("labs/*/grader.toml")):
        solutions = root / "solutions" / lab.name
        names = [path.stem for path in sorted(solutions.iterdir()) if path.suffix in (".cu", ".toml")]

        def exercise(file):
            return lab.name + "/" + max((n for n in names if file.stem.startswith(n)), key=len)

        for name in names:
            file = next(solutions.glob(name + ".*"))
            yield lab / file.name, f"{lab.name}/{name}", "fail"
            yield file, f"{lab.name}/{name}", "pass"
        for file in sorted((root / "tests/evidence/right" / lab.name).glob("*/*.cu")):
            yield file, f"{lab.name}/{file.parent.name}", "pass"
        for file in sorted((solutions / "wrong").iterdir()):
            stated = re.search(r"(?://|#) fails: (\w+)", file.read_text())
            yield file, exercise(file), stated[1]


def grade(program, root, file, exercise):
    """The report's entry for one file, or None."""
    with tempfile.NamedTemporaryFile(suffix=".json") as out:
        command = [program, "grade", exercise, "--file", str(file.relative_to(root))]
        command += ["--backend", "gpu", "--json", out.name]
        try:
            subprocess.run(command, capture_output=True, timeout=LIMIT, check=False)
            return json.load(open(out.name))["exercises"][0]
        except (ValueError, subprocess.TimeoutExpired):
            return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("out")
    parser.add_argument("--jobs", type=int, default=4)
    options = parser.parse_args()
    root = pathlib.Path.cwd()
    surprises = graded = 0
    with open(options.out, "w", newline="") as out, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        rows = csv.writer(out)
        rows.writerow(["file", "exercise", "verdict", "reason", "points", "gate", "fraction_of_copy", "low", "high", "samples"])
        all_files = list(files(root))
        for (file, exercise, must), report in zip(
            all_files, pool.map(lambda one: grade(options.program, root, one[0], one[1]), all_files)
        ):
            graded += 1
            report = report or {"verdict": "error", "reason": "no report", "points": 0, "max_points": 0, "gates": []}
            verdict, reason = report["verdict"], report["reason"]
            right = {
                "pass": verdict == "pass" and report["points"] == report["max_points"],
                "fail": verdict == "fail",
            }.get(must, verdict == "fail" and reason == must)
            if not right:
                surprises += 1
                print(f"{file.relative_to(root)}: {verdict} {reason}, not {must}", flush=True)
            shown = [file.relative_to(root), exercise, verdict, reason, report["points"]]
            measured = [g for g in report["gates"] if g.get("low") is not None]
            for gate in measured:
                numbers = [f"{gate[key]:.3f}" for key in ("value", "low", "high")]
                rows.writerow([*shown, gate["id"], *numbers, len(gate["seconds_copy_kernel_kernel_copy"])])
            if not measured:
                rows.writerow([*shown, "", "", "", "", ""])
            out.flush()
    print(f"{graded} files graded, {surprises} of them not as they should")
    return 1 if surprises else 0


if __name__ == "__main__":
    sys.exit(main())
