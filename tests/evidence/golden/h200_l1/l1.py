#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs launches that show how much of its memory an SM gives to L1, and what blocks find there of each other's loads.

    ncu --profile-from-start off --csv --page raw --metrics launch__shared_mem_config_size \
        python3 tests/evidence/golden/h200_l1/l1.py carve_outs > counters.csv
    ncu --profile-from-start off --csv --page raw --metrics l1tex__t_sector_hit_rate.pct \
        python3 tests/evidence/golden/h200_l1/l1.py tables > counters.csv
    python3 tests/evidence/golden/h200_l1/l1.py carve_outs counters.csv > carve_outs.csv     # and tables

`carve_outs`: bytes of shared memory per SM, by threads and bytes of a block. `tables`: L1's hit rate if all
threads load from a table at random: words (`reads`), or lines by whole warps (`lines`).
"""

import csv
import sys

SOURCE = r"""
extern "C" {
__device__ unsigned hashed(unsigned i) {
  i = (i ^ (i >> 16)) * 0x7feb352dU;
  i = (i ^ (i >> 15)) * 0x846ca68bU;
  return i ^ (i >> 16);
}

__global__ void reads(float* out, const float* table, unsigned words, int times) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int t = 0; t < times; ++t) sum += table[__umulhi(hashed(i * times + t), words)];
  out[i] = sum;
}

__global__ void lines(float* out, const float* table, unsigned words, int times) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int t = 0; t < times; ++t) {
    const unsigned line = __umulhi(hashed(i / 32 * times + t), words / 32);
    sum += table[line * 32 + i % 32];
  }
  out[i] = sum;
}

__global__ void without(float* out) { out[threadIdx.x] *= 2; }

__global__ void with(float* out) {
  extern __shared__ float tile[];
  tile[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x ^ 1];
}
}
"""
SMS = 132
THREADS = (32, 64, 96, 128, 192, 256, 384, 512, 768, 1024)
BYTES = (0, 512, 1024, 2048, 3072, 4096, 6144, 8192, 10240, 12288, 16384, 20480, 24576, 32768, 40960, 49152, 65536,
         98304, 131072, 200000)
KILOBYTES = (64, 128, 192, 208, 224, 240, 256, 272, 288, 320, 384, 512, 768, 1024)
BLOCKS = ((8, 256), (2, 1024))  # per SM, and threads of each
LOADS_OF_AN_SM = 1 << 20  # by threads; by warps, a 32nd part


def carve_outs():
    return [(threads, count) for threads in THREADS for count in BYTES if count == 0 or count >= 4 * threads]


def tables():
    return [(kernel, size, *blocks) for kernel in ("reads", "lines") for size in KILOBYTES for blocks in BLOCKS]


def launch(what):
    import cupy  # pylint: disable=import-outside-toplevel

    module = cupy.RawModule(code=SOURCE)
    kernels = {name: module.get_function(name) for name in ("reads", "lines", "without", "with")}
    kernels["with"].max_dynamic_shared_size_bytes = max(BYTES)
    out = cupy.zeros(1 << 22, dtype=cupy.float32)
    table = cupy.zeros(max(KILOBYTES) << 8, dtype=cupy.float32)

    def run(kernel, blocks, threads, arguments, shared=0):
        cupy.cuda.profiler.start()
        kernels[kernel]((blocks,), (threads,), arguments, shared_mem=shared)
        cupy.cuda.runtime.deviceSynchronize()
        cupy.cuda.profiler.stop()

    if what == "carve_outs":
        for threads, count in carve_outs():
            run("with" if count else "without", 2 * SMS, threads, (out,), count)
    else:
        for kernel, size, blocks, threads in tables():
            times = LOADS_OF_AN_SM // (blocks * threads)
            run(kernel, SMS * blocks, threads, (out, table, cupy.uint32(size << 8), cupy.int32(times)))


def print_table(what, path):
    """Prints the launches with their counter, the last column of Nsight Compute's table."""
    with open(path, encoding="utf-8") as file:
        rows = list(csv.DictReader(line for line in file if line.startswith('"')))[1:]  # without units
    name = "launch__shared_mem_config_size" if what == "carve_outs" else "l1tex__t_sector_hit_rate.pct"
    head = "threads,bytes,shared" if what == "carve_outs" else "kernel,kilobytes,blocks,threads,hits"
    print(head)
    for one, row in zip(carve_outs() if what == "carve_outs" else tables(), rows, strict=True):
        print(*one, row[name].replace(",", ""), sep=",")


if __name__ == "__main__":
    if len(sys.argv) == 3:
        print_table(*sys.argv[1:])
    else:
        launch(sys.argv[1])
