#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures atomics of many warps on a few words of global memory up to many, with and without results.

    python3 tests/evidence/golden/h200_micro/atomics.py     # a machine with the card and CuPy

Each warp chooses words by hash, several times: one word for all lanes (`warp`), a word per lane (`lane`),
or 32 adjacent words (`line`). Prints kernel, pattern, whether results are used, number of words, and
nanoseconds per warp and atomic: the fastest of five launches, without 2.5 us for the launch itself.
"""

import cupy

SOURCE = r"""
__device__ unsigned hashed(unsigned i) {
  i = (i ^ (i >> 16)) * 0x7feb352dU;
  i = (i ^ (i >> 15)) * 0x846ca68bU;
  return i ^ (i >> 16);
}

__device__ unsigned place(int pattern, unsigned thread, unsigned k, unsigned words) {
  const unsigned of_warp = hashed(thread / 32 + k * 0x9e3779b9U);
  const unsigned of_lane = hashed(thread + k * 0x9e3779b9U);
  return (pattern == 0 ? of_warp : pattern == 1 ? of_lane : of_warp * 32 + thread % 32) & (words - 1);
}

#define KERNEL(NAME, TYPE, ATOMIC)                                                  \
  template <int Pattern, bool Returns>                                              \
  __global__ void NAME(TYPE* out, TYPE* results, unsigned words, int times) {       \
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;                       \
    TYPE sum = 0;                                                                   \
    for (int k = 0; k < times; ++k) {                                               \
      TYPE* p = &out[place(Pattern, i, k, words)];                                  \
      if (Returns) sum += ATOMIC; else ATOMIC;                                      \
    }                                                                               \
    if (Returns) results[i] = sum;                                                  \
  }
KERNEL(add_u32, unsigned, atomicAdd(p, i | 1))
KERNEL(add_f32, float, atomicAdd(p, 1.0F))
KERNEL(add_f64, double, atomicAdd(p, 1.0))
KERNEL(max_u32, unsigned, atomicMax(p, i))
KERNEL(max_u64, unsigned long long, atomicMax(p, static_cast<unsigned long long>(i)))
KERNEL(cas_u32, unsigned, atomicCAS(p, i, i + 1))
KERNEL(exchange_u32, unsigned, atomicExch(p, i))
"""
KERNELS = ("add_u32", "add_f32", "add_f64", "max_u32", "max_u64", "cas_u32", "exchange_u32")
PATTERNS = ("warp", "lane", "line")
WORDS = (1, 2, 4, 8, 16, 32, 64, 128, 256, 1024, 4096, 16384, 65536, 1 << 20, 1 << 22, 1 << 25)
BLOCKS, THREADS = 4224, 256
LAUNCH = 2.5e-6  # seconds


def seconds(kernel, arguments):
    begin, end = cupy.cuda.Event(), cupy.cuda.Event()
    best = float("inf")
    for _ in range(5):
        begin.record()
        kernel((BLOCKS,), (THREADS,), arguments)
        end.record()
        end.synchronize()
        best = min(best, cupy.cuda.get_elapsed_time(begin, end) * 1e-3)
    return best - LAUNCH


def main():
    names = {(kernel, pattern, returns): f"{kernel}<{pattern}, {str(returns).lower()}>"
             for kernel in KERNELS for pattern in range(len(PATTERNS)) for returns in (False, True)}
    module = cupy.RawModule(code=SOURCE, options=("-std=c++17",), name_expressions=list(names.values()))
    out, results = cupy.zeros(1 << 26, cupy.uint64), cupy.zeros(1 << 24, cupy.uint64)
    for (kernel, pattern, returns), name in names.items():
        for words in WORDS[5 if PATTERNS[pattern] == "line" else 0:]:
            times = 1 if words <= 128 else 4 if words < 65536 else 8
            spent = seconds(module.get_function(name), (out, results, cupy.uint32(words), cupy.int32(times)))
            each = 1e9 * spent / (BLOCKS * THREADS / 32 * times)
            print(f"{kernel},{PATTERNS[pattern]},{'ret' if returns else 'red'},{words},{each:.3f}", flush=True)


if __name__ == "__main__":
    main()
