# SPDX-License-Identifier: Apache-2.0
"""Measures how much of their time the workers of `class run --engine slurm` grade, on a private Slurm.

    tests/classes/slurm_benchmark.py PROGRAM ROOT [--tasks N] [--workers N]

The tasks are copies of one solution with different comments. The local engine grades the same class for
comparison. Efficiency is the sum of the times of all grades, divided by the number of workers and the time of
the run. A second efficiency leaves out Slurm's delay before it starts a job. Needs Slurm's packages and root.
"""

import argparse
import os
import pathlib
import sqlite3
import subprocess
import tempfile
import time

from test_slurm import Slurm, wait_until


def hand_in(folder, root, tasks):
    right = (root / "solutions/coalescing/copy.cu").read_text()
    for i in range(tasks):
        file = folder / f"s{i}/coalescing/copy.cu"
        file.parent.mkdir(parents=True)
        file.write_text(right + f"// {i}\n")
    (folder / "class.toml").write_text('exercises = ["coalescing/copy"]\n')


def timeline(run, spool, begin):
    """Seconds from the start of the run to the array, and to each worker's first claim, until the run ends."""
    job, seen = None, {}
    while run.poll() is None:
        now = time.monotonic() - begin
        if job is None and (spool / "slurm_job").exists():
            job = now
        for claim in spool.glob("claims/*@*"):
            seen.setdefault(claim.name.rpartition("@")[2], now)
        time.sleep(0.01)
    return job, seen


def measure(options, env, folder, engine):
    book = folder / f"{engine}.db"
    words = [options.program.resolve(), "class", "run", book, folder / "in", "--backend", "sim"]
    words += ["--engine", engine, "--workers", str(options.workers)]
    begin = time.monotonic()
    with subprocess.Popen([*map(str, words)], env=env, stdout=subprocess.DEVNULL) as run:
        job, seen = timeline(run, pathlib.Path(f"{book}.spool"), begin)
    wall = time.monotonic() - begin
    with sqlite3.connect(book) as open_book:
        grades, graded = open_book.execute("SELECT count(*), sum(seconds) FROM grade").fetchone()
    if run.returncode != 0 or grades != options.tasks:
        raise SystemExit(f"{engine}: exit {run.returncode}, {grades} grades")
    print(f"{engine}: {grades} grades of {graded / grades:.2f} s in {wall:.1f} s on {options.workers} workers, ", end="")
    after_start = wall - min(seen.values(), default=0)
    print(f"efficiency {graded / wall / options.workers:.2f}, ", end="")
    print(f"from the first task on {graded / after_start / options.workers:.2f}")
    starts = ", ".join(f"{when:.1f} s" for when in sorted(seen.values()))
    print(f"  first tasks at {starts}" + (f"; array at {job:.1f} s" if job else ""))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("root", type=lambda name: pathlib.Path(name).resolve())
    parser.add_argument("--tasks", type=int, default=40)
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder = pathlib.Path(name)
        (folder / "slurm").mkdir()
        slurm = Slurm(folder / "slurm")
        try:
            if not wait_until(slurm.is_up, slurm.folder):
                raise SystemExit((folder / "slurm/daemons.log").read_text())
            hand_in(folder / "in", options.root, options.tasks)
            for engine in ("local", "slurm"):
                measure(options, {**slurm.env, "WARPGRADE_ROOT": str(options.root)}, folder, engine)
        finally:
            slurm.stop()


if __name__ == "__main__":
    main()
