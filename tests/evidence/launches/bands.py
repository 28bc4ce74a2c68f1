#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The error of the time model by kind of kernel: what `speed_error`, `speed_errors` and `speed_margins` of a profile
say.

    python3 tests/evidence/launches/compare.py --card h200 --predictions tests/evidence/launches/h200_predicted.csv
    python3 tests/evidence/launches/bands.py

The first line predicts all launches again; the second prints the numbers for the profiles, in percent, with the
number of launches behind each. Each is the 95th percentile in both halves, rounded up: with fewer than 20 launches,
the largest. An error is that of the deviations of times; a margin is that of the shares by which speeds are too low,
where a speed that is too high counts as 0. Of fewer than 20 launches it is not below that of all kinds.
"""

import csv
import math

import compare
import launches

CARDS = ("h200", "h100")
ENOUGH = 20  # launches for a 95th percentile
# A profile's kind of kernel: the kinds of launches, and the launches of the course, that belong to it.
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
    """{name: row} of the predictions that are kept."""
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
    """The 95th, in percent and rounded up."""
    return math.ceil(100 * compare.percentile_95(shares))


def bands(card):
    """{kind: (percent of error, percent of margin, number of launches)}; the kind `all` has those of every kind."""
    every = launches.read()
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
