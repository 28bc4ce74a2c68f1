// SPDX-License-Identifier: Apache-2.0
// fails: mechanism gate=conflicts_stores_h200
// Turns the tile on its way in and again on its way out: the result is right, and both sides of
// the tile have 32-way conflicts.
constexpr int kTile = 32;
constexpr int kBlockRows = 8;

__global__ void transpose_coarse(float* out, const float* in, int width, int height) {
  __shared__ float tile[kTile][kTile];

  const int column = blockIdx.x * kTile + threadIdx.x;
  const int row = blockIdx.y * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kBlockRows) {
    tile[threadIdx.x][threadIdx.y + j] = in[(row + j) * width + column];
  }
  __syncthreads();
  const int out_column = blockIdx.y * kTile + threadIdx.x;
  const int out_row = blockIdx.x * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kBlockRows) {
    out[(out_row + j) * height + out_column] = tile[threadIdx.x][threadIdx.y + j];
  }
}
