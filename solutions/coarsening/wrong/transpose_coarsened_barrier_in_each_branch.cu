// SPDX-License-Identifier: Apache-2.0
// fails: diagnostic divergent_barrier
// cause: divergent_barrier
// A __syncthreads() in each branch: lanes inside the matrix wait at one, the other lanes of the
// same warp at the other.
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
    if (column < width) {
      for (int j = 0; j < kTile && row + j < height; j += kBlockRows) {
        tile[threadIdx.y + j][threadIdx.x] = in[(row + j) * width + column];
      }
      __syncthreads();
    } else {
      __syncthreads();
    }
    const int out_column = first_row + threadIdx.x;
    const int out_row = first_column + threadIdx.y;
    for (int j = 0; j < kTile && out_row + j < width; j += kBlockRows) {
      if (out_column < height) {
        out[(out_row + j) * height + out_column] = tile[threadIdx.x][threadIdx.y + j];
      }
    }
    __syncthreads();
  }
}
