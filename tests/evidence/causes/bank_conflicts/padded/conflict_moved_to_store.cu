// SPDX-License-Identifier: Apache-2.0
// cause: bank_conflicts line=13
// says: The load follows rows now, but the store to the tile follows a column: all 32 words are
//   in one bank. The tile still needs a column more.
constexpr int kTile = 32;

__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float tile[kTile][kTile];
  const int column = blockIdx.x * kTile + threadIdx.x;
  const int row = blockIdx.y * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += 8) {
    if (column < width && row + j < height) {
      tile[threadIdx.x][threadIdx.y + j] = in[(row + j) * width + column];
    }
  }
  __syncthreads();
  const int out_column = blockIdx.y * kTile + threadIdx.x;
  const int out_row = blockIdx.x * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += 8) {
    if (out_column < height && out_row + j < width) {
      out[(out_row + j) * height + out_column] = tile[threadIdx.y + j][threadIdx.x];
    }
  }
}
