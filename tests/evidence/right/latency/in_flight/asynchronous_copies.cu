// SPDX-License-Identifier: Apache-2.0
// Copies indices to shared memory by cp.async: 16 per thread in flight, and no registers for them.
#include <cuda_pipeline.h>

extern __shared__ unsigned indices[];  // index j of thread t is at j * 64 + t

__global__ void gather_sum(float* out, const float* in, const unsigned* index, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;

  const unsigned t = threadIdx.x;
#pragma unroll
  for (unsigned j = 0; j < 16; ++j) {
    __pipeline_memcpy_async(&indices[j * 64 + t], &index[i + j * n], sizeof(unsigned));
  }
  __pipeline_commit();
  __pipeline_wait_prior(0);
  float sum = 0;
#pragma unroll
  for (unsigned j = 0; j < 16; ++j) sum += in[indices[j * 64 + t]];
  out[i] = sum;
}
