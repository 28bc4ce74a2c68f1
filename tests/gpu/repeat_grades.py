#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Grades the same files many times on a GPU, to find verdicts that change.

  tests/gpu/repeat_grades.py PROGRAM OUT.csv [--times N] [--jobs N] [--cards N] [--minutes M] [EXERCISE ...]

PROGRAM is `./warpgrade` or a program with the same arguments. Run this script in the root of the
project. Each exercise whose speed has a bound on the card's profile is graded N times with its
solution and N times with a kernel just under the bound: the solution with pauses at its start, whose
number is fitted until the kernel reaches 0.97 of the bound. One process makes several grades one
after the other, each with its own inputs, contexts and measurements. Several processes run at a time
and take turns on their card. After M minutes no new ones start.

OUT.csv gets one row per grade. If the file exists, the script continues it: its grades count, and
its pauses are used again. Exit code 1: a solution failed once, a kernel under its bound passed once,
or a grade ended with an error. Undecided verdicts are counted and shown.
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
NEAR = 0.004  # of the bound
# A pause takes about 100 ns, because the card rounds pauses of 2 us and more to powers of two.
# Numbers of pauses count parts of a pause: some blocks make one pause more than the others.
PARTS = 64
MOST_PAUSES = PARTS << 13
CHUNK = 10  # grades per process
COLUMNS = ["exercise", "kernel", "pauses", "bound", "verdict", "reason", "fraction", "low", "high"]
SECONDS_A_GRADE = 30  # upper limit


def kernel_of(exercise, exercises):
    """The kernel's name, which an exercise may inherit."""
    while "kernel" not in exercise:
        exercise = exercises[exercise["like"]]
    return exercise["kernel"].split("(")[0].split("<")[0]


def speed_gates(root, device):
    """EXERCISE -> (kernel's name, the highest bound on its fraction of copy on the device)."""
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "grade.json"
        # Only the bounds matter, and a skeleton's report has them, too.
        subprocess.run(
            [root / "build/grader/warpgrade", "grade", "--backend", "sim", "--json", report],
            cwd=root, check=False, stdout=subprocess.DEVNULL,
        )
        graded = json.loads(report.read_text())["exercises"]
    found = {}
    for one in graded:
        bounds = [
            gate["min"]
            for gate in one["gates"]
            if gate["metric"] == "fraction_of_copy" and gate["device"] == device and gate["min"]
        ]
        manifest = tomllib.loads((root / "labs" / one["lab"] / "grader.toml").read_text())
        exercises = {each["id"]: each for each in manifest["exercise"]}
        if max(bounds, default=0) > 0:
            found[f"{one['lab']}/{one['exercise']}"] = (
                kernel_of(exercises[one["exercise"]], exercises), max(bounds),
            )
    return found


def slowed(text, kernel, pauses):
    """The kernel's file with `pauses` parts of a pause at the start of its blocks, on average."""
    start = re.search(rf"__global__[^;{{]*\b{re.escape(kernel.split('<')[0])}\s*\([^{{]*{{", text)
    count = f"({pauses}U + (blockIdx.x + 7 * blockIdx.y) % {PARTS}U) / {PARTS}U"
    loop = f"for (unsigned pause = 0; pause < {count}; ++pause) __nanosleep(100U);"
    return f"{text[:start.end()]}\n  {loop}\n{text[start.end():]}"


def pauses_for(target, fraction_with):
    """The number of pauses that brings the fraction near the target. Time grows almost linearly."""
    low, low_time = 0, 1 / fraction_with(0)
    high = PARTS
    while 1 / (fraction := fraction_with(high)) < 1 / target:
        if high >= MOST_PAUSES:
            raise RuntimeError("no number of pauses makes the kernel slow enough")
        low, low_time, high = high, 1 / fraction, 2 * high
    high_time = 1 / fraction
    while high - low > 1:
        at = (1 / target - low_time) / (high_time - low_time)
        middle = low + round((high - low) * min(max(at, 0.1), 0.9))
        middle = min(max(middle, low + 1), high - 1)
        fraction = fraction_with(middle)
        if abs(fraction / target - 1) < NEAR:
            return middle
        if fraction > target:
            low, low_time = middle, 1 / fraction
        else:
            high, high_time = middle, 1 / fraction
    return high


class Grader:
    """Runs the program, each time on a card that the fewest others use."""

    def __init__(self, program, device, folder, jobs, cards):
        self.program, self.device, self.folder = program, device, pathlib.Path(folder)
        self.files = threading.Lock()
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

    def file(self, exercise, kernel, pauses):
        file = self.folder / f"{exercise.replace('/', '_')}_{pauses}.cu"
        with self.files:
            if not file.exists():
                text = pathlib.Path("solutions", f"{exercise}.cu").read_text()
                file.write_text(slowed(text, kernel, pauses))
        return file

    def fit(self, exercise, kernel, bound):
        """The number of pauses that brings the kernel just under the bound."""

        def fraction_with(pauses):
            options = ["--file", str(self.file(exercise, kernel, pauses))]
            verdict, reason, fraction, *_ = self.grades(exercise, options, 1)[0]
            if not fraction:
                raise RuntimeError(f"{exercise} with {pauses} pauses: {verdict}, {reason}")
            return fraction

        pauses = pauses_for(UNDER * bound, fraction_with)
        print(f"{exercise}: {pauses} pauses bring it to {UNDER} of {bound}", flush=True)
        return pauses


def known_rows(path):
    """The rows of a file that the script continues."""
    if not path.exists():
        return []
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


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
    gates = speed_gates(pathlib.Path.cwd(), options.device)
    known = known_rows(pathlib.Path(options.out))
    found = collections.defaultdict(list)
    fitted = {}
    for row in known:
        fraction = float(row["fraction"]) if row["fraction"] else None
        found[row["exercise"], row["kernel"]].append((row["verdict"], fraction))
        fitted[row["exercise"], row["kernel"]] = int(row["pauses"])
    with tempfile.TemporaryDirectory() as folder, open(options.out, "a", newline="") as out, (
        concurrent.futures.ThreadPoolExecutor(options.jobs)
    ) as pool:
        grader = Grader(options.program, options.device, folder, options.jobs, options.cards)
        rows = csv.writer(out)
        if not known:
            rows.writerow(COLUMNS)
        lock = threading.Lock()

        def fit(exercise):
            return fitted.get((exercise, "under")) or grader.fit(exercise, *gates[exercise])

        def grade(exercise, what, fit, times):
            pauses = fit.result() if fit else 0
            if time.monotonic() > end:
                return
            kernel, bound = gates[exercise]
            arguments = ["--file", str(grader.file(exercise, kernel, pauses))] if fit else ["--solutions"]
            results = grader.grades(exercise, arguments, times)
            with lock:
                found[exercise, what] += [(result[0], result[2]) for result in results]
                rows.writerows([exercise, what, pauses, bound, *result] for result in results)
                out.flush()

        exercises = options.exercise or list(gates)
        fits = {exercise: pool.submit(fit, exercise) for exercise in exercises}
        tasks = []
        done = {key: len(results) for key, results in found.items()}
        for some in range(0, options.times, CHUNK):  # All exercises progress together.
            for exercise in exercises:
                for what, fit in ("solution", None), ("under", fits[exercise]):
                    times = min(CHUNK, options.times - done.get((exercise, what), 0) - some)
                    if times > 0:
                        tasks.append(pool.submit(grade, exercise, what, fit, times))
        broken = [error for task in tasks if (error := task.exception())]
    flipped = bool(broken)
    for error in broken:
        print(error)
    for (exercise, what), results in found.items():
        counts = dict(collections.Counter(verdict for verdict, _ in results))
        values = [fraction for _, fraction in results if fraction is not None]
        spread = f"{statistics.mean(values):.4f} +- {statistics.pstdev(values):.4f}" if values else "-"
        print(f"{exercise} {what}, bound {gates[exercise][1]}: {counts}, fraction {spread}")
        wrong = "fail" if what == "solution" else "pass"
        flipped |= counts.get(wrong, 0) + counts.get("error", 0) > 0
    return 1 if flipped else 0


if __name__ == "__main__":
    sys.exit(main())
