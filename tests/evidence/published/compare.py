#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the time model with kernels that others measured on cards that the project does not have.

    ninja -C build tests/evidence/launches/predict
    python3 tests/evidence/published/compare.py [--jobs N] [--write] [--rows] [PATTERN...]

Each table (coulomb.csv, filters.csv, matrices.csv) has a name, a card and the published seconds. The name gives the
launch. A card is a profile of the project, or a file in cards/. --write stores the predictions in predicted.csv,
--rows prints the deviation of each row; patterns select rows by NAME@CARD. README.md has the sources.
"""

import argparse
import collections
import concurrent.futures
import contextlib
import csv
import dataclasses
import fnmatch
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

FOLDER = pathlib.Path(__file__).resolve().parent
ROOT = FOLDER.parents[2]
SETS = ("coulomb", "filters", "matrices")
PREDICTED = FOLDER / "predicted.csv"
# Nsight Compute sets the base clock: the mean over the rows, from instructions and the share of issue slots.
CLOCKS = {"coulomb": "1342 MHz"}


@dataclasses.dataclass(frozen=True)
class Launch:
    kernel: str
    grid: tuple
    block: tuple
    arguments: str


def ceil(a, b):
    return -(-a // b)


def coulomb(name):
    kernel, x, y, depth, unroll = re.fullmatch(r"(\w+?)_(\d+)x(\d+)_depth_(\d+)_unroll_(\d+)", name).groups()
    x, y, depth = int(x), int(y), int(depth)
    charges = "in:f32:256:random:1" if kernel == "potential" else " ".join(f"in:f32:64:random:{i}" for i in range(1, 5))
    return Launch(f"{kernel}<{depth},{unroll}>", (256 // x, 256 // y, 256 // depth), (x, y, 1),
                  f"inout:f32:16777216:zeros {charges} i32:64 f32:0.5 i32:256")


def filters(name):
    x, y, tx, ty, padded, read_only = re.fullmatch(
        r"filter_(\d+)x(\d+)_tile_(\d+)x(\d+)(_padded)?(_read_only)?", name).groups()
    x, y, tx, ty = map(int, (x, y, tx, ty))
    flags = ",".join("true" if flag else "false" for flag in (padded, read_only))
    return Launch(f"filter<{x},{y},{tx},{ty},{flags}>", (ceil(4096, x * tx), ceil(4096, y * ty), 1), (x, y, 1),
                  "out:f32:16777216 in:f32:16892100:random:1")


def matrices(name):
    kernel, size = name.rsplit("_", 1)
    n = int(size)
    if kernel == "add":
        return Launch(kernel, (n // 256, 1, 1), (256, 1, 1), f"in:f32:{n}:random:1 in:f32:{n}:random:2 out:f32:{n} i32:{n}")
    if kernel == "dot":
        return Launch(kernel, (n // 256, 1, 1), (256, 1, 1),
                      f"in:f32:{n}:random:1 in:f32:{n}:random:2 out:f32:{n // 256} i32:{n}")
    return Launch(kernel, (n // 16, n // 16, 1), (16, 16, 1),
                  f"out:f32:{n * n} in:f32:{n * n}:random:1 in:f32:{n * n}:random:2 i32:{n}")


LAUNCH = {"coulomb": coulomb, "filters": filters, "matrices": matrices}


def read(name):
    """The rows of the table `name`, without its head."""
    with (FOLDER / f"{name}.csv").open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def read_predicted():
    """{(set, name, card): seconds}"""
    with PREDICTED.open(newline="", encoding="utf-8") as file:
        return {(row["set"], row["name"], row["card"]): float(row["seconds"]) for row in csv.DictReader(file)}


def every():
    """(set, row) of all tables."""
    return [(name, row) for name in SETS for row in read(name)]


@contextlib.contextmanager
def profile_of(name, card):
    """The profile of a card, as `predict` names it, at the clock of the table's measurements."""
    file = FOLDER / "cards" / f"{card}.toml"
    if not file.exists():
        yield card
        return
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder) / file.name
        text = file.read_text(encoding="utf-8")
        if name in CLOCKS:
            text = re.sub(r'^sm_clock = .*$', f'sm_clock = "{CLOCKS[name]}"', text, flags=re.MULTILINE)
        copy.write_text(text, encoding="utf-8")
        yield str(copy)


def predict(program, name, card, rows):
    """{row name: (seconds or None, bound or reason)} for rows of one table and card."""
    lines = []
    for row in rows:
        launch = LAUNCH[name](row["name"])
        lines.append("\t".join([row["name"], str(FOLDER / "kernels" / f"{name}.cu"), launch.kernel,
                                " ".join(map(str, launch.grid)), " ".join(map(str, launch.block)), "0",
                                launch.arguments]) + "\n")
    with profile_of(name, card) as profile:
        done = subprocess.run([str(program), profile], input="".join(lines), stdout=subprocess.PIPE, text=True,
                              check=True)
    found = {}
    for line in done.stdout.splitlines():
        key, seconds, bound, *_ = line.split("\t")
        found[key] = (float(seconds) if seconds else None, bound)
    return found


def parts(name, rows):
    """Parts of a table's rows. Unrolled loops take long to compile, so each has a program of its own."""
    return [rows] if name == "matrices" else [[row] for row in rows]


def deviations(predicted):
    """{(set, card): {name: predicted / published - 1}}"""
    out = collections.defaultdict(dict)
    for name, row in every():
        seconds = predicted.get((name, row["name"], row["card"]))
        if seconds:
            out[name, row["card"]][row["name"]] = seconds / float(row["seconds"]) - 1
    return out


def summary(found):
    """Number, mean and median magnitude, and the worst deviation with its sign."""
    magnitudes = [abs(one) for one in found]
    return len(found), statistics.mean(magnitudes), statistics.median(magnitudes), max(found, key=abs)


def table(predicted):
    """Lines of a table by set and card."""
    yield "set        card              rows    mean  median   worst"
    for (name, card), found in deviations(predicted).items():
        count, mean, median, worst = summary(list(found.values()))
        yield f"{name:10} {card:16} {count:5} {100 * mean:6.1f}% {100 * median:6.1f}% {100 * worst:+6.1f}%"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("patterns", nargs="*")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--rows", action="store_true")
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / "build/tests/evidence/launches/predict")
    options = parser.parse_args()
    groups = collections.defaultdict(list)
    for name, row in every():
        key = f"{row['name']}@{row['card']}"
        if not options.patterns or any(fnmatch.fnmatch(key, one) for one in options.patterns):
            groups[name, row["card"]].append(row)
    predicted, bounds = {}, {}
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        work = {pool.submit(predict, options.program, name, card, part): (name, card)
                for (name, card), rows in groups.items() for part in parts(name, rows)}
        for future in concurrent.futures.as_completed(work):
            name, card = work[future]
            for key, (seconds, bound) in future.result().items():
                bounds[name, key, card] = bound
                if options.rows:
                    print(f"{key}@{card}: {seconds} s, {bound}", flush=True)
                if seconds is None:
                    print(f"{key}@{card}: not predicted: {bound}")
                else:
                    predicted[name, key, card] = seconds
    if options.rows:
        for (name, card), found in deviations(predicted).items():
            for key, one in sorted(found.items(), key=lambda item: item[1]):
                print(f"{100 * one:+7.1f}%  {key}@{card}: {bounds[name, key, card]}")
    print("\n".join(table(predicted)))
    if options.write:
        if options.patterns and PREDICTED.exists():
            predicted = read_predicted() | predicted
        with PREDICTED.open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(["set", "name", "card", "seconds"])
            writer.writerows([*key, f"{seconds:.6g}"] for key, seconds in sorted(predicted.items()))


if __name__ == "__main__":
    sys.exit(main())
