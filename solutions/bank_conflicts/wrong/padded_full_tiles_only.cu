// SPDX-License-Identifier: Apache-2.0
// fails: incorrect case=wide_ragged
// cause: missing_edge
// Blocks whose tile crosses the edge return at once, so the partial tiles are never transposed.
constexpr int kTile = 32;
constexpr int kBlockRows = 8;

__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float tile[kTile][kTile + 1];

  const int last_column = blockIdx.x * kTile + kTile;
  const int last_row = blockIdx.y * kTile + kTile;
  if (last_column > width || last_row > height) return;
  const int column = blockIdx.x * kTile + threadIdx.x;
  const int row = blockIdx.y * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kBlockRows) {
    tile[threadIdx.y + j][threadIdx.x] = in[(row + j) * width + column];
  }
  __syncthreads();
  const int out_column = blockIdx.y * kTile + threadIdx.x;
  const int out_row = blockIdx.x * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kBlockRows) {
    out[(out_row + j) * height + out_column] = tile[threadIdx.x][threadIdx.y + j];
  }
}
