// SPDX-License-Identifier: Apache-2.0
// fails: mechanism gate=sectors_stored
// cause: redundant_loads line=15
// Both loops ignore threadIdx.y and visit every row, so each of the eight warps transposes the
// whole tile. The result is correct and every request is coalesced, but there are eight times as
// many requests as needed.
constexpr int kTile = 32;

__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float tile[kTile][kTile + 1];

  const int column = blockIdx.x * kTile + threadIdx.x;
  for (int j = 0; j < kTile; ++j) {
    const int row = blockIdx.y * kTile + j;
    if (column < width && row < height) tile[j][threadIdx.x] = in[row * width + column];
  }
  __syncthreads();
  const int out_column = blockIdx.y * kTile + threadIdx.x;
  for (int j = 0; j < kTile; ++j) {
    const int out_row = blockIdx.x * kTile + j;
    if (out_column < height && out_row < width) {
      out[out_row * height + out_column] = tile[threadIdx.x][j];
    }
  }
}
