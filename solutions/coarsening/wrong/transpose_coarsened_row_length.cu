// SPDX-License-Identifier: Apache-2.0
// fails: diagnostic out_of_bounds
// cause: wrong_stride line=27
// Uses `width` as the row length of `out`. It is `height`, so only squares are correct.
constexpr int kTile = 32;
constexpr int kBlockRows = 8;

template <int Factor>
__global__ void transpose_coarsened(float* out, const float* in, int width, int height) {
  __shared__ float tile[kTile][kTile + 1];

  const int first_row = blockIdx.y * kTile;
  for (int c = 0; c < Factor; ++c) {
    const int first_column = (blockIdx.x * Factor + c) * kTile;
    const int column = first_column + threadIdx.x;
    const int row = first_row + threadIdx.y;
    for (int j = 0; j < kTile; j += kBlockRows) {
      if (column < width && row + j < height) {
        tile[threadIdx.y + j][threadIdx.x] = in[(row + j) * width + column];
      }
    }
    __syncthreads();
    const int out_column = first_row + threadIdx.x;
    const int out_row = first_column + threadIdx.y;
    for (int j = 0; j < kTile; j += kBlockRows) {
      if (out_column < height && out_row + j < width) {
        out[(out_row + j) * width + out_column] = tile[threadIdx.x][threadIdx.y + j];
      }
    }
    __syncthreads();
  }
}
