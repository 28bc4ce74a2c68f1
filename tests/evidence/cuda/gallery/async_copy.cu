// SPDX-License-Identifier: Apache-2.0
// __pipeline_memcpy_async into shared memory: 4, 8 and 16 bytes, two stages.
// launch: grid 4 block 128
#include <cuda_pipeline.h>

extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  __shared__ __align__(16) unsigned words[2][128];
  __shared__ __align__(16) uint2 pairs[128];
  __shared__ __align__(16) uint4 quads[128];
  const unsigned t = threadIdx.x;
  __pipeline_memcpy_async(&words[0][t], in + blockIdx.x * 128 + t, 4);
  __pipeline_commit();
  __pipeline_memcpy_async(&words[1][t], in + 512 + blockIdx.x * 128 + t, 4);
  __pipeline_memcpy_async(&pairs[t], in + 2 * t, 8);
  __pipeline_memcpy_async(&quads[t], in + 4 * t, 16, 8);
  __pipeline_commit();
  __pipeline_wait_prior(1);
  __syncthreads();
  unsigned r = words[0][127 - t];
  __pipeline_wait_prior(0);
  __syncthreads();
  r += words[1][t ^ 1] + pairs[(t + 1) % 128].y * 3 + quads[(t + 5) % 128].y +
       quads[(t + 5) % 128].z;
  out[blockIdx.x * 128 + t] = r;
}
