// SPDX-License-Identifier: Apache-2.0
// cause: missing_barrier line=13
// says: Blocks on the main diagonal skip the barrier, but their threads, too, read words that
//   other warps wrote.
// never: atomicAdd
constexpr int kTile = 32;

__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float tile[kTile][kTile + 1];
  const int tile_y = blockIdx.x, tile_x = (blockIdx.x + blockIdx.y) % gridDim.x;
  const int column = tile_x * kTile + threadIdx.x, row = tile_y * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += 8) tile[threadIdx.y + j][threadIdx.x] = in[(row + j) * width + column];
  if (tile_x != tile_y) __syncthreads();
  const int out_column = tile_y * kTile + threadIdx.x, out_row = tile_x * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += 8) out[(out_row + j) * height + out_column] = tile[threadIdx.x][threadIdx.y + j];
}
