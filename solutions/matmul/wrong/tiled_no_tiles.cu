// SPDX-License-Identifier: Apache-2.0
// fails: mechanism gate=sectors_loaded
// cause: no_tile line=10
// Coalesced, but without tiles: each thread loads all of its operands itself.
__global__ void matmul(float* c, const float* a, const float* b, int m, int n, int k) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m || column >= n) return;
  float sum = 0;
  for (int i = 0; i < k; ++i) sum += a[row * k + i] * b[i * n + column];
  c[row * n + column] = sum;
}
