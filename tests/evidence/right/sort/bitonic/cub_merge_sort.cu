// SPDX-License-Identifier: Apache-2.0
// cub::BlockMergeSort of four keys per thread.
// deserves: fail mechanism, 5 points; merges read any places of shared memory
#include <cub/cub.cuh>

struct Less {
  __device__ bool operator()(unsigned a, unsigned b) const { return a < b; }
};

__global__ void bitonic_block(unsigned* out, const unsigned* in, unsigned n) {
  using Sort = cub::BlockMergeSort<unsigned, 512, 4>;
  __shared__ typename Sort::TempStorage storage;
  __shared__ unsigned sorted[2048];
  const unsigned begin = blockIdx.x * 2048;
  unsigned keys[4];
  for (unsigned k = 0; k < 4; ++k) {
    const unsigned i = begin + k * 512 + threadIdx.x;
    keys[k] = i < n ? in[i] : 0xffffffffu;
  }
  Sort(storage).Sort(keys, Less());
  for (unsigned k = 0; k < 4; ++k) sorted[4 * threadIdx.x + k] = keys[k];
  __syncthreads();
  for (unsigned i = threadIdx.x; i < 2048; i += 512) {
    if (begin + i < n) out[begin + i] = sorted[i];
  }
}
