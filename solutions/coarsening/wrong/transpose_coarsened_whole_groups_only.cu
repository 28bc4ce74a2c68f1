// SPDX-License-Identifier: Apache-2.0
// fails: incorrect case=ragged_4
// cause: unwritten line=15
// Skips a group of Factor tiles unless all of its tiles exist.
constexpr int kTile = 32;
constexpr int kBlockRows = 8;

template <int Factor>
__global__ void transpose_coarsened(float* out, const float* in, int width, int height) {
  __shared__ float tile[kTile][kTile + 1];

  const int first_row = blockIdx.y * kTile;
  for (int c = 0; c < Factor; ++c) {
    const int first_column = (blockIdx.x * Factor + c) * kTile;
    if ((blockIdx.x + 1) * Factor * kTile > width + kTile - 1) break;
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
        out[(out_row + j) * height + out_column] = tile[threadIdx.x][threadIdx.y + j];
      }
    }
    __syncthreads();
  }
}
