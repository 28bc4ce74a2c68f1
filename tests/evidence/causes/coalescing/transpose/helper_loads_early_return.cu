// SPDX-License-Identifier: Apache-2.0
// cause: divergent_barrier line=11
// says: load returns threads outside of the matrix before they reach the barrier in it.
constexpr int kTile = 32;

__device__ void load(float (*t)[kTile + 1], const float* from, int w, int h) {
  const int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y;
  if (x >= w) return;
  for (int j = 0; j < kTile; j += 8)
    if (y + j < h) t[threadIdx.y + j][threadIdx.x] = from[(y + j) * w + x];
  __syncthreads(); 
}

__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float tile[kTile][kTile + 1];
  load(tile, in, width, height);
  const int x = blockIdx.y * kTile + threadIdx.x, y = blockIdx.x * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += 8)
    if (x < height && y + j < width) out[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}
