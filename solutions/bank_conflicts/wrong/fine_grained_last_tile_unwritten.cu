// SPDX-License-Identifier: Apache-2.0
// fails: incorrect case=one_tile
// cause: wrong_guard
// Skips the last tile: numbers the blocks from 1 instead of 0.
constexpr int kTile = 32;
constexpr int kBlockRows = 8;

__global__ void transpose_fine(float* out, const float* in, int width, int height) {
  __shared__ float tile[kTile][kTile + 1];

  const int block = blockIdx.y * gridDim.x + blockIdx.x + 1;
  if (block >= gridDim.x * gridDim.y) return;
  const int column = blockIdx.x * kTile + threadIdx.x;
  const int row = blockIdx.y * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kBlockRows) {
    tile[threadIdx.y + j][threadIdx.x] = in[(row + j) * width + column];
  }
  __syncthreads();
  const int out_column = blockIdx.x * kTile + threadIdx.x;
  const int out_row = blockIdx.y * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kBlockRows) {
    out[(out_row + j) * width + out_column] = tile[threadIdx.x][threadIdx.y + j];
  }
}
