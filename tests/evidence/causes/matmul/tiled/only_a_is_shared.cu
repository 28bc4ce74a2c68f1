// SPDX-License-Identifier: Apache-2.0
// cause: no_tile|redundant_loads line=18
// says: Only a goes through a shared tile; each element of b is loaded by every row of threads for itself, 16
//   times per block.

__global__ void matmul(float* c, const float* a, const float* b, int m, int n, int k) {
  __shared__ float rows[16][16];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * 16 + y, column = blockIdx.x * 16 + x;
  float sum = 0;
  for (int first = 0; first < k; first += 16) {
    rows[y][x] = row < m && first + x < k ? a[row * k + first + x] : 0.0f;
    __syncthreads();
    if (column < n) {
      const int count = min(16, k - first);
      const float* p = b + first * n + column;
#pragma unroll 4
      for (int i = 0; i < count; ++i, p += n) sum += rows[y][i] * *p;
    }
    __syncthreads();
  }
  if (row < m && column < n) c[row * n + column] = sum;
}
