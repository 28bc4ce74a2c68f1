// SPDX-License-Identifier: Apache-2.0
// cause: few_loads_in_flight line=17
// says: Each thread waits for one load before it starts the next; load several elements into registers and then
//   add them.

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void reduce_many(float* partial, const float* in, unsigned n) {
  __shared__ float warps[32];
  const cg::thread_block block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);

  float sum = 0;
#pragma unroll 1
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    sum += in[i];
  }
  for (int d = 16; d > 0; d >>= 1) sum += warp.shfl_down(sum, d);
  if (warp.thread_rank() == 0) warps[threadIdx.x / 32] = sum;
  block.sync();
  if (threadIdx.x < 32) {
    float s = threadIdx.x < blockDim.x / 32 ? warps[threadIdx.x] : 0.0f;
    for (int d = 16; d > 0; d >>= 1) s += warp.shfl_down(s, d);
    if (threadIdx.x == 0) partial[blockIdx.x] = s;
  }
}
