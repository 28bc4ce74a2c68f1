// SPDX-License-Identifier: Apache-2.0
// tries: Loads both operands of each product by asynchronous copies to shared memory, which the
//   gate on sectors might not count.
// stopped by: Asynchronous copies count as loads (common/sim/exec/uncommon/async.cpp).
// verdict: fail mechanism, 3 points
#include <cuda_pipeline.h>

__global__ void matmul(float* c, const float* a, const float* b, int m, int n, int k) {
  __shared__ float mine[2][256];
  const int column = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
  const int t = threadIdx.y * 16 + threadIdx.x;
  if (row >= m || column >= n) return;
  float sum = 0;
  for (int i = 0; i < k; ++i) {
    __pipeline_memcpy_async(&mine[0][t], &a[row * k + i], 4);
    __pipeline_memcpy_async(&mine[1][t], &b[i * n + column], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    sum += mine[0][t] * mine[1][t];
  }
  c[row * n + column] = sum;
}
