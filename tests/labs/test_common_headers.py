#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""test_common_headers.py PROGRAM ROOT [--all]: each solution passes with a common header of CUDA on top.

These headers declare hundreds of variables, and choose the compiler by its macros. Without --all, some solutions are
graded, each with another header. With --all, each solution is graded with each header, which takes minutes, and the
mean cost of a grade is printed by header.
"""

import itertools
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import unittest

PROGRAM, ROOT = map(pathlib.Path, map(os.path.abspath, sys.argv[1:3]))
HEADERS = ("cooperative_groups.h", "cooperative_groups/reduce.h", "cuda/barrier", "cuda/pipeline", "cuda/atomic",
           "cub/cub.cuh")
# Cheap ones, one for each header; the first is the exercise that used to fail.
SAMPLE = ("bank_conflicts/coarse_grained", "coarsening/reduce_blocks", "coalescing/copy", "stencil/plane", "scan/block_scan",
          "coarsening/reduce_threads")


def grade(exercise, header):
    """The report of the exercise's solution with `header` on top, or "" if it has full points; and its processor time."""
    source = (ROOT / "solutions" / f"{exercise}.cu").read_text(encoding="utf-8")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, pathlib.Path(exercise).name + ".cu")
        file.write_text(f"#include <{header}>\n{source}", encoding="utf-8")
        done = subprocess.run([PROGRAM, "grade", exercise, "--backend", "sim", "--file", file], cwd=folder, check=False,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              env={**os.environ, "WARPGRADE_ROOT": str(ROOT)})
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return "" if done.returncode == 0 else done.stdout + done.stderr, after.ru_utime - before.ru_utime


class CommonHeaders(unittest.TestCase):
    def test_solutions_pass_with_each_header(self):
        for exercise, header in zip(SAMPLE, HEADERS):
            with self.subTest(exercise=exercise, header=header):
                self.assertEqual("", grade(exercise, header)[0])


def grade_all():
    """Grades all solutions with all headers, and returns the number of failures."""
    exercises = sorted(str(path.relative_to(ROOT / "solutions").with_suffix("")) for path in
                       (ROOT / "solutions").glob("*/*.cu"))
    seconds, failures = {header: 0.0 for header in HEADERS}, 0
    for header, exercise in itertools.product(HEADERS, exercises):
        report, cost = grade(exercise, header)
        seconds[header] += cost
        if report:
            failures += 1
            print(f"{exercise} with {header}:\n{report}", flush=True)
    for header, cost in seconds.items():
        print(f"{header}: {cost / len(exercises):.2f} s a grade")
    print(f"{failures} of {len(HEADERS) * len(exercises)} grades fail")
    return failures


if __name__ == "__main__":
    if "--all" in sys.argv:
        sys.exit(grade_all() != 0)
    unittest.main(argv=sys.argv[:1])
