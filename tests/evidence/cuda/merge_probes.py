#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Joins the launches that probes.cu printed with the table that ncu wrote, launch by launch.

Usage: merge_probes.py launches.csv ncu.csv > access_probes.csv

Keeps the memory counters that are nonzero in at least one launch. Checks that both tables name the
same kernel in each row. A metric that ncu could not measure is left empty.
"""
import csv
import re
import sys

KEPT = re.compile(r"^(l1tex__|lts__t_|smsp__sass_average|smsp__sass_data_bytes|smsp__inst_executed_op)"
                  r".*\.(sum|ratio)$")
KERNELS = {"access": "access{bytes}", "local": "local{bytes}", "generic": "generic4",
           "readonly": "readonly4"}


def number(text):
    """ncu's number without thousands separators, as an integer if it is whole."""
    text = text.replace(",", "")
    if text in ("", "n/a"):
        return ""
    value = float(text)
    return str(int(value)) if value.is_integer() else f"{value:.6g}"


def main(launches_path, ncu_path):
    with open(launches_path, newline="") as file:
        launches = list(csv.DictReader(file))
    with open(ncu_path, newline="") as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("==")))
    rows = [row for row in rows if row["ID"] != ""]  # The first row holds the units.
    if len(rows) != len(launches):
        sys.exit(f"{len(launches)} launches but {len(rows)} rows of ncu")
    metrics = [name for name in rows[0] if KEPT.match(name) and not re.search("_pred_o", name)]
    metrics = [name for name in metrics if any(number(row[name]) not in ("", "0") for row in rows)]
    output = csv.writer(sys.stdout, lineterminator="\n")
    output.writerow(["kind", "bytes", "pattern", "mask", "offsets"] + metrics)
    for launch, row in zip(launches, rows):
        kernel = KERNELS.get(launch["kind"], launch["kind"]).format(**launch)
        if not row["Kernel Name"].startswith(kernel + "("):
            sys.exit(f"launch {launch['launch']} is {kernel}, ncu says {row['Kernel Name']}")
        output.writerow([launch[key] for key in ("kind", "bytes", "pattern", "mask", "offsets")] +
                        [number(row[name]) for name in metrics])


if __name__ == "__main__":
    main(*sys.argv[1:])
