// SPDX-License-Identifier: Apache-2.0
// cause: wrong_index|unwritten line=12
// says: The tiles of a block begin at blockIdx.x * Factor; with blockIdx.x + c blocks repeat the
//   tiles of their neighbours and the last ones are never written.
constexpr int kTile = 32;

template <int Factor>
__global__ void transpose_coarsened(float* out, const float* in, int width, int height) {
  __shared__ float tile[kTile][kTile + 1];
#pragma unroll 1
  for (int c = 0; c < Factor; ++c) {
    const int tile_x = blockIdx.x + c;
    const int column = tile_x * kTile + threadIdx.x;
    const int row = blockIdx.y * kTile + threadIdx.y;
    for (int j = 0; j < kTile; j += 8) {
      if (column < width && row + j < height)
        tile[threadIdx.y + j][threadIdx.x] = in[(row + j) * width + column];
    }
    __syncthreads();
    const int out_column = blockIdx.y * kTile + threadIdx.x;
    const int out_row = tile_x * kTile + threadIdx.y;
    for (int j = 0; j < kTile; j += 8) {
      if (out_column < height && out_row + j < width)
        out[(out_row + j) * height + out_column] = tile[threadIdx.x][threadIdx.y + j];
    }
    __syncthreads();
  }
}
