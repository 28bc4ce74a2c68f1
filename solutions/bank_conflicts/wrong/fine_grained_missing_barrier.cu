// SPDX-License-Identifier: Apache-2.0
// fails: diagnostic race
// cause: missing_barrier line=19
// No __syncthreads() before the tile is read by columns.
constexpr int kTile = 32;
constexpr int kBlockRows = 8;

__global__ void transpose_fine(float* out, const float* in, int width, int height) {
  __shared__ float tile[kTile][kTile + 1];

  const int column = blockIdx.x * kTile + threadIdx.x;
  const int row = blockIdx.y * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kBlockRows) {
    tile[threadIdx.y + j][threadIdx.x] = in[(row + j) * width + column];
  }
  const int out_column = blockIdx.x * kTile + threadIdx.x;
  const int out_row = blockIdx.y * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kBlockRows) {
    out[(out_row + j) * width + out_column] = tile[threadIdx.x][threadIdx.y + j];
  }
}
