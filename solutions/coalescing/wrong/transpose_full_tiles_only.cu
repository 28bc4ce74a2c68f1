// SPDX-License-Identifier: Apache-2.0
// fails: incorrect case=wide_ragged
// cause: missing_edge
// Blocks with a partial tile return instead of transposing the part inside the matrix.
constexpr int kTile = 32;
constexpr int kBlockRows = 8;

__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float tile[kTile][kTile + 1];

  if ((blockIdx.x + 1) * kTile > width || (blockIdx.y + 1) * kTile > height) return;
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
