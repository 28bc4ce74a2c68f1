// SPDX-License-Identifier: Apache-2.0
// cub::WarpReduce in each warp of a block.
// launch: --kernel sums --grid 1 --block 64 --arg in:f32:64:iota --arg out:f32:2
#include <cub/warp/warp_reduce.cuh>
__global__ void sums(const float* in, float* out) {
  using Reduce = cub::WarpReduce<float>;
  __shared__ typename Reduce::TempStorage storage[2];
  const float sum = Reduce(storage[threadIdx.x / 32]).Sum(in[threadIdx.x] * 0.5f);
  if (threadIdx.x % 32 == 0) out[threadIdx.x / 32] = sum;
}
