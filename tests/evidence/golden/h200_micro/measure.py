#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures the limits of a card's L2 and DRAM: lines and sectors per second, by access pattern.

    python3 tests/evidence/golden/h200_micro/measure.py > h200.csv     # a machine with a card and CuPy

A row is group, name, value, unit. README.md describes the groups and the numbers of the profile
that come from them. Times are medians between two events, minus 4 us for the launch.
"""

import statistics

import cupy
import numpy

SOURCE = r"""
// Where a warp's lanes begin: in lines, or rows, `words_apart`, with `lanes_per_line` side by side.
__device__ unsigned first_word(int lanes_per_line, unsigned words_apart) {
  const unsigned warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const unsigned lane = threadIdx.x % 32;
  return warp * 977u * 32u * 32u + lane / lanes_per_line * words_apart + lane % lanes_per_line;
}

constexpr unsigned kStep = 32u * 1024u + 32u;  // Words from one request of a warp to the next.

extern "C" __global__ void lines_load(unsigned* out, const unsigned* in, unsigned mask,
                                      int lanes_per_line, int n, unsigned words_apart) {
  unsigned at = first_word(lanes_per_line, words_apart);
  unsigned sum = 0;
#pragma unroll 8
  for (int i = 0; i < n; ++i) {
    sum += __ldcg(in + (at & mask));
    at += kStep;
  }
  if (sum == 0x12345) out[0] = sum;
}

extern "C" __global__ void lines_store(unsigned* out, unsigned mask, int lanes_per_line, int n,
                                       unsigned words_apart) {
  unsigned at = first_word(lanes_per_line, words_apart);
#pragma unroll 8
  for (int i = 0; i < n; ++i) {
    out[at & mask] = i;
    at += kStep;
  }
}

extern "C" __global__ void lines_red(unsigned* out, unsigned mask, int lanes_per_line, int n,
                                     unsigned words_apart) {
  unsigned at = first_word(lanes_per_line, words_apart);
#pragma unroll 8
  for (int i = 0; i < n; ++i) {
    atomicAdd(out + (at & mask), threadIdx.x % 32);
    at += kStep;
  }
}

// Each address depends on the load before; `in` holds zeros. One warp.
extern "C" __global__ void chase(unsigned* out, const unsigned* in, unsigned mask,
                                 int lanes_per_line, unsigned step, int n) {
  const unsigned lane = threadIdx.x % 32;
  unsigned at = lane / lanes_per_line * step * 3u;
  const long long begin = clock64();
  for (int i = 0; i < n; ++i) at = at + step * 37u + __ldcg(in + (at & mask));
  const long long end = clock64();
  if (lane == 0) out[0] = static_cast<unsigned>((end - begin) / n);
  if (at == 77) out[1] = 1;
}

__device__ unsigned hash(unsigned i) {
  i = (i ^ (i >> 16)) * 0x7feb352du;
  i = (i ^ (i >> 15)) * 0x846ca68bu;
  return i ^ (i >> 16);
}

// A random place of a buffer of 2^bits words for pieces of `piece` threads, a power of two.
__device__ unsigned random_word(unsigned thread, int i, int bits, int piece) {
  const unsigned h = hash(thread / piece * 64u + i);
  return ((h >> (32 - bits)) & ~static_cast<unsigned>(piece - 1)) + thread % piece;
}

extern "C" __global__ void random_load(unsigned* out, const unsigned* in, int bits, int piece,
                                       int n) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned sum = 0;
#pragma unroll 8
  for (int i = 0; i < n; ++i) sum += __ldcg(in + random_word(thread, i, bits, piece));
  if (sum == 0x12345) out[0] = sum;
}

extern "C" __global__ void random_store(unsigned* out, int bits, int piece, int n) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll 8
  for (int i = 0; i < n; ++i) out[random_word(thread, i, bits, piece)] = i;
}

extern "C" __global__ void random_red(unsigned* out, int bits, int piece, int n) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll 8
  for (int i = 0; i < n; ++i) atomicAdd(out + random_word(thread, i, bits, piece), thread);
}

// All warps on the same `words` words, a lane `apart` words from the next.
extern "C" __global__ void same_red(unsigned* out, unsigned words, int apart, int n) {
  const unsigned lane = threadIdx.x % 32;
  for (int i = 0; i < n; ++i) atomicAdd(out + lane * apart % words, lane + i);
}

extern "C" __global__ void same_red_f(float* out, unsigned words, int apart, int n) {
  const unsigned lane = threadIdx.x % 32;
  for (int i = 0; i < n; ++i) atomicAdd(out + lane * apart % words, 1.0f + lane);
}

extern "C" __global__ void same_atom(unsigned* out, unsigned words, int apart, int n) {
  const unsigned lane = threadIdx.x % 32;
  unsigned sum = 0;
  for (int i = 0; i < n; ++i) sum += atomicAdd(out + lane * apart % words, lane + i);
  if (sum == 0x1234567) out[words] = sum;
}

extern "C" __global__ void random_bins(unsigned* out, unsigned words, int n) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = 0; i < n; ++i) atomicAdd(out + hash(thread * 64u + i) % words, 1u);
}

extern "C" __global__ void l2_read(float4* out, const float4* in, unsigned mask, int n) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned threads = gridDim.x * blockDim.x;
  float sum = 0;
#pragma unroll 8
  for (int i = 0; i < n; ++i) {
    const float4 v = __ldcg(in + ((thread + i * threads) & mask));
    sum += v.x + v.y + v.z + v.w;
  }
  if (sum == 1.2345f) out[0] = make_float4(sum, sum, sum, sum);
}

extern "C" __global__ void l2_write(float4* out, unsigned mask, int n) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned threads = gridDim.x * blockDim.x;
#pragma unroll 8
  for (int i = 0; i < n; ++i) out[(thread + i * threads) & mask] = make_float4(i, i, i, i);
}

extern "C" __global__ void l2_copy(float4* out, const float4* in, unsigned mask, int n) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned threads = gridDim.x * blockDim.x;
#pragma unroll 8
  for (int i = 0; i < n; ++i) {
    const unsigned at = (thread + i * threads) & mask;
    out[at] = __ldcg(in + at);
  }
}
"""

LAUNCH_SECONDS = 4e-6
SMS = 132
SIXTEEN_MB = numpy.uint32((1 << 22) - 1)  # A mask of words.

MODULE = cupy.RawModule(code=SOURCE, options=("-std=c++17",))
OUT = cupy.zeros(1 << 30, dtype=cupy.uint32)
IN = cupy.zeros(1 << 28, dtype=cupy.uint32)


def u(value):
    return numpy.uint32(value)


def i(value):
    return numpy.int32(value)


def seconds(name, grid, block, *arguments, runs=7):
    """Median time of a kernel, without the cost of the launch."""
    kernel = MODULE.get_function(name)
    found = []
    for _ in range(runs):
        begin, end = cupy.cuda.Event(), cupy.cuda.Event()
        begin.record()
        kernel((grid,), (block,), arguments)
        end.record()
        end.synchronize()
        found.append(cupy.cuda.get_elapsed_time(begin, end) * 1e-3)
    return statistics.median(found) - LAUNCH_SECONDS


def row(group, name, value, unit):
    print(f"{group},{name},{value:.6g},{unit}", flush=True)


def lines_in_l2():
    n = 256
    for kind in ("load", "store", "red"):
        first = (OUT, IN) if kind == "load" else (OUT,)
        for blocks in (8, 33, 66, SMS, 2 * SMS):
            for lanes in (1, 2, 4, 8, 16, 32) if blocks == SMS else (1, 4, 32):
                took = seconds(f"lines_{kind}", blocks, 1024, *first, SIXTEEN_MB, i(lanes), i(n), u(32))
                lines = 32 // lanes
                row(f"lines_{kind}", f"blocks={blocks} lanes_a_line={lanes} lines={lines}",
                    blocks * 32 * n * lines / took / 1e9, "Glines/s")
    for apart in (8, 32, 64, 1024, 8192, 8193, 8200):
        for kind, first in (("load", (OUT, IN)), ("store", (OUT,))):
            took = seconds(f"lines_{kind}", SMS, 1024, *first, SIXTEEN_MB, i(1), i(n), u(apart))
            row(f"apart_{kind}", f"words_apart={apart}", SMS * 32 * n * 32 / took / 1e9, "Glanes/s")


def latency_of_l2():
    clocks = cupy.zeros(4, dtype=cupy.uint32)
    for lanes in (32, 16, 8, 4, 2, 1):
        for _ in range(2):  # The first launch loads the data into L2.
            MODULE.get_function("chase")(
                (1,), (32,), (clocks, OUT, SIXTEEN_MB, i(lanes), u(32 * 33), i(1024)))
        row("chase_l2", f"lines={32 // lanes}", float(clocks[0]), "clocks")


def random_places():
    n, blocks = 16, 16 * SMS
    for bits in (20, 22, 23, 26, 28, 30):
        for piece in (1, 2, 8, 16, 32, 64, 128):
            kinds = {"load": (IN, OUT)}
            if piece in (1, 8, 16, 32):
                kinds["store"] = (OUT,)
            if piece == 1:
                kinds["red"] = (OUT,)
            for kind, buffers in kinds.items():
                took = seconds(f"random_{kind}", blocks, 1024, *buffers, i(bits), i(piece), i(n), runs=5)
                row(f"random_{kind}", f"bytes={4 << bits} piece={4 * piece}",
                    blocks * 1024 * n / piece / took / 1e9, "Gpieces/s")


def few_words():
    n = 16
    for kernel in ("same_red", "same_red_f", "same_atom"):
        for words, apart in ((1, 1), (8, 1), (32, 1), (256, 8), (1024, 32), (32768, 1024)):
            took = seconds(kernel, 2 * SMS, 256, OUT, u(words), i(apart), i(n))
            row(kernel, f"words={words} apart={apart}", 2 * SMS * 8 * n / took / 1e9, "Gwarps/s")
    for words in (1, 8, 32, 64, 256, 1024, 4096, 65536, 1 << 20):
        took = seconds("random_bins", 8 * SMS, 256, OUT, u(words), i(n))
        row("random_bins", f"words={words}", 8 * SMS * 256 * n / took / 1e9, "Glanes/s")


def streams_in_l2():
    n, blocks = 64, 8 * SMS
    for megabytes in (4, 16, 32):
        mask = u((megabytes << 20) // 16 - 1)
        moved = blocks * 256 * n * 16 / 1e9
        for kind, buffers, times in (("read", (OUT, IN), 1), ("write", (OUT,), 1), ("copy", (OUT, IN), 2)):
            took = seconds(f"l2_{kind}", blocks, 256, *buffers, mask, i(n))
            row(f"l2_{kind}", f"MB={megabytes}", times * moved / took, "GB/s")


if __name__ == "__main__":
    lines_in_l2()
    latency_of_l2()
    random_places()
    few_words()
    streams_in_l2()
