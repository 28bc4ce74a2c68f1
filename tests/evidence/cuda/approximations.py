#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs approximations.cu, compiled to a cubin, with CuPy and writes the errors as a table.

    approximations.py approximations.cubin > errors.txt

One line per instruction: log2 of its largest relative and absolute error, and how many results are
not the true value rounded to nearest ("-": none, or not counted).
"""

import math
import pathlib
import sys

KERNELS = (
    ("singles", 2048, 256, (
        "rcp.approx.f32", "sqrt.approx.f32", "rsqrt.approx.f32", "sin.approx.f32, to 2 pi",
        "sin.approx.f32, to 100 pi", "sin.approx.f32, all, of its angle",
        "cos.approx.f32, to 2 pi", "cos.approx.f32, to 100 pi",
        "cos.approx.f32, all, of its angle", "lg2.approx.f32, below 1/2",
        "lg2.approx.f32, 1/2 to 2", "lg2.approx.f32, above 2", "ex2.approx.f32",
        "tanh.approx.f32")),
    ("quotients", 1024, 256, (
        "div.full.f32", "div.approx.f32", "rsqrt.approx.f64", "rcp.approx.ftz.f64",
        "rsqrt.approx.ftz.f64")),
    ("halves", 256, 256, (
        "ex2.approx.f16", "tanh.approx.f16", "ex2.approx.ftz.bf16", "tanh.approx.bf16")),
)


def logarithm(value):
    return "%.3f" % math.log2(value) if value > 0 else "none"


def main():
    import cupy
    import numpy

    module = cupy.cuda.function.Module()
    module.load(pathlib.Path(sys.argv[1]).read_bytes())
    for name, grid, block, rows in KERNELS:
        records = cupy.zeros(4 * len(rows), dtype=cupy.float64)
        module.get_function(name)((grid,), (block,), (records,))
        values = records.get()
        counts = values.view(numpy.uint64)
        for i, row in enumerate(rows):
            relative, absolute = values[4 * i:4 * i + 2]
            differing, total = counts[4 * i + 2:4 * i + 4]
            wrong = "%d of %d" % (differing, total) if differing else "-"
            print("%-34s %8s %8s  %s" % (row, logarithm(relative), logarithm(absolute), wrong))


if __name__ == "__main__":
    main()
