// SPDX-License-Identifier: Apache-2.0
// cause: missing_edge line=10
// says: The number of steps is k / 16, rounded down: the last columns of a are left out.
#define SIDE 16

__global__ void matmul(float* c, const float* a, const float* b, int m, int n, int k) {
  __shared__ float as[SIDE][SIDE], bs[SIDE][SIDE];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int col = blockIdx.x * SIDE + tx, row = blockIdx.y * SIDE + ty;
  const int steps = k / SIDE;
  float sum = 0;
  for (int s = 0; s < steps; ++s) {
    as[ty][tx] = row < m ? a[row * k + s * SIDE + tx] : 0;
    bs[ty][tx] = col < n ? b[(s * SIDE + ty) * n + col] : 0;
    __syncthreads();
    for (int i = 0; i < SIDE; ++i) sum += as[ty][i] * bs[i][tx];
    __syncthreads();
  }
  if (row < m && col < n) c[row * n + col] = sum;
}
