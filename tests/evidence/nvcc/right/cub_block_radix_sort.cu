// SPDX-License-Identifier: Apache-2.0
// cub::BlockRadixSort of four keys per thread.
// launch: --kernel sorts --grid 1 --block 32 --arg in:u32:128:iota --arg out:u32:128
#include <cub/block/block_radix_sort.cuh>
__global__ void sorts(const unsigned* in, unsigned* out) {
  using Sort = cub::BlockRadixSort<unsigned, 32, 4>;
  __shared__ typename Sort::TempStorage storage;
  unsigned keys[4];
  for (int i = 0; i < 4; ++i) keys[i] = in[4 * threadIdx.x + i] * 2654435761u >> 20;
  Sort(storage).Sort(keys);
  for (int i = 0; i < 4; ++i) out[4 * threadIdx.x + i] = keys[i];
}
