// SPDX-License-Identifier: Apache-2.0
// cg::labeled_partition groups lanes with equal bytes. The first lane of a group adds its size.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void histogram(unsigned* bins, const unsigned char* in, unsigned n) {
  __shared__ unsigned hist[256];
  hist[threadIdx.x] = 0;
  __syncthreads();
  const uint4* in4 = reinterpret_cast<const uint4*>(in);
  const unsigned tid = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned i = tid; i < n / 16; i += gridDim.x * blockDim.x) {
    const uint4 v = in4[i];
    const unsigned w[4] = {v.x, v.y, v.z, v.w};
    for (int k = 0; k < 16; k++) {
      const unsigned value = (w[k / 4] >> (8 * (k % 4))) & 255;
      auto group = cg::labeled_partition(cg::coalesced_threads(), value);
      if (group.thread_rank() == 0) atomicAdd(&hist[value], group.size());
    }
  }
  if (tid < n % 16) atomicAdd(&hist[in[n / 16 * 16 + tid]], 1);
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], hist[threadIdx.x]);
}
