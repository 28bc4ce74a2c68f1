// SPDX-License-Identifier: Apache-2.0
// cause: wrong_rounding line=7
// says: The elements are rounded to 16 bits for the tiles, so each product is off by far more than single
//   precision allows; keep floats.

// Elements are between -1 and 1, so a short is enough and halves the tile.
__device__ short pack(float v) { return (short)__float2int_rn(v * 32767.0f); }
__device__ float unpack(short v) { return v * (1.0f / 32767.0f); }

__global__ void matmul(float* c, const float* a, const float* b, int m, int n, int k) {
  __shared__ short left[16][16], right[16][16];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * 16 + y, column = blockIdx.x * 16 + x;
  float dot = 0;
  for (int at = 0; at < k; at += 16) {
    left[y][x] = row < m && at + x < k ? pack(a[row * k + at + x]) : 0;
    right[y][x] = column < n && at + y < k ? pack(b[(at + y) * n + column]) : 0;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 16; ++i) dot += unpack(left[y][i]) * unpack(right[i][x]);
    __syncthreads();
  }
  if (row < m && column < n) c[row * n + column] = dot;
}
