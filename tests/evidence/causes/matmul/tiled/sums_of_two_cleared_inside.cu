// SPDX-License-Identifier: Apache-2.0
// cause: wrong_start line=14
// says: Both partial sums are set to 0 in each tile, so only the last tile counts.
#define T 16
struct Sums { float even, odd; };
__global__ void matmul(float* c, const float* a, const float* b, int m, int n, int k) {
  __shared__ float as[T][T], bs[T][T];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * T + ty, column = blockIdx.x * T + tx;
  Sums sum;
  for (int s = 0; s < k; s += T) {
    as[ty][tx] = row < m && s + tx < k ? a[row * k + s + tx] : 0;
    bs[ty][tx] = s + ty < k && column < n ? b[(s + ty) * n + column] : 0;
    sum.even = 0, sum.odd = 0;
    __syncthreads();
    for (int i = 0; i < T; i += 2) {
      sum.even += as[ty][i] * bs[i][tx];
      sum.odd += as[ty][i + 1] * bs[i + 1][tx];
    }
    __syncthreads();
  }
  if (row < m && column < n) c[row * n + column] = sum.even + sum.odd;
}
