// SPDX-License-Identifier: Apache-2.0
// tries: Keeps two asynchronous copies in flight instead of sixteen. An H200 reaches 0.15.
// stopped by: The time model waits for groups of copies (common/timing/multiprocessor.cpp).
// verdict: fail performance, 5 points
#include <cuda_pipeline.h>

__global__ void gather_sum(float* out, const float* in, const unsigned* index, unsigned n) {
  extern __shared__ unsigned slots[];
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const auto start = [&](unsigned j) {
    if (j < 16)
      __pipeline_memcpy_async(&slots[j % 2 * blockDim.x + threadIdx.x], &index[i + j * n], 4);
    __pipeline_commit();
  };
  start(0);
  float sum = 0;
#pragma unroll 1
  for (unsigned j = 0; j < 16; ++j) {
    start(j + 1);
    __pipeline_wait_prior(1);
    sum += in[slots[j % 2 * blockDim.x + threadIdx.x]];
  }
  out[i] = sum;
}
