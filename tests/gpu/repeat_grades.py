#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Grades the same files again and again on a GPU: does a verdict ever flip?

  tests/gpu/repeat_grades.py PROGRAM OUT.csv [--times N] [--jobs N] [--cards N] [--minutes M] [EXERCISE ...]

PROGRAM is `./warpgrade` or what takes its arguments, started in the root of the project. Each
exercise with a bound on the speed on the card's profile is graded N times by its solution, and N
times by a kernel that lies just under the bound: the solution with pauses at its start, which are
fitted until the kernel reaches 0.97 of the bound. A process makes some of these grades, one after
the other, each with inputs, contexts and measurements of its own; several processes run at a time
and take turns on their card. After M minutes no further ones are begun.

OUT.csv has a row a grade, written as they come. Exit code 1: a solution did not pass each time, or a
kernel under its bound passed once; verdicts that were left open are counted and shown.
"""
import argparse
import collections
import concurrent.futures
import csv
import json
import os
import pathlib
import queue
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import tomllib

UNDER = 0.97  # of the bound
MOST_PAUSES = 1 << 13  # of some 100 ns: a longer one is rounded to a power of two by the card
CHUNK = 20  # grades of one process
SECONDS_A_GRADE = 30  # at most


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


def slowed(text, kernel, pauses):
    """The kernel's file with pauses at the start of each thread."""
    start = re.search(rf"__global__[^;{{]*\b{re.escape(kernel.split('<')[0])}\s*\([^{{]*{{", text)
    return f"{text[:start.end()]}\n  for (unsigned pause = 0; pause < {pauses}U; ++pause) __nanosleep(100U);\n{text[start.end():]}"


class Grader:
    """Runs the program, each time on a card that fewest others use."""

    def __init__(self, program, device, folder, jobs, cards):
        self.program, self.device, self.folder = program, device, pathlib.Path(folder)
        self.cards = queue.Queue()
        for job in range(jobs):
            self.cards.put(str(job % cards))

    def grades(self, exercise, options, times):
        """[(verdict, reason, fraction, low, high)] of the gate on speed with the highest bound."""
        card = self.cards.get()
        try:
            with tempfile.NamedTemporaryFile(suffix=".json", dir=self.folder) as out:
                command = [self.program, "grade", exercise, "--backend", "gpu", "--device", self.device]
                command += ["--json", out.name, "--repeat", str(times), *options]
                done = subprocess.run(
                    command,
                    capture_output=True,
                    text=True,
                    check=False,
                    timeout=SECONDS_A_GRADE * times,
                    env={**os.environ, "CUDA_VISIBLE_DEVICES": card},
                )
                try:
                    reports = json.load(open(out.name))["exercises"]
                except ValueError:
                    raise RuntimeError(f"{exercise}: no report\n{done.stdout}{done.stderr}") from None
        finally:
            self.cards.put(card)
        found = []
        for report in reports:
            gates = [g for g in report["gates"] if g["metric"] == "fraction_of_copy" and g["min"]]
            gate = max(gates, key=lambda g: g["min"], default={})
            numbers = [gate.get(key) for key in ("value", "low", "high")]
            found.append((report["verdict"], report["reason"], *numbers))
        return found

    def fit(self, exercise, text, kernel, bound):
        """A file whose kernel reaches UNDER of the bound."""
        low, high = 0, MOST_PAUSES
        file = self.folder / (exercise.replace("/", "_") + ".cu")
        while True:
            pauses = (low + high) // 2
            file.write_text(slowed(text, kernel, pauses))
            fraction = self.grades(exercise, ["--file", str(file)], 1)[0][2]
            if high - low <= 1 or (fraction and abs(fraction / bound - UNDER) < 0.004):
                print(f"{exercise}: {pauses} pauses give {fraction} of {bound}", flush=True)
                return ["--file", str(file)]
            low, high = (low, pauses) if not fraction or fraction < UNDER * bound else (pauses, high)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("out")
    parser.add_argument("--times", type=int, default=200)
    parser.add_argument("--jobs", type=int, default=6)
    parser.add_argument("--cards", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=1e9)
    parser.add_argument("--device", default="h200")
    parser.add_argument("exercise", nargs="*")
    options = parser.parse_intermixed_args()
    end = time.monotonic() + 60 * options.minutes
    root = pathlib.Path.cwd()
    gates = speed_gates(root, options.device)
    found = collections.defaultdict(list)
    with tempfile.TemporaryDirectory() as folder, open(options.out, "w", newline="") as out, (
        concurrent.futures.ThreadPoolExecutor(options.jobs)
    ) as pool:
        grader = Grader(options.program, options.device, folder, options.jobs, options.cards)
        rows = csv.writer(out)
        rows.writerow(["exercise", "kernel", "bound", "verdict", "reason", "fraction", "low", "high"])
        lock = threading.Lock()

        def fit(exercise):
            kernel, bound = gates[exercise]
            text = (root / "solutions" / f"{exercise}.cu").read_text()
            return grader.fit(exercise, text, kernel, bound)

        def grade(exercise, what, arguments, times):
            if time.monotonic() > end:
                return
            results = grader.grades(exercise, arguments(), times)
            with lock:
                found[exercise, what] += results
                rows.writerows([exercise, what, gates[exercise][1], *result] for result in results)
                out.flush()

        exercises = options.exercise or list(gates)
        fits = {exercise: pool.submit(fit, exercise) for exercise in exercises}
        tasks = []
        for done in range(0, options.times, CHUNK):  # All exercises get on side by side.
            times = min(CHUNK, options.times - done)
            for exercise in exercises:
                for what, arguments in ("solution", lambda: ["--solutions"]), ("under", fits[exercise].result):
                    tasks.append(pool.submit(grade, exercise, what, arguments, times))
        broken = [error for task in tasks if (error := task.exception())]
    flipped = bool(broken)
    for error in broken:
        print(error)
    for (exercise, what), results in found.items():
        counts = dict(collections.Counter(result[0] for result in results))
        values = [result[2] for result in results if result[2] is not None]
        spread = f"{statistics.mean(values):.4f} +- {statistics.pstdev(values):.4f}" if values else "-"
        print(f"{exercise} {what}, bound {gates[exercise][1]}: {counts}, fraction {spread}")
        wrong = "fail" if what == "solution" else "pass"
        flipped |= counts.get(wrong, 0) + counts.get("error", 0) > 0
    return 1 if flipped else 0


if __name__ == "__main__":
    sys.exit(main())
