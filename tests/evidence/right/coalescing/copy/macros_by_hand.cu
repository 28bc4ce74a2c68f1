// SPDX-License-Identifier: Apache-2.0
// Unrolled by hand with macros, as in old course slides: all loads, then all stores.
#define TILE_DIM 32
#define BLOCK_ROWS 8
#define INSIDE(j) (x < width && y + (j) < height)
#define LOAD(k) float v##k = INSIDE(k * BLOCK_ROWS) ? idata[(y + k * BLOCK_ROWS) * width + x] : 0.f
#define STORE(k) \
  if (INSIDE(k * BLOCK_ROWS)) odata[(y + k * BLOCK_ROWS) * width + x] = v##k

__global__ void copy(float *odata, const float *idata, int width, int height)
{
  int x = blockIdx.x * TILE_DIM + threadIdx.x;
  int y = blockIdx.y * TILE_DIM + threadIdx.y;
  LOAD(0); LOAD(1); LOAD(2); LOAD(3);
  STORE(0); STORE(1); STORE(2); STORE(3);
}
