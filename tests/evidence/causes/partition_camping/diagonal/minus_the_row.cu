// SPDX-License-Identifier: Apache-2.0
// cause: partition_camping line=19
// says: The columns are followed backwards, but row by row: blocks that run together still write
//   one below another.
constexpr int kTile = 32;

__global__ void transpose(float* dst, const float* src, int w, int h) {
  __shared__ float t[kTile][kTile + 1];
  const int bx = gridDim.x - 1 - blockIdx.x, by = blockIdx.y;
  const float* from = src + (by * kTile + threadIdx.y) * w + bx * kTile + threadIdx.x;
  float* to = dst + (bx * kTile + threadIdx.y) * h + by * kTile + threadIdx.x;
  float v[4];
#pragma unroll
  for (int k = 0; k < 4; ++k) v[k] = from[8 * k * w];
#pragma unroll
  for (int k = 0; k < 4; ++k) t[threadIdx.y + 8 * k][threadIdx.x] = v[k];
  __syncthreads();
#pragma unroll
  for (int k = 0; k < 4; ++k) to[8 * k * h] = t[threadIdx.x][threadIdx.y + 8 * k]; 
}
