#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the course's kernels and the harness around them under compute-sanitizer, on a GPU.

  tests/gpu/sanitize.py PROGRAM [--jobs N] [--limit S] [--csv OUT] [--kinds KIND,...]
                        [--only WORD]...

PROGRAM is build/tests/grader/test_solution_launches: each of its tests launches one exercise's
solution and reference in all cases, a kernel of solutions/LAB/further, or what the harness itself
launches. Every test runs under each kind of check, in a process of its own. Our kernel that
overwrites shared memory takes seconds under racecheck, so there only the harness's tests run it.
Before that, kernels with a planted fault show that the sanitizer finds such faults here.

One line per run shows what was found. A run is clean only if the sanitizer printed a summary without
findings and nothing else, and if the test passed under it. Exit code 0: all runs are clean; 1: a
finding, or a run that did not finish; 3: no sanitizer.
"""
import argparse
import concurrent.futures
import csv
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
KINDS = ("memcheck", "racecheck", "initcheck", "synccheck")
PLANTED = "PlantedFaults.DISABLED_"
# Only racecheck distinguishes errors from warnings. Both are findings.
SUMMARY = re.compile(
    r"^========= (?:ERROR SUMMARY: (?P<errors>[0-9]+) errors?"
    r"|RACECHECK SUMMARY: (?P<hazards>[0-9]+) hazards? displayed .*)$"
)
HEADING = "========= COMPUTE-SANITIZER"
# The harness reads a kernel's parameters until the driver reports the end. memcheck counts that
# call as an error, but it is not a finding. All other driver errors are findings, and the harness
# stops at each.
EXPECTED = re.compile(r"^========= Program hit CUDA_ERROR_INVALID_VALUE .* call to cuFuncGetParamInfo\.$")
MOST_REPORTS = 100000  # Print all reports: one that is left out could be a finding.


def find_sanitizer():
    """The sanitizer's path, or None."""
    places = [os.environ.get("CUDA_HOME", ""), "/usr/local/cuda"]
    found = shutil.which("compute-sanitizer")
    for place in filter(None, places):
        found = found or shutil.which(f"{place}/bin/compute-sanitizer")
    return found


def tests_of(program):
    """The names of the tests that launch something on the device, without the planted faults."""
    done = subprocess.run(
        [program, "--gtest_list_tests"], capture_output=True, text=True, check=False, cwd=ROOT
    )
    if done.returncode != 0:
        sys.exit(f"{program} lists no tests, exit code {done.returncode}\n{done.stdout}{done.stderr}")
    found = []
    for line in done.stdout.splitlines():
        name = line.split("#")[0].rstrip()
        if name.startswith("  "):
            found.append(suite + name.strip())
        elif name.endswith("."):
            suite = name
    return [test for test in found if re.search(r"(Checked|Launches)\.(?!DISABLED_)", test)]


def is_for(kind, test):
    """Whether a test runs under that kind of check."""
    if "HarnessChecked." in test:
        return True
    return ("Launches." in test) == (kind == "racecheck")


class Run:
    """One test under one kind of check."""

    def __init__(self, sanitizer, program, kind, test, limit):
        self.kind, self.test = kind, test
        command = [sanitizer, "--tool", kind, "--print-limit", str(MOST_REPORTS), program]
        start = time.monotonic()
        try:
            done = subprocess.run(
                [*command, f"--gtest_filter={test}", "--gtest_also_run_disabled_tests"],
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, cwd=ROOT,
                timeout=limit, env={"WARPGRADE_ROOT": str(ROOT), **os.environ},
            )
            self.text = done.stdout.decode("utf-8", "replace")
            self.ended, self.code = True, done.returncode
        except subprocess.TimeoutExpired as stopped:
            self.text = (stopped.stdout or b"").decode("utf-8", "replace")
            self.ended, self.code = False, None
        self.seconds = time.monotonic() - start
        said = [line.rstrip() for line in self.text.splitlines() if line.startswith("=========")]
        summaries = [found for found in map(SUMMARY.match, said) if found]
        self.summed_up = bool(summaries)
        counted = sum(int(found["errors"] or found["hazards"]) for found in summaries)
        self.found = counted - sum(bool(EXPECTED.match(line)) for line in said)
        # The sanitizer's other output: findings, and its own problems.
        self.said = []
        keep = True
        for line in said:
            if line.startswith("=========  "):  # continues the line before
                self.said += [line] if keep else []
                continue
            keep = line not in (HEADING, "=========") and not EXPECTED.match(line)
            self.said += [line] if keep and not SUMMARY.match(line) else []

    def problem(self):
        """The reason why the run is not clean; empty if it is clean."""
        if not self.ended:
            return "did not end in time"
        if not self.summed_up:
            return f"not checked: no summary, exit code {self.code}"
        if self.found:
            return f"{self.found} found"
        if self.said:
            return "the sanitizer has something to say"
        if self.code != 0 or "[  PASSED  ] 1 test." not in self.text:
            return f"the test did not pass, exit code {self.code}"
        return ""

    def name(self):
        return self.test.rsplit("/", 1)[-1].removeprefix("HarnessChecked.")


def print_problem(run):
    print(f"FAIL  {run.kind:9}  {run.name()}: {run.problem()} ({run.seconds:.1f} s)")
    for line in run.said[:20] or run.text.splitlines()[-10:]:
        print(f"      {line}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--kinds", default=",".join(KINDS), help="some of these")
    parser.add_argument("--only", action="append", help="only tests with this in their names")
    parser.add_argument("--jobs", type=int, default=4, help="runs at a time")
    parser.add_argument("--limit", type=float, default=300, help="seconds that a run may take")
    parser.add_argument("--csv", type=pathlib.Path, help="write a row a run to this file, too")
    options = parser.parse_args()
    sanitizer = find_sanitizer()
    if sanitizer is None:
        print("compute-sanitizer is not on PATH, in CUDA_HOME or in /usr/local/cuda")
        return 3
    program = options.program.resolve()
    kinds = [kind for kind in KINDS if kind in options.kinds.split(",")]
    tests = [
        test
        for test in tests_of(program)
        if not options.only or any(word in test for word in options.only)
    ]
    planted = [(kind, PLANTED + kind) for kind in kinds]
    wanted = [(kind, test) for kind in kinds for test in tests if is_for(kind, test)]
    rows = []
    failures = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        runs = pool.map(
            lambda one: Run(sanitizer, program, *one, options.limit), [*planted, *wanted]
        )
        for (kind, test), run in zip([*planted, *wanted], runs):
            is_planted = test.startswith(PLANTED)
            if is_planted and run.summed_up and run.found > 0:
                print(f"ok    {kind:9}  finds its planted fault ({run.seconds:.1f} s)")
            elif is_planted or run.problem():
                failures += 1
                print_problem(run)
            else:
                print(f"ok    {kind:9}  {run.name()}: nothing found ({run.seconds:.1f} s)")
            sys.stdout.flush()
            rows.append([kind, run.name(), run.problem() or "clean", run.found, f"{run.seconds:.1f}"])
    if options.csv:
        with options.csv.open("w", newline="", encoding="utf-8") as out:
            csv.writer(out).writerows([["kind", "test", "result", "found", "seconds"], *rows])
    print(f"{len(wanted)} runs, {failures} not as they should be")
    return 1 if failures or not wanted else 0


if __name__ == "__main__":
    sys.exit(main())
