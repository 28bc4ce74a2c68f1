// SPDX-License-Identifier: Apache-2.0
// The toolkit's own block reduction, cub::BlockReduce.
#include <cub/block/block_reduce.cuh>

template <int Factor>
__global__ void reduce_threads(float* partial, const float* in, unsigned n) {
  using Reduce = cub::BlockReduce<float, 512 / Factor>;
  __shared__ typename Reduce::TempStorage storage;
  float v[Factor];
#pragma unroll
  for (int k = 0; k < Factor; ++k) {
    const unsigned i = blockIdx.x * 512 + k * (512 / Factor) + threadIdx.x;
    v[k] = i < n ? in[i] : 0.0f;
  }
  const float sum = Reduce(storage).Sum(v);
  if (threadIdx.x == 0) partial[blockIdx.x] = sum;
}
