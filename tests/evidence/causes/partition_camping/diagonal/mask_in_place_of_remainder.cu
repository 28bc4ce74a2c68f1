// SPDX-License-Identifier: Apache-2.0
// cause: unwritten|wrong_index|wrong_operation line=13
// says: `& (gridDim.x - 1)` is the remainder only if the grid is a power of two; on a grid of 5 some tiles are
//   taken twice and others never.

struct Tile {
  int x, y;
};

__device__ Tile diagonal() {
  Tile t;
  t.y = blockIdx.x;
  t.x = (blockIdx.x + blockIdx.y) & (gridDim.x - 1);
  return t;
}

__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float cell[32][33];
  const Tile t = diagonal();
  const int tx = threadIdx.x;
  for (int r = threadIdx.y; r < 32; r += 8) cell[r][tx] = in[(t.y * 32 + r) * width + t.x * 32 + tx];
  __syncthreads();
  for (int r = threadIdx.y; r < 32; r += 8) out[(t.x * 32 + r) * height + t.y * 32 + tx] = cell[tx][r];
}
