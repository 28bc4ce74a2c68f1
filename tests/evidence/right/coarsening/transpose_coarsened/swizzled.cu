// SPDX-License-Identifier: Apache-2.0
// The tile is not padded; an XOR swizzle permutes its rows.
constexpr int kTile = 32;
constexpr int kBlockRows = 8;

template <int Factor>
__global__ void transpose_coarsened(float* out, const float* in, int width, int height) {
  __shared__ float tile[kTile][kTile];

  const int first_row = blockIdx.y * kTile;
  for (int c = 0; c < Factor; ++c) {
    const int first_column = (blockIdx.x * Factor + c) * kTile;
    const int column = first_column + threadIdx.x;
    const int row = first_row + threadIdx.y;
    for (int j = 0; j < kTile; j += kBlockRows) {
      if (column < width && row + j < height) {
        tile[threadIdx.y + j][threadIdx.x ^ (threadIdx.y + j)] = in[(row + j) * width + column];
      }
    }
    __syncthreads();
    const int out_column = first_row + threadIdx.x;
    const int out_row = first_column + threadIdx.y;
    for (int j = 0; j < kTile; j += kBlockRows) {
      if (out_column < height && out_row + j < width) {
        out[(out_row + j) * height + out_column] =
            tile[threadIdx.x][(threadIdx.y + j) ^ threadIdx.x];
      }
    }
    __syncthreads();
  }
}
