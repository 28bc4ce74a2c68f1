#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs single PTX instructions on edge values, and the gallery's kernels, on a GPU.

Each PTX instruction of a table becomes a kernel. Its threads load sources from a list of edge
values and random bits, execute the instruction and store the result's bits.

  conformance.py cases FOLDER  writes FOLDER/inputs.txt, cases.txt and cases.ptx; skips the cases
                               listed in FOLDER/refused.txt, if it exists
  conformance.py run FOLDER    runs FOLDER/cases.cubin, FOLDER/gallery/*.cubin (each beside its .cu)
                               and FOLDER/behaviours/*.cubin (beside its .ptx) with CuPy, writes
                               FOLDER/out/results.txt, gallery.txt and behaviours.txt
  conformance.py expect FOLDER writes the words of behaviours.txt to the end of each file of
                               tests/ptx/behaviours, one word per thread

Between the first two steps, compile the cubins with ptxas -arch=sm_90 (the gallery's kernels from
NVRTC's PTX). The tests replay all of them on the simulator. The instructions and values are in
tests/ptx/cases.
"""

import pathlib
import struct
import sys

TESTS = pathlib.Path(__file__).resolve().parents[2] / "ptx"
sys.path.insert(0, str(TESTS / "cases"))

from table import ALL
from values import KINDS, Random, inputs


EXPECTED = "// expected, written by an H200:\n"


def kernel(name, bits, kinds, text):
    sizes = [KINDS[kind][0] for kind in kinds]
    declarations = [".reg .b%d %%d;" % bits]
    declarations += [".reg .b%d %%%s;" % (size, name) for size, name in zip(sizes, "abc")]
    sources = []
    for i, (size, register) in enumerate(zip(sizes, "abc")):
        to = "mov.b64" if size == 64 else "cvt.u%d.u64" % size
        sources += ["ld.global.u64 %%w1, [%%w0+%d];" % (8 * i), "%s %%%s, %%w1;" % (to, register)]
    result = "mov.b64 %w1, %d;" if bits == 64 else "cvt.u64.u%d %%w1, %%d;" % bits
    filled = (TESTS / "case.ptx").read_text()
    for word, by in (("NAME", name), ("DECLARATIONS", "\n  ".join(declarations)),
                     ("SOURCES", "\n  ".join(sources)), ("TEXT", text), ("RESULT", result)):
        filled = filled.replace(word, by, 1)
    return filled


def write_cases(folder):
    skip = set()
    if (folder / "refused.txt").exists():
        skip = set((folder / "refused.txt").read_text().split("\n"))
    chosen = [c for c in ALL if c[2] not in skip]
    tuples = dict.fromkeys(c[1] for c in chosen)
    with open(folder / "inputs.txt", "w") as file:
        for kinds in tuples:
            rows = " ".join(":".join("%x" % value for value in row) for row in inputs(kinds))
            file.write("%s %s\n" % (",".join(kinds), rows))
    with open(folder / "cases.txt", "w") as file:
        for bits, kinds, text in chosen:
            file.write("%d=%s|%s\n" % (bits, ",".join(kinds), text))
    with open(folder / "cases.ptx", "w") as file:
        file.write((TESTS / "prelude.ptx").read_text())
        for i, (bits, kinds, text) in enumerate(chosen):
            file.write(kernel("case%d" % i, bits, kinds, text) + "\n")
    print(len(chosen), "cases")


def gallery_input():
    random = Random(12345)
    return [random.bits(32) for _ in range(4096)]


def run_kernels(folder, name, suffix):
    """Runs folder/name/*.cubin, each beside its source, and writes their output words."""
    import cupy

    words_in = gallery_input()
    with open(folder / "out" / (name + ".txt"), "w") as file:
        for cubin in sorted((folder / name).glob("*.cubin")):
            launch = next(l for l in cubin.with_suffix(suffix).read_text().splitlines()
                          if l.startswith("// launch: ")).split()
            shape = {launch[k]: launch[k + 1] for k in range(2, len(launch), 2)}
            module = cupy.cuda.function.Module()
            module.load(cubin.read_bytes())
            source = cupy.array(words_in, dtype=cupy.uint32)
            result = cupy.zeros(1024, dtype=cupy.uint32)
            function = module.get_function("kernel")

            def extent(text):
                return tuple(int(v) for v in text.split(","))

            function(extent(shape["grid"]), extent(shape["block"]), (result, source),
                     int(shape.get("shared", 0)))
            cupy.cuda.Device().synchronize()
            values = " ".join("%x" % v for v in result.get().tolist())
            file.write("%s %s\n" % (cubin.stem, values))
            file.flush()


def run(folder):
    import cupy
    import numpy

    out = folder / "out"
    out.mkdir(exist_ok=True)
    lists = {}
    for line in (folder / "inputs.txt").read_text().splitlines():
        kinds, *rows = line.split(" ")
        lists[kinds] = [[int(v, 16) for v in row.split(":")] for row in rows]
    module = cupy.cuda.function.Module()
    module.load((folder / "cases.cubin").read_bytes())
    scratch = cupy.zeros(4096, dtype=cupy.uint64)
    with open(out / "results.txt", "w") as file:
        for i, line in enumerate((folder / "cases.txt").read_text().splitlines()):
            head, text = line.split("|", 1)
            rows = lists[head.split("=")[1]]
            packed = b"".join(struct.pack("<QQQ", *(row + [0, 0])[:3]) for row in rows)
            source = cupy.asarray(numpy.frombuffer(packed, dtype=numpy.uint64))
            result = cupy.zeros(len(rows), dtype=cupy.uint64)
            function = module.get_function("case%d" % i)
            function((1,), (256,), (result, source, scratch, numpy.uint32(len(rows))))
            values = " ".join("%x" % v for v in result.get().tolist())
            file.write("%s|%s\n" % (line, values))
    run_kernels(folder, "gallery", ".cu")
    run_kernels(folder, "behaviours", ".ptx")
    print("done")


def write_expected(folder):
    for line in (folder / "out" / "behaviours.txt").read_text().splitlines():
        name, *words = line.split(" ")
        file = TESTS / "behaviours" / (name + ".ptx")
        text = file.read_text().split(EXPECTED)[0]
        threads = int(text.split("// launch: grid 1 block ")[1].split("\n")[0])
        rows = [" ".join(words[i:i + 8]) for i in range(0, threads, 8)]
        file.write_text(text + EXPECTED + "".join("// %s\n" % row for row in rows))


if __name__ == "__main__":
    action = sys.argv[1]
    place = pathlib.Path(sys.argv[2])
    if action == "cases":
        write_cases(place)
    elif action == "expect":
        write_expected(place)
    else:
        run(place)
