// SPDX-License-Identifier: Apache-2.0
// Pointers walk along the row of a and down the column of b, so no index is computed in the loop.
#define TILE 16
__global__ void matmul(float* c, const float* a, const float* b, int m, int n, int k) {
  __shared__ float As[TILE][TILE];
  __shared__ float Bs[TILE][TILE];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
  const float* pa = a + (size_t)row * k + tx;
  const float* pb = b + (size_t)ty * n + col;
  float value = 0.0f;
  for (int left = k; left > 0; left -= TILE, pa += TILE, pb += TILE * n) {
    As[ty][tx] = (row < m && tx < left) ? *pa : 0.0f;
    Bs[ty][tx] = (col < n && ty < left) ? *pb : 0.0f;
    __syncthreads();
#pragma unroll
    for (int e = 0; e < TILE; e++) value = fmaf(As[ty][e], Bs[e][tx], value);
    __syncthreads();
  }
  if (row < m && col < n) c[row * n + col] = value;
}
