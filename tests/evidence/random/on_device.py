#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs random programs on a GPU and compares them with the simulator bit by bit.

  random_programs --seeds 0:3071 --write FOLDER        here: programs, PTX, the simulator's outputs
  on_device.py FOLDER OUT [--reduce RANDOM_PROGRAMS]   on the machine with the card, with CuPy

The driver's assembler compiles the same PTX that was simulated. OUT receives outputs.bin.xz, the
card's words in the order of launches.txt, and report.txt, with a line for each program that differs
or fails. --reduce also shrinks up to 40 of these programs to the fewest top-level statements that
still differ, and stores seed_N.cu and seed_N.ptx. Each attempt is compiled and simulated there.
"""

import argparse
import array
import lzma
import multiprocessing.pool
import os
import pathlib
import pickle
import subprocess
import sys
import tempfile

STACK_BYTES = 16384
OWN_WORDS = 24
SUM_WORDS = 24
REDUCED_AT_MOST = 40
SECONDS_A_FILE = 60


def read_words(path):
    words = array.array("I")
    words.frombytes(path.read_bytes())
    return words


def read_launches(folder):
    """A list of (file, kernel, seed, statements, grid, block, words of out)."""
    launches = []
    for line in (folder / "launches.txt").read_text().splitlines():
        file, kernel, seed, statements, grid, block, words = line.split()
        extents = [tuple(int(v) for v in text.split(",")) for text in (grid, block)]
        launches.append((file, kernel, int(seed), int(statements), *extents, int(words)))
    return launches


def run_file(folder, file, results):
    """Runs the launches of one PTX file; pickles a list of (seed, words)."""
    import cupy
    import numpy

    cupy.cuda.runtime.deviceSetLimit(0, STACK_BYTES)
    source = cupy.asarray(numpy.fromfile(folder / "inputs.bin", dtype=numpy.uint32))
    first_sums = numpy.fromfile(folder / "sums.bin", dtype=numpy.uint32)
    module = cupy.cuda.function.Module()
    module.load_file(str(folder / (file + ".ptx")))
    found = []
    for name, kernel, seed, _, grid, block, words in read_launches(folder):
        if name != file:
            continue
        out = cupy.full(words, 0xdeadbeef, dtype=cupy.uint32)
        own = cupy.zeros(words // 3 * OWN_WORDS, dtype=cupy.uint32)
        sums = cupy.asarray(first_sums)
        module.get_function(kernel)(grid, block, (out, own, sums, source))
        cupy.cuda.Device().synchronize()
        found.append((seed, numpy.concatenate([out.get(), sums.get()]).tobytes()))
        results.write_bytes(pickle.dumps(found))


def run_apart(folder, file):
    """Seed -> words of one file's programs. They run in a separate process: an assembler
    crash or a failing kernel ends that process, and the programs after it have no words."""
    with tempfile.TemporaryDirectory() as name:
        results = pathlib.Path(name) / "results"
        command = [sys.executable, __file__, str(folder), name, "--file", file]
        try:
            subprocess.run(command, timeout=SECONDS_A_FILE, stderr=subprocess.DEVNULL, check=False)
        except subprocess.TimeoutExpired:
            pass
        return dict(pickle.loads(results.read_bytes())) if results.exists() else {}


def differences(expected, got):
    return [i for i in range(len(expected)) if expected[i] != got[i]]


def still_differs(programs, seed, kept, keep_in=None):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        subprocess.run([programs, "--seeds", "%d:%d" % (seed, seed), "--write", name, "--keep",
                        ",".join(str(s) for s in kept) or "9999"],
                       stdout=subprocess.DEVNULL, check=False)
        expected = read_words(folder / "outputs.bin")
        launches = read_launches(folder)
        if not launches:
            return ""
        result = run_apart(folder, launches[0][0]).get(seed)
        if result is None:
            return ""
        got = array.array("I")
        got.frombytes(result)
        wrong = differences(expected, got)
        if keep_in and wrong:
            for suffix in (".cu", ".ptx"):
                file = next(folder.glob("*" + suffix))
                (keep_in / ("seed_%d%s" % (seed, suffix))).write_bytes(file.read_bytes())
        return " ".join("[%d] %08x card %08x" % (i, expected[i], got[i]) for i in wrong[:6])


def reduce(job):
    """Returns a line with the statements of program `seed` that the difference needs."""
    programs, seed, statements, out = job
    try:
        kept = list(range(statements))
        if not still_differs(programs, seed, kept):
            return "%d: no difference when compiled alone" % seed
        for statement in range(statements):
            fewer = [s for s in kept if s != statement]
            if still_differs(programs, seed, fewer):
                kept = fewer
        return "%d: statements %s: %s" % (seed, kept, still_differs(programs, seed, kept, out))
    except Exception as error:
        return "%d: cannot be reduced: %s" % (seed, error)


def main():
    parser = argparse.ArgumentParser(description="Random programs on a GPU")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--reduce", metavar="RANDOM_PROGRAMS")
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    parser.add_argument("--file", help="run this file only, in this process")
    arguments = parser.parse_args()
    if arguments.file:
        return run_file(arguments.folder, arguments.file, arguments.out / "results")
    launches = read_launches(arguments.folder)
    expected = read_words(arguments.folder / "outputs.bin")
    files = dict.fromkeys(launch[0] for launch in launches)
    results = {}
    with multiprocessing.pool.ThreadPool(arguments.processes) as pool:
        for group in pool.imap_unordered(lambda file: run_apart(arguments.folder, file), files):
            results.update(group)
    at, failed, wrong, outputs = 0, 0, [], array.array("I")
    with open(arguments.out / "report.txt", "w") as report:
        for _, _, seed, statements, _, _, words in launches:
            ours = expected[at:at + words + SUM_WORDS]
            at += words + SUM_WORDS
            result = results.get(seed)
            got = array.array("I")
            if result is None:
                report.write("%d: has not run: the assembler or a kernel failed\n" % seed)
                failed += 1
                got.extend([0] * len(ours))
            else:
                got.frombytes(result)
                found = differences(ours, got)
                if found:
                    report.write("%d: %d of %d words: %s\n" % (
                        seed, len(found), words,
                        " ".join("[%d] %08x card %08x" % (i, ours[i], got[i]) for i in found[:4])))
                    wrong.append((seed, statements))
            outputs.extend(got)
        print(len(launches), "programs,", len(wrong), "differ,", failed, "not run", flush=True)
        (arguments.out / "outputs.bin.xz").write_bytes(lzma.compress(outputs.tobytes(), preset=1))
        if arguments.reduce:
            todo = [(arguments.reduce, seed, statements, arguments.out)
                    for seed, statements in wrong[:REDUCED_AT_MOST]]
            with multiprocessing.pool.ThreadPool(arguments.processes) as pool:
                for line in pool.imap_unordered(reduce, todo):
                    report.write(line + "\n")
                    report.flush()
    return 0 if not wrong else 1


if __name__ == "__main__":
    sys.exit(main())
