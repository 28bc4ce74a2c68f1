# SPDX-License-Identifier: Apache-2.0
"""Turns raw output of Nsight Compute into a table with a row for each launch (README.md).

    python3 tests/evidence/launches/table_of_ncu.py RAW ORDER "# CARD, driver ..., DATE" > TABLE

RAW is the output of `ncu --csv --page raw`, ORDER the names that counters.py wrote. For each metric,
Nsight Compute prints the average over the units, the least, the largest and the sum; the table contains
the average.
"""

import csv
import pathlib
import re
import sys

METRIC = re.compile(r"(dram|fbpa|gpu|idc|l1tex|lts|sm|smsp)__(?!maximum)\w+\.(?!min|max|sum)[\w.]+")


def main():
    raw, order, about = sys.argv[1:]
    with open(raw, encoding="utf-8") as lines:
        head, _, *rows = csv.reader(line for line in lines if not line.startswith("=="))
    names = pathlib.Path(order).read_text(encoding="utf-8").split()
    if len(names) != len(rows):
        sys.exit(f"{order} has {len(names)} names, {raw} has {len(rows)} launches")
    kept = [i for i, name in enumerate(head) if METRIC.fullmatch(name)]
    print(about)
    table = csv.writer(sys.stdout, lineterminator="\n")
    table.writerow(["name"] + [head[i] for i in kept])
    for name, row in zip(names, rows):
        table.writerow([name] + [row[i].replace(",", "") for i in kept])


if __name__ == "__main__":
    main()
