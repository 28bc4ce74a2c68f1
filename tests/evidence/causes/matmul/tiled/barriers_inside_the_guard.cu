// SPDX-License-Identifier: Apache-2.0
// cause: divergent_barrier line=16
// says: Threads outside of c skip the loop with its barriers, while the others of their block wait there; put only the loads and the store under conditions.
#define T 16

__global__ void matmul(float* c, const float* a, const float* b, int m, int n, int k) {
  __shared__ float ta[T][T];
  __shared__ float tb[T][T];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int i = blockIdx.y * T + ty, j = blockIdx.x * T + tx;
  if (i < m && j < n) {
    float acc = 0.0f;
    for (int s = 0; s < k; s += T) {
      ta[ty][tx] = s + tx < k ? a[i * k + s + tx] : 0.0f;
      tb[ty][tx] = s + ty < k ? b[(s + ty) * n + j] : 0.0f;
      __syncthreads();
      for (int e = 0; e < T && s + e < k; ++e) acc += ta[ty][e] * tb[e][tx];
      __syncthreads();
    }
    c[i * n + j] = acc;
  }
}
