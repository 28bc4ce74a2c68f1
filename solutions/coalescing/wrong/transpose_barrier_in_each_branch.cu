// SPDX-License-Identifier: Apache-2.0
// fails: diagnostic divergent_barrier
// cause: divergent_barrier
// Lanes inside the matrix and lanes outside it wait at different barriers. A warp with both kinds
// never has all its lanes at one __syncthreads().
constexpr int kTile = 32;
constexpr int kBlockRows = 8;

__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float tile[kTile][kTile + 1];

  const int column = blockIdx.x * kTile + threadIdx.x;
  const int row = blockIdx.y * kTile + threadIdx.y;
  if (column < width) {
    for (int j = 0; j < kTile; j += kBlockRows) {
      if (row + j < height) tile[threadIdx.y + j][threadIdx.x] = in[(row + j) * width + column];
    }
    __syncthreads();
  } else {
    for (int j = 0; j < kTile; j += kBlockRows) tile[threadIdx.y + j][threadIdx.x] = 0.0f;
    __syncthreads();
  }
  const int out_column = blockIdx.y * kTile + threadIdx.x;
  const int out_row = blockIdx.x * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kBlockRows) {
    if (out_column < height && out_row + j < width) {
      out[(out_row + j) * height + out_column] = tile[threadIdx.x][threadIdx.y + j];
    }
  }
}
