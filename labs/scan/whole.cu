// SPDX-License-Identifier: Apache-2.0
// Exercise scan/whole: inclusive sums of a whole array in three launches.
//
// Input: `in`, `n` unsigned integers, from 1 up. Sums wrap modulo 2^32.
// Output: out[i] is the sum of the elements 0 to i.
// Launches, one after the other, with `blocks` = ceil(n / 1024):
//   scan_blocks: `blocks` blocks of 256 threads scan 1024 elements each, as in scan/block_scan.
//   scan_totals: one block of 1024 threads replaces the totals by their inclusive sums.
//   add_totals: `blocks` blocks of 256 threads add to each element what precedes its block.
//   Dynamic shared memory: none. Only `out` is compared.
// Allowed: all device code of CUDA C++.
// Edit: the bodies of the kernels. Keep their names and their parameters.
//
// Copy your kernel of block_scan into scan_blocks. scan_totals is right below, but one thread does
// all the work. Give every thread a share of it, and write add_totals. Then run
//   ./warpgrade grade scan/whole

__global__ void scan_blocks(unsigned* out, unsigned* totals, const unsigned* in, unsigned n) {}

__global__ void scan_totals(unsigned* totals, unsigned blocks) {
  if (threadIdx.x != 0) return;
  unsigned sum = 0;
  for (unsigned b = 0; b < blocks; ++b) {
    sum += totals[b];
    totals[b] = sum;
  }
}

__global__ void add_totals(unsigned* out, const unsigned* totals, unsigned n) {}
