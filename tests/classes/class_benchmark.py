# SPDX-License-Identifier: Apache-2.0
"""Grades a class of solutions, wrong ones, mutants, garbage and hostile files, and prints the time of a
grade and the memory of the judges.

    tests/classes/class_benchmark.py PROGRAM ROOT [--students N] [--workers N] [--labs LAB...] [--backend sim|gpu]
                                      [--folder FOLDER]

`meson test --benchmark class` has 6 students. `--students 300` is a whole class, and takes half an hour. With
`--folder` the class and its book remain, and the same command continues after an interruption. Processor time is
that of all processes, so other load changes it little. The run has no bubblewrap, because the system does not
report the time of processes in a namespace that ends. Fails if a judge's memory grows from one submission to the next.
"""

import argparse
import contextlib
import ctypes
import os
import pathlib
import resource
import signal
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time

SET_DEATH_SIGNAL, SET_CHILD_SUBREAPER = 1, 36  # linux/prctl.h
OPEN_WORK = 3  # Garbage with bytes that are zero is no text, so nobody grades it.
# A judge may grow by this much from the first half of its submissions to the second. It keeps up to 64 MiB of right
# results (reference.cpp) and the references of all labs, but nothing of a submission.
MOST_GROWTH_MIB = 128


def judges_mib(run):
    """Resident memory of each judge of `run` that lives between grades, by process."""
    parents, judges = {}, {}
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            words = (process / "cmdline").read_bytes().split(b"\0")
            parents[int(process.name)] = int((process / "stat").read_text().rsplit(")", 1)[1].split()[1])
            pages = int((process / "statm").read_text().split()[1])
        except (OSError, IndexError):
            continue
        if b"class-judge" in words:
            judges[int(process.name)] = pages * resource.getpagesize() / 2**20
    # A worker of the run starts a judge, and a judge its children.
    return {p: mib for p, mib in judges.items() if parents.get(parents[p]) == run}


def wait_for_all():
    """Reaps the processes that the workers left, so that their CPU time counts."""
    while True:
        try:
            os.wait()
        except ChildProcessError:
            return


def grade(command, env):
    """Runs `command`; returns seconds, seconds of processor time, and memory over time by judge."""
    memory = {}
    begin = time.monotonic()
    libc = ctypes.CDLL(None)
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(
        command, env=env, preexec_fn=lambda: libc.prctl(SET_DEATH_SIGNAL, signal.SIGKILL), **quiet
    ) as run:
        while True:
            try:
                run.wait(timeout=0.5)
                break
            except subprocess.TimeoutExpired:
                for judge, mib in judges_mib(run.pid).items():
                    memory.setdefault(judge, []).append(mib)
    wall = time.monotonic() - begin
    wait_for_all()
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    if run.returncode not in (0, OPEN_WORK):
        raise SystemExit(f"class run ended with {run.returncode}")
    return wall, used.ru_utime + used.ru_stime, memory


def growth(samples):
    half = len(samples) // 2
    return statistics.median(samples[half:]) - statistics.median(samples[:half]) if half else 0


def grades_in(book):
    if not book.exists():
        return 0
    with contextlib.closing(sqlite3.connect(book)) as opened:
        return opened.execute("SELECT count(*) FROM grade").fetchone()[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("--students", type=int, default=6)
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    parser.add_argument("--labs", nargs="*", default=())
    parser.add_argument("--backend", choices=("sim", "gpu"), default="sim")
    parser.add_argument("--folder", type=pathlib.Path)
    options = parser.parse_args()
    sys.path.insert(0, str(options.root / "tests/evidence/classes"))
    import make_class

    ctypes.CDLL(None).prctl(SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    with contextlib.ExitStack() as stack:
        folder = options.folder or stack.enter_context(tempfile.TemporaryDirectory())
        submissions, book = pathlib.Path(folder, "in"), pathlib.Path(folder, "book.db")
        if not submissions.exists():
            make_class.make(submissions.with_name("new"), options.students, seed=1, labs=options.labs)
            submissions.with_name("new").rename(submissions)
        before = grades_in(book)
        env = {**os.environ, "WARPGRADE_ROOT": str(options.root), "WARPGRADE_NO_BUBBLEWRAP": "1"}
        words = ["class", "run", book, submissions, "--backend", options.backend, "--workers", str(options.workers)]
        wall, used, memory = grade([options.program.resolve(), *words], env)
        grades = grades_in(book) - before
    if grades == 0:
        raise SystemExit(f"{book}: all of the class is graded")
    print(f"{grades} grades, {options.workers} workers: {wall:.1f} s, {grades / wall:.2f} grades per second")
    print(f"processor time: {used:.1f} s, {used / grades:.3f} s per grade")
    for judge, samples in memory.items():
        print(f"judge {judge}: {max(samples):.0f} MiB at most, grew by {growth(samples):.0f} MiB")
    return 0 if all(growth(samples) < MOST_GROWTH_MIB for samples in memory.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
