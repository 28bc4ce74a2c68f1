// SPDX-License-Identifier: Apache-2.0
// cause: divergent_barrier line=18
// says: The first barrier is in the if, so threads right of the matrix go on to the second one:
//   all threads of the block must reach both.
constexpr int kTile = 32;

template <int Factor>
__global__ void transpose_coarsened(float* out, const float* in, int width, int height) {
  __shared__ float tile[kTile][kTile + 1];
  const int row = blockIdx.y * kTile + threadIdx.y;
  const int out_column = blockIdx.y * kTile + threadIdx.x;
  for (int c = 0; c < Factor; ++c) {
    const int first = (blockIdx.x * Factor + c) * kTile;
    const int column = first + threadIdx.x, out_row = first + threadIdx.y;
    if (column < width) {
      for (int j = 0; j < kTile; j += 8)
        if (row + j < height) tile[threadIdx.y + j][threadIdx.x] = in[(row + j) * width + column];
      __syncthreads();
    }
    for (int j = 0; j < kTile; j += 8)
      if (out_column < height && out_row + j < width)
        out[(out_row + j) * height + out_column] = tile[threadIdx.x][threadIdx.y + j];
    __syncthreads();
  }
}
