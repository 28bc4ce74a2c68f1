#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Edge values through single PTX instructions, and the gallery's kernels, on a real GPU.

A table names PTX instructions; each becomes a kernel whose threads load sources from a list
of edge values and random bits, execute it and store the result's bits.

  conformance.py cases FOLDER  writes FOLDER/inputs.txt, cases.txt and cases.ptx; leaves out the
                               lines of FOLDER/refused.txt, if there is one
  conformance.py run FOLDER    runs FOLDER/cases.cubin and FOLDER/gallery/*.cubin (each beside its
                               .cu) with CuPy, writes FOLDER/out/results.txt and gallery.txt

Between the two, ptxas -arch=sm_90 makes the cubins, of the gallery's kernels from NVRTC's PTX. The
tests replay results.txt and gallery.txt on the simulator.
The texts and values are in ptx_cases.py.
"""

import pathlib
import struct
import sys

from ptx_cases import CASES, KINDS, Random, inputs


def kernel(name, bits, kinds, text):
    lines = [".visible .entry %s(.param .u64 out, .param .u64 in, .param .u64 scratch, "
             ".param .u32 n) {" % name,
             ".reg .pred %p, %q; .reg .b16 %h<4>; .reg .b32 %r<4>, %i, %n, %s; "
                  ".reg .b64 %w<4>, %o, %g;",
             ".shared .align 16 .b8 own[4096];",
             ".reg .b%d %%d;" % bits]
    for register, kind in zip("abc", kinds):
        lines.append(".reg .b%d %%%s;" % (KINDS[kind][0], register))
    lines += ["mov.u32 %i, %tid.x; ld.param.u32 %n, [n]; setp.ge.u32 %p, %i, %n; @%p ret;",
              "ld.param.u64 %w0, [in]; mul.wide.u32 %o, %i, 24; add.s64 %w0, %w0, %o;"]
    for i, kind in enumerate(kinds):
        size = KINDS[kind][0]
        lines.append("ld.global.u64 %%w1, [%%w0+%d]; %s" %
                     (8 * i, "mov.b64 %%%s, %%w1;" % "abc"[i] if size == 64
                      else "cvt.u%d.u64 %%%s, %%w1;" % (size, "abc"[i])))
    lines += ["ld.param.u64 %g, [scratch]; mul.wide.u32 %o, %i, 16; add.s64 %g, %g, %o;",
              "mov.u32 %s, own; mad.lo.u32 %s, %i, 16, %s;", text,
              "mov.b64 %w1, %d;" if bits == 64 else "cvt.u64.u%d %%w1, %%d;" % bits,
              "ld.param.u64 %w0, [out]; mul.wide.u32 %o, %i, 8; add.s64 %w0, %w0, %o;",
              "st.global.u64 [%w0], %w1; ret; }"]
    return "\n".join(lines)


def write_cases(folder):
    skip = set()
    if (folder / "refused.txt").exists():
        skip = set((folder / "refused.txt").read_text().split("\n"))
    chosen = [c for c in dict.fromkeys(CASES) if c[2] not in skip]
    tuples = dict.fromkeys(c[1] for c in chosen)
    with open(folder / "inputs.txt", "w") as file:
        for kinds in tuples:
            rows = " ".join(":".join("%x" % value for value in row) for row in inputs(kinds))
            file.write("%s %s\n" % (",".join(kinds), rows))
    with open(folder / "cases.txt", "w") as file:
        for bits, kinds, text in chosen:
            file.write("%d=%s|%s\n" % (bits, ",".join(kinds), text))
    with open(folder / "cases.ptx", "w") as file:
        file.write(".version 9.0\n.target sm_90\n.address_size 64\n")
        for i, (bits, kinds, text) in enumerate(chosen):
            file.write(kernel("case%d" % i, bits, kinds, text) + "\n")
    print(len(chosen), "cases")


def gallery_input():
    random = Random(12345)
    return [random.bits(32) for _ in range(4096)]


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
    words_in = gallery_input()
    with open(out / "gallery.txt", "w") as file:
        for cubin in sorted((folder / "gallery").glob("*.cubin")):
            launch = next(l for l in cubin.with_suffix(".cu").read_text().splitlines()
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
    print("done")


if __name__ == "__main__":
    action = sys.argv[1]
    place = pathlib.Path(sys.argv[2])
    if action == "cases":
        write_cases(place)
    else:
        run(place)
