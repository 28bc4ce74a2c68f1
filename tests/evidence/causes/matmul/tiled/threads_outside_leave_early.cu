// SPDX-License-Identifier: Apache-2.0
// cause: divergent_barrier line=12
// says: Threads beyond the edge of c return before the barriers that the others wait at, and their elements of the
//   tiles are never loaded; let them stay and skip only the store.

#define W 16

__global__ void matmul(float* c, const float* a, const float* b, int m, int n, int k) {
  __shared__ float ta[W][W], tb[W][W];
  const int i = blockIdx.y * W + threadIdx.y;
  const int j = blockIdx.x * W + threadIdx.x;
  if (i >= m || j >= n) return;
  float s = 0;
  for (int step = 0; step < k; step += W) {
    ta[threadIdx.y][threadIdx.x] = step + threadIdx.x < k ? a[i * k + step + threadIdx.x] : 0;
    tb[threadIdx.y][threadIdx.x] = step + threadIdx.y < k ? b[(step + threadIdx.y) * n + j] : 0;
    __syncthreads();
#pragma unroll
    for (int d = 0; d < W; ++d) s += ta[threadIdx.y][d] * tb[d][threadIdx.x];
    __syncthreads();
  }
  c[i * n + j] = s;
}
