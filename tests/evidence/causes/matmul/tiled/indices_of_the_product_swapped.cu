// SPDX-License-Identifier: Apache-2.0
// cause: swapped_indices line=20
// says: Each thread computes the element in its row y and column x, and stores it to row x and column y.
#define T 16
__global__ void matmul(float* c, const float* a, const float* b, int m, int n, int k) {
  __shared__ float as[T][T], bs[T][T];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int top = blockIdx.y * T, left = blockIdx.x * T;
  float sum = 0;
  for (int s = 0; s < k; s += T) {
    as[ty][tx] = top + ty < m && s + tx < k ? a[(top + ty) * k + s + tx] : 0;
    bs[ty][tx] = s + ty < k && left + tx < n ? b[(s + ty) * n + left + tx] : 0;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < T; ++i) {
      sum += as[ty][i] * bs[i][tx];
    }
    __syncthreads();
  }
  if (top + tx < m && left + ty < n) c[(top + tx) * n + left + ty] = sum;
}
