#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the time model with measurements: predicts each launch and shows the deviation.

    ninja -C build tests/evidence/launches/predict
    python3 tests/evidence/launches/compare.py [--predictions FILE [--missing]] [--jobs N]
        [--card h200|h100] [--whole [--most-bytes N]] [--half fit|held]
        [--program build/tests/evidence/launches/predict] [NAME...]

A launch is predicted as in a grade: only a sample of its blocks is executed. With --whole all its
blocks are executed, as in `profile`, and launches above --most-bytes are left out. Launches that
need more than a few seconds are left out and listed. FILE stores the predictions, so that --missing
can resume or print the tables again. Without measurements (CARD.csv) only predictions are made.

A deviation is predicted / measured - 1. The tables show its mean magnitude, 95th percentile and
worst value, for each kind and half. Then come the ten worst launches, and the number of pairs in
the wrong order among those whose measured times differ by more than 10 %. Exits 1 if a prediction
failed for a reason other than the limits.
"""

import argparse
import collections
import concurrent.futures
import csv
import itertools
import math
import pathlib
import subprocess
import sys

import launches
import measure

COLUMNS = ["name", "seconds", "bound_by", "dram_read", "dram_written", "why_not"]
DIFFERENT = 1.10  # Ratio of two measured times above which their order must be right.
SHOWN = 10
TOO_MUCH = "too much: "


def row_of(launch):
    """The input line of `predict` for a launch."""
    extents = [" ".join(map(str, (*extent, 1, 1)[:3])) for extent in (launch.grid, launch.block)]
    arguments = " ".join(argument.text for argument in launch.arguments)
    return "\t".join([launch.name, str(launch.path), launch.kernel, *extents,
                      str(launch.shared_bytes), arguments]) + "\n"


def predict(part, options):
    """Predictions of some launches, one row each."""
    command = [str(options.program.resolve()), options.card, *["--whole"] * options.whole]
    done = subprocess.run(command, input="".join(map(row_of, part)), stdout=subprocess.PIPE, text=True, check=True)
    for line in done.stdout.splitlines():
        name, seconds, *rest = line.split("\t")
        yield {"name": name, "seconds": seconds, "bound_by": rest[0] if seconds else "",
               "dram_read": rest[2] if seconds else "", "dram_written": rest[3] if seconds else "",
               "why_not": "" if seconds else rest[0], "parts": numbers(rest[1]) if seconds else {},
               "speed_of_light": numbers(rest[4]) if seconds else {}}


def numbers(text):
    """{name: number} of "NAME=NUMBER,NAME=NUMBER"."""
    return {name: float(number) for name, number in (pair.split("=") for pair in text.split(",") if pair)}


def write(file, rows):
    new = file.with_name(file.name + ".new")
    with new.open("w", newline="", encoding="utf-8") as out:
        writer = csv.DictWriter(out, COLUMNS, extrasaction="ignore", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    new.replace(file)


def predict_all(every, options):
    """{name: row} of all launches; rows of the file stay unchanged."""
    found = {}
    file = options.predictions
    if file and options.missing and file.exists():
        with file.open(newline="", encoding="utf-8") as text:
            found = {row["name"]: row for row in csv.DictReader(text) if row["seconds"]}
    todo = [launch for launch in every if launch.name not in found]
    parts = [todo[i::options.jobs] for i in range(min(options.jobs, len(todo)))]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for rows in pool.map(lambda part: list(predict(part, options)), parts):
            found |= {row["name"]: row for row in rows}
    if file:
        write(file, [found[name] for name in sorted(found)])
    return found


def percentile_95(values):
    """The smallest value that 95 % of the values do not exceed."""
    return sorted(values)[math.ceil(0.95 * len(values)) - 1]


def summary(deviations):
    """Mean, 95th percentile and worst magnitude, the last with its sign."""
    magnitudes = [abs(deviation) for deviation in deviations]
    worst = max(deviations, key=abs)
    return sum(magnitudes) / len(magnitudes), percentile_95(magnitudes), worst


def wrong_pairs(measured, predicted):
    """[(slower, faster)] names of pairs, as measured, that are predicted in the wrong order;
    and the number of pairs whose order must be right."""
    wrong, asked = [], 0
    for a, b in itertools.combinations(sorted(measured, key=measured.get), 2):
        if measured[b] > DIFFERENT * measured[a]:
            asked += 1
            if predicted[b] <= predicted[a]:
                wrong.append((b, a))
    return wrong, asked


def tables(every, measured, predicted):
    """Lines of all tables. `measured` and `predicted`: {name: seconds}."""
    known = [one for one in every if one.name in measured and one.name in predicted]
    deviation = {one.name: predicted[one.name] / measured[one.name] - 1 for one in known}
    groups = collections.defaultdict(list)
    for one in known:
        for kind in (one.kind, "all"):
            for part in (one.half, "both"):
                groups[kind, part].append(deviation[one.name])
    kinds = list(dict.fromkeys(one.kind for one in known)) + ["all"]
    parts = (*launches.HALVES, "both")
    titles = (f"  {part:>4}  {'mean':>6} {'95 %':>6} {'worst':>7}" for part in parts)
    yield f"{'kind':22}" + "".join(titles)
    for kind in kinds if known else []:
        line = f"{kind:22}"
        for part in parts:
            found = groups.get((kind, part))
            if not found:
                line += f"  {0:4}  {'':6} {'':6} {'':7}"
                continue
            mean, most, worst = summary(found)
            line += f"  {len(found):4}  {100 * mean:5.1f}% {100 * most:5.1f}% {100 * worst:+6.1f}%"
        yield line
    for part in launches.HALVES:
        yield f"\nworst of the half {part}"
        names = [one.name for one in known if one.half == part]
        for name in sorted(names, key=lambda name: -abs(deviation[name]))[:SHOWN]:
            yield (f"  {100 * deviation[name]:+7.1f}%  {name}: {1e6 * predicted[name]:.2f} us, "
                   f"measured {1e6 * measured[name]:.2f} us")
    for part in launches.HALVES:
        yield f"\norder in the half {part}"
        for kind in kinds:
            names = [one.name for one in known if one.half == part and kind in (one.kind, "all")]
            wrong, asked = wrong_pairs({name: measured[name] for name in names}, predicted)
            if kind == "all":
                yield f"  all: {len(wrong)} of {asked} pairs are in the wrong order"
                continue
            for slower, faster in wrong:
                by = measured[slower] / measured[faster]
                yield (f"  {kind}: {slower} is {by:.2f} times {faster}, "
                       f"predicted {predicted[slower] / predicted[faster]:.2f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these; patterns")
    parser.add_argument("--predictions", type=pathlib.Path, help="store the predictions in this file")
    parser.add_argument("--missing", action="store_true", help="keep what that file has, do the rest")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--card", choices=("h200", "h100"), default="h200")
    parser.add_argument("--whole", action="store_true", help="execute all blocks")
    parser.add_argument("--most-bytes", type=int, default=64 << 20, help="of a launch that is executed whole")
    parser.add_argument("--half", choices=launches.HALVES, help="only this half")
    parser.add_argument("--program", type=pathlib.Path,
                        default=launches.ROOT / "build/tests/evidence/launches/predict")
    options = parser.parse_args()
    every = [one for one in measure.chosen(options.names, []) if options.half in (None, one.half)
             and not (options.whole and one.bytes > options.most_bytes)]
    found = predict_all(every, options)
    failed = 0
    for one in every:
        why = found[one.name]["why_not"]
        failed += bool(why) and not why.startswith(TOO_MUCH)
        if why:
            print(f"{one.name}: not predicted: {why}")
    _, rows = launches.read_measured(launches.FOLDER / f"{options.card}.csv")
    measured = {name: float(row["seconds"]) for name, row in rows.items()}
    predicted = {name: float(row["seconds"]) for name, row in found.items() if row["seconds"]}
    if measured:
        print("\n".join(tables(every, measured, predicted)))
    else:
        print(f"no launch is measured yet; {len(predicted)} of {len(every)} launches are predicted")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
