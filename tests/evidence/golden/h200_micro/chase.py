#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures the latency of loads of 1 to 32 lines that miss L2: clocks from one load to the next.

    python3 tests/evidence/golden/h200_micro/chase.py > chase.csv     # a machine with a card and CuPy

Each address is a hash of the previous load; row `alu` has the clocks of the hash. L2 is overwritten
before each of five runs, and the median counts. A row is group, name, value, unit.
"""

import statistics

import cupy
import numpy

SOURCE = r"""
__device__ unsigned hash(unsigned i) {
  i = (i ^ (i >> 16)) * 0x7feb352du;
  i = (i ^ (i >> 15)) * 0x846ca68bu;
  return i ^ (i >> 16);
}

// `lanes_per_line` lanes share a line at a random place of mask + 1 words, which hold zeros.
extern "C" __global__ void chase(unsigned* out, const unsigned* in, unsigned mask,
                                 int lanes_per_line, int n, unsigned seed) {
  const unsigned lane = threadIdx.x % 32;
  const unsigned key = lane / lanes_per_line * 0x10001u + seed + blockIdx.x * 977u;
  unsigned v = 0;
  const long long begin = clock64();
  for (int i = 0; i < n; ++i) {
    v = in[(hash(key + i * 64u + v) * 32u + lane % lanes_per_line) & mask];
  }
  const long long end = clock64();
  if (lane == 0 && blockIdx.x == 0) out[0] = static_cast<unsigned>((end - begin) / n);
  if (v == 77) out[1] = 1;
}

extern "C" __global__ void alu(unsigned* out, int n, unsigned seed) {
  unsigned v = seed;
  const long long begin = clock64();
  for (int i = 0; i < n; ++i) v = hash(v + i * 64u) * 32u;
  const long long end = clock64();
  out[0] = static_cast<unsigned>((end - begin) / n);
  out[1] = v;
}

extern "C" __global__ void flush(float4* p, size_t n) {
  const size_t threads = gridDim.x * static_cast<size_t>(blockDim.x);
  for (size_t i = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x; i < n; i += threads) {
    p[i] = make_float4(0, 0, 0, 0);
  }
}
"""

MODULE = cupy.RawModule(code=SOURCE, options=("-std=c++17",))
IN = cupy.zeros(1 << 30, dtype=cupy.uint32)
OVER_L2 = cupy.zeros(1 << 26, dtype=cupy.float32)
CLOCKS = cupy.zeros(4, dtype=cupy.uint32)


def clocks(blocks, bits, lanes, steps):
    """The median of five launches of warps that chase through 2^bits words."""
    found = []
    for run in range(5):
        MODULE.get_function("flush")((528,), (256,), (OVER_L2, numpy.uint64(1 << 24)))
        MODULE.get_function("chase")(
            (blocks,), (32,), (CLOCKS, IN, numpy.uint32((1 << bits) - 1), numpy.int32(lanes),
                               numpy.int32(steps), numpy.uint32(12345 * run + 7)))
        found.append(int(CLOCKS[0]))
    return statistics.median(found)


def row(group, name, value):
    print(group, name, value, "clocks", sep=",", flush=True)


if __name__ == "__main__":
    MODULE.get_function("alu")((1,), (32,), (CLOCKS, numpy.int32(1024), numpy.uint32(5)))
    row("alu", "hash", int(CLOCKS[0]))
    for size, bits in (("8MB", 21), ("64MB", 24), ("256MB", 26), ("4GB", 30)):
        for lanes in (32, 16, 8, 4, 2, 1):
            row(f"chase_cold_{size}", f"lines={32 // lanes}", clocks(1, bits, lanes, 512))
    for blocks in (1, 132, 528):
        row("chase_blocks", f"blocks={blocks}", clocks(blocks, 30, 1, 256))
