// SPDX-License-Identifier: Apache-2.0
// fails: incorrect case=one_tile
// cause: swapped_indices line=23
// A copy: stores the tile unchanged at the same place. Correct only if the matrix is a single row
// or a single column.
constexpr int kTile = 32;
constexpr int kBlockRows = 8;

__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float tile[kTile][kTile + 1];

  const int column = blockIdx.x * kTile + threadIdx.x;
  const int row = blockIdx.y * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kBlockRows) {
    if (column < width && row + j < height) {
      tile[threadIdx.y + j][threadIdx.x] = in[(row + j) * width + column];
    }
  }

  __syncthreads();
  for (int j = 0; j < kTile; j += kBlockRows) {
    if (column < width && row + j < height) {
      out[(row + j) * width + column] = tile[threadIdx.y + j][threadIdx.x];
    }
  }
}
