#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures the launches of the tables on this machine's card.

    python3 tests/evidence/launches/measure.py [--out FILE] [--missing] [--seconds S]
                                               [--skip NAME] [--program PROGRAM] [NAME...]

Compiles all files in parallel, as the grader does. Then runs the launches one by one in one process
(card.py, which needs CuPy); this takes a few minutes. With --program each launch is a
`PROGRAM profile --backend gpu` instead. That measures the same quantity, but slower; use it for
comparison, or without CuPy. FILE (default: h200.csv in this folder) is rewritten after each launch,
so you can interrupt a run at any time; --missing keeps its rows and measures the rest. No launch
starts after S seconds.
A NAME may be a pattern such as 'gather_*'. After a kernel that faults, the process cannot use the
card any more: resume with --missing and --skip. Exits 1 if a launch failed or was not run.
"""

import argparse
import concurrent.futures
import csv
import datetime
import fnmatch
import os
import pathlib
import sys
import tempfile
import time

import launches
import machine_code

COLUMNS = ["name", "seconds", "low", "high", "samples"]
EXPLAINED = "# seconds: median, `low` and `high` hold it with 95 %; L2 is overwritten before each sample"
PROGRAM_SAMPLES = 21  # kSamples of grader/profile/profiling.cpp
WALL_SECONDS = 120


class Results:
    """The measured rows, and the file that holds them."""

    def __init__(self, file, go_on):
        self.file = file
        self.order = {launch.name: at for at, launch in enumerate(launches.read())}
        self.head, self.rows = launches.read_measured(file) if go_on else ([EXPLAINED], {})

    def told(self, line):
        """Adds a line about the card or its versions to the head of the file, once."""
        if line not in self.head:
            self.head.append(line)

    def add(self, name, row):
        self.rows[name] = {"name": name} | {
            key: f"{value:.6g}" if isinstance(value, float) else value for key, value in row.items()
        }
        new = self.file.with_name(self.file.name + ".new")
        with new.open("w", newline="", encoding="utf-8") as out:
            out.write("\n".join(self.head) + "\n")
            writer = csv.DictWriter(out, COLUMNS, lineterminator="\n")
            writer.writeheader()
            rows = sorted(self.rows.values(), key=lambda row: self.order.get(row["name"], -1))
            writer.writerows(rows)
        new.replace(self.file)


def compile_all(compiler, todo, extra):
    """{path: (machine code, {kernel: its name there})} for all files of `todo` and `extra`."""
    kernels = {path: set(names) for path, names in extra.items()}
    for launch in todo:
        kernels.setdefault(launch.path, set()).add(launch.kernel)
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        made = {path: pool.submit(compiler.cubin, path.read_bytes(), sorted(names))
                for path, names in kernels.items()}
        return {path: program.result() for path, program in made.items()}


def in_one_process(todo, results, folder):
    """A function that measures a launch: returns a row of the file, or raises."""
    import card  # Imports CuPy, which --program does not need.

    compiler = machine_code.Compiler(launches.ROOT)
    fill = launches.FOLDER / "fill.cu"
    programs = compile_all(compiler, todo, {fill: card.FILLS})
    fills = programs.pop(fill)
    one = card.Card(folder, programs, fills)
    results.told(f"# {one.name}, driver {card.driver_version()}, NVRTC {compiler.version()}, "
                 f"{datetime.date.today()}: measure.py, in one process")
    return one.row


def by_program(program, results):
    """The same by `warpgrade profile`, which takes the median of 21 samples."""
    # Turns counters off: Nsight Compute needs seconds, and the simulator would run alongside.
    os.environ["WARPGRADE_NCU"] = "/nonexistent"

    def row(launch):
        words = ("--backend", "gpu")
        report, why = launches.profile(launch, program, *words, wall_seconds=WALL_SECONDS)
        if report is None:
            raise RuntimeError(why)
        results.told(f"# {report['device']}, {datetime.date.today()}: measure.py --program")
        seconds = report["time"]["seconds"]
        return {"seconds": seconds, "low": "", "high": "", "samples": PROGRAM_SAMPLES}

    return row


def is_one_of(launch, patterns):
    return any(fnmatch.fnmatch(launch.name, pattern) for pattern in patterns)


def chosen(names, skipped):
    """The launches of these names or patterns (default: all), without the skipped ones."""
    every = launches.read()
    for name in (*names, *skipped):
        if not any(is_one_of(launch, [name]) for launch in every):
            raise SystemExit(f"no launch {name}")
    return [one for one in every
            if (not names or is_one_of(one, names)) and not is_one_of(one, skipped)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--out", type=pathlib.Path, default=launches.MEASURED)
    parser.add_argument("--missing", action="store_true", help="keep what the file has, do the rest")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="begin no launch after these")
    parser.add_argument("--skip", action="append", default=[], metavar="NAME", help="leave these out")
    parser.add_argument("--program", type=pathlib.Path, help="measure by this program's `profile`")
    options = parser.parse_args()
    start = time.monotonic()
    results = Results(options.out, options.missing)
    todo = [launch for launch in chosen(options.names, options.skip)
            if launch.name not in results.rows]
    failed = cut = 0
    with tempfile.TemporaryDirectory() as folder:
        if options.program:
            measured = by_program(options.program.resolve(), results)
        else:
            measured = in_one_process(todo, results, pathlib.Path(folder))
        for launch in todo:
            if time.monotonic() - start > options.seconds:
                cut += 1
                continue
            try:
                row = measured(launch)
            except Exception as error:  # The process has lost the card: all later launches fail.
                failed += 1
                print(f"{launch.name}: FAIL: {error}", flush=True)
                continue
            results.add(launch.name, row)
            print(f"{launch.name}: {1e6 * row['seconds']:.2f} us ({row['samples']} samples)",
                  flush=True)
    taken = time.monotonic() - start
    print(f"{len(todo) - failed - cut} launches measured in {taken:.0f} s, {failed} failed, "
          f"{cut} left; {len(results.rows)} in {options.out}")
    return 1 if failed or cut else 0


if __name__ == "__main__":
    sys.exit(main())
