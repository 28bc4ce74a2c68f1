// SPDX-License-Identifier: Apache-2.0
// fails: incorrect case=ragged
// cause: missing_edge
// Blocks with a partial tile return without transposing it.
constexpr int kTile = 32;
constexpr int kBlockRows = 8;

__global__ void transpose(double* out, const double* in, int width, int height) {
  __shared__ double tile[kTile][kTile + 1];

  const unsigned id = blockIdx.x + gridDim.x * blockIdx.y;
  const int tile_y = id % gridDim.y;
  const int tile_x = (id / gridDim.y + tile_y) % gridDim.x;
  if ((tile_x + 1) * kTile > width || (tile_y + 1) * kTile > height) return;
  const int column = tile_x * kTile + threadIdx.x;
  const int row = tile_y * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kBlockRows) {
    tile[threadIdx.y + j][threadIdx.x] = in[(row + j) * width + column];
  }
  __syncthreads();
  const int out_column = tile_y * kTile + threadIdx.x;
  const int out_row = tile_x * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kBlockRows) {
    out[(out_row + j) * height + out_column] = tile[threadIdx.x][threadIdx.y + j];
  }
}
