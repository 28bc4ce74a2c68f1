// SPDX-License-Identifier: Apache-2.0
// fails: mechanism gate=conflicts_loads_h200
// cause: bank_conflicts line=26
// Swizzles by half the row number: two rows share each place. A K40 serves both at once, an H200
// does not.
constexpr int kTile = 32;      // rows and columns of a tile
constexpr int kBlockRows = 8;  // blockDim.y: a thread visits every eighth row of its tile

__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float tile[kTile][kTile];

  const int column = blockIdx.x * kTile + threadIdx.x;
  const int row = blockIdx.y * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kBlockRows) {
    if (column < width && row + j < height) {
      tile[threadIdx.y + j][(threadIdx.x + (threadIdx.y + j) / 2) % 32] =
          in[(row + j) * width + column];
    }
  }
  __syncthreads();
  const int out_column = blockIdx.y * kTile + threadIdx.x;
  const int out_row = blockIdx.x * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kBlockRows) {
    if (out_column < height && out_row + j < width) {
      out[(out_row + j) * height + out_column] =
          tile[threadIdx.x][(threadIdx.y + j + threadIdx.x / 2) % 32];
    }
  }
}
