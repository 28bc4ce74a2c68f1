// SPDX-License-Identifier: Apache-2.0
// cub::BlockHistogram with atomics.
// launch: --kernel counts --grid 1 --block 64 --arg in:u8:256:iota --arg out:u32:256
#include <cub/block/block_histogram.cuh>
__global__ void counts(const unsigned char* in, unsigned* out) {
  using Histogram = cub::BlockHistogram<unsigned char, 64, 4, 256, cub::BLOCK_HISTO_ATOMIC>;
  __shared__ typename Histogram::TempStorage storage;
  __shared__ unsigned bins[256];
  unsigned char items[4];
  for (int i = 0; i < 4; ++i) items[i] = in[4 * threadIdx.x + i] / 3;
  Histogram(storage).Histogram(items, bins);
  __syncthreads();
  for (int i = 0; i < 4; ++i) out[4 * threadIdx.x + i] = bins[4 * threadIdx.x + i];
}
