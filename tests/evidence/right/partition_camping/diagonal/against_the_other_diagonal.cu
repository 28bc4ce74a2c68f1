// SPDX-License-Identifier: Apache-2.0
// Antidiagonals: the column goes left while the row goes down.
__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float tile[32][33];
  const int n = gridDim.x;
  const int tile_y = blockIdx.x;
  const int tile_x = (n - 1 - blockIdx.x + blockIdx.y) % n;
  const float* from = in + (tile_y * 32 + threadIdx.y) * width + tile_x * 32 + threadIdx.x;
  float v0 = from[0], v1 = from[8 * width], v2 = from[16 * width], v3 = from[24 * width];
  tile[threadIdx.y][threadIdx.x] = v0;
  tile[threadIdx.y + 8][threadIdx.x] = v1;
  tile[threadIdx.y + 16][threadIdx.x] = v2;
  tile[threadIdx.y + 24][threadIdx.x] = v3;
  __syncthreads();
  float* to = out + (tile_x * 32 + threadIdx.y) * height + tile_y * 32 + threadIdx.x;
  for (int k = 0; k < 4; ++k) to[8 * k * height] = tile[threadIdx.x][threadIdx.y + 8 * k];
}
