#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures clocks of loads that hit L1, and which bits of a line's number select its tag bank.

    python3 tests/evidence/golden/l1_stages/measure.py FOLDER     # a machine with a card and CuPy

Writes h200_tag_bits.csv and h200_starts.csv. Sixteen warps make the same request at eight places of
a buffer in turn; the next eight depend on these. The loop adds 0.2 clocks to each request.
"""

import itertools
import pathlib
import sys

import cupy
import numpy

WARPS, ROUNDS, PLACES = 16, 32, 8
FROM_PLACE_TO_PLACE = 1 << 27  # In words: a bit this high is the same in all lines of a request.
STARTS = [509 * i for i in range(128)]  # In elements.
KERNEL = r"""
extern "C" __global__ void clocks_%(suffix)s(unsigned* out, const unsigned* in, const unsigned* at,
                                             int n) {
  const unsigned* p = in + at[threadIdx.x %% 32];
  %(type)s sum = 0, got[%(places)d];
  %(loads)s
  for (int k = 0; k < %(places)d; ++k) sum += got[k];
  __syncthreads();
  const long long begin = clock64();
  for (int i = 0; i < n; ++i) {
    %(loads)s
    for (int k = 0; k < %(places)d; ++k) p += got[k];  // zeros
  }
  __syncthreads();
  const long long end = clock64();
  if (threadIdx.x == 0) out[0] = static_cast<unsigned>(end - begin);
  if (sum + *p == 77) out[1] = 1;
}
"""


def source(suffix, bits, constraint):
    load = 'asm volatile("ld.global.ca.u%d %%0, [%%1];" : "=%s"(got[%d]) : "l"(p + %dull));'
    loads = "\n    ".join(load % (bits, constraint, k, k * FROM_PLACE_TO_PLACE) for k in range(PLACES))
    return KERNEL % {"suffix": suffix, "type": "unsigned long long" if bits == 64 else "unsigned",
                     "places": PLACES, "loads": loads}


MODULE = cupy.RawModule(code=source("float", 32, "r") + source("double", 64, "l"),
                        options=("-std=c++17",))
IN = cupy.zeros(6 << 30, dtype=cupy.uint8).view(cupy.uint32)
OUT = cupy.zeros(4, dtype=cupy.uint32)
FIRST = -(IN.data.ptr // 4) % FROM_PLACE_TO_PLACE


def clocks(words, element="float"):
    """Clocks of a request whose lanes load these words."""
    at = cupy.asarray(numpy.array([FIRST + w for w in words], dtype=numpy.uint32))
    found = []
    for _ in range(3):
        MODULE.get_function("clocks_" + element)((1,), (32 * WARPS,),
                                                 (OUT, IN, at, numpy.int32(ROUNDS)))
        found.append(int(OUT[0]))
    return min(found) / (ROUNDS * PLACES * WARPS)


def clocks_of_lines(lines):
    """Clocks of a request with lanes spread over `lines`, a different data bank in each."""
    return clocks([lines[lane % len(lines)] * 32 + lane % len(lines) for lane in range(32)])


def mean_clocks(offsets, element):
    words = {"float": 1, "double": 2}[element]
    found = [clocks([words * (start + o) for o in offsets], element) for start in STARTS]
    return sum(found) / len(found)


def main():
    folder = pathlib.Path(sys.argv[1])
    with open(folder / "h200_tag_bits.csv", "w", encoding="utf-8") as out:
        print("bit,other_bit,clocks", file=out)
        pairs = [*itertools.combinations(range(17), 2), *itertools.product((0, 1, 4), range(17, 24))]
        for i, j in pairs:
            took = clocks_of_lines([0, 1 << i, 1 << j, (1 << i) + (1 << j)])
            print(i, j, f"{took:.2f}", sep=",", file=out)
    with open(folder / "h200_starts.csv", "w", encoding="utf-8") as out:
        print("access,lanes_a_row_or_stride,pitch_or_stride,clocks_a_request", file=out)
        for element in ("float", "double"):
            for stride in range(65):
                took = mean_clocks([stride * lane for lane in range(32)], element)
                print(f"{element} stride", stride, stride, f"{took:.3f}", sep=",", file=out)
            for lanes in (1, 2, 4, 8, 16, 32):
                took = mean_clocks([lane // lanes * 4098 + lane % lanes for lane in range(32)], element)
                print(f"{element} block", lanes, 4098, f"{took:.3f}", sep=",", file=out)


if __name__ == "__main__":
    main()
