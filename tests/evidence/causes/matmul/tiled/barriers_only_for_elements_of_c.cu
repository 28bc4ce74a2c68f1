// SPDX-License-Identifier: Apache-2.0
// cause: divergent_barrier line=20
// says: The barriers are in a branch that threads outside c skip, so these threads replace the tiles while others still use them: all threads must reach both barriers.
constexpr int T = 16;

__device__ __forceinline__ float element(const float* p, int r, int c, int rows, int columns) {
  return r < rows && c < columns ? p[r * columns + c] : 0.0f;
}

__global__ void matmul(float* c, const float* a, const float* b, int m, int n, int k) {
  __shared__ float as[T][T], bs[T][T];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int r = blockIdx.y * T + ty, q = blockIdx.x * T + tx;

  float dot = 0;
  for (int k0 = 0; k0 < k; k0 += T) {
    as[ty][tx] = element(a, r, k0 + tx, m, k);
    bs[ty][tx] = element(b, k0 + ty, q, k, n);
    if (r < m && q < n) {
      __syncthreads();
#pragma unroll
      for (int i = 0; i < T; ++i) dot += as[ty][i] * bs[i][tx];
      __syncthreads();
    }
  }
  if (r < m && q < n) c[r * n + q] = dot;
}
