#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Computes the errors of the time model by kind of kernel: a profile's `speed_error`,
`speed_errors` and `speed_margins`.

    python3 tests/evidence/launches/compare.py --card h200 --predictions tests/evidence/launches/h200_predicted.csv
    python3 tests/evidence/launches/bands.py

The first command predicts all launches again. The second prints the numbers for the profiles in
percent: 95th percentiles over both halves, rounded up (with fewer than 20 launches: maxima). Errors
are deviations of times. Margins are how much too low speeds are, and 0 if they are too high.
With fewer than 20 launches, a margin is at least that of all kinds. Prints launch counts, too.
"""

import csv
import math

import compare
import launches

CARDS = ("h200", "h100")
ENOUGH = 20  # launches for a 95th percentile
# Kinds of kernels in profiles, with their kinds of launches and their launches of the course.
KINDS = {
    "copy": ({"copy"}, "course_copy"),
    "transpose": ({"transpose"}, ("course_transpose", "course_swizzled", "course_fine", "course_diagonal")),
    "reduction": ({"reduction"}, "course_reduce"),
    "gather": ({"gather"}, ()),
    "stencil": ({"stencil"}, ()),
    "product": ({"product", "matrix by vector"}, ()),
    "histogram": ({"histogram", "shared atomic"}, ()),
    "scan": ({"scan"}, ()),
    "sparse": ({"sparse"}, ()),
}


def predictions(card):
    """{name: row} of the stored predictions."""
    with (launches.FOLDER / f"{card}_predicted.csv").open(newline="", encoding="utf-8") as text:
        return {row["name"]: row for row in csv.DictReader(text)}


def deviations(card, chosen):
    """Signed errors of predicted times, for launches that were both measured and predicted."""
    _, measured = launches.read_measured(launches.FOLDER / f"{card}.csv")
    predicted = predictions(card)
    return [float(predicted[one.name]["seconds"]) / float(measured[one.name]["seconds"]) - 1
            for one in chosen if one.name in measured and predicted[one.name]["seconds"]]


def is_of(one, kind):
    kinds, names = KINDS[kind]
    return one.kind in kinds or one.name.startswith(names)


def percentile(shares):
    """The 95th percentile, in percent and rounded up."""
    return math.ceil(100 * compare.percentile_95(shares))


def bands(card):
    """{kind: (percent of error, percent of margin, number of launches)}; `all`: every kind."""
    every = launches.read(launches.TABLE)
    groups = {kind: [one for one in every if is_of(one, kind)] for kind in KINDS} | {"all": every}
    found = {kind: deviations(card, chosen) for kind, chosen in groups.items()}
    margins = {kind: percentile([max(0, 1 - 1 / (1 + deviation)) for deviation in all_of])
               for kind, all_of in found.items()}
    return {kind: (percentile([abs(deviation) for deviation in all_of]),
                   margins[kind] if len(all_of) >= ENOUGH else max(margins[kind], margins["all"]), len(all_of))
            for kind, all_of in found.items()}


if __name__ == "__main__":
    for card in CARDS:
        for kind, (error, margin, count) in bands(card).items():
            print(f"{card} {kind:10} {error:3} %, margin {margin:3} %, of {count} launches")
