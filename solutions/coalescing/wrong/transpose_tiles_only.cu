// SPDX-License-Identifier: Apache-2.0
// fails: incorrect case=one_tile
// cause: swapped_indices line=24
// Moves each tile to the right place, but does not transpose it: the tile is read by rows, as it
// was written. Threads outside the matrix store zeros in the tile, so no thread reads an unwritten
// element.
constexpr int kTile = 32;
constexpr int kBlockRows = 8;

__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float tile[kTile][kTile + 1];

  const int column = blockIdx.x * kTile + threadIdx.x;
  const int row = blockIdx.y * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kBlockRows) {
    const bool inside = column < width && row + j < height;
    tile[threadIdx.y + j][threadIdx.x] = inside ? in[(row + j) * width + column] : 0.0f;
  }
  __syncthreads();
  const int out_column = blockIdx.y * kTile + threadIdx.x;
  const int out_row = blockIdx.x * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kBlockRows) {
    if (out_column < height && out_row + j < width) {
      out[(out_row + j) * height + out_column] = tile[threadIdx.y + j][threadIdx.x];
    }
  }
}
