// SPDX-License-Identifier: Apache-2.0
// cause: index_overflow line=12
// says: The column is an unsigned short, which wraps at 65,536: longer rows are read from their
//   beginning again.
// never: barrier
constexpr int kTile = 32;

template <int Factor>
__global__ void transpose_coarsened(float* out, const float* in, int width, int height) {
  __shared__ float tile[kTile][kTile + 1];
  for (int c = 0; c < Factor; ++c) {
    const unsigned short first = (blockIdx.x * Factor + c) * kTile;
    const int column = first + threadIdx.x, row = blockIdx.y * kTile + threadIdx.y;
    for (int j = 0; j < kTile; j += 8)
      if (column < width && row + j < height) tile[threadIdx.y + j][threadIdx.x] = in[(row + j) * width + column];
    __syncthreads();
    const int oc = blockIdx.y * kTile + threadIdx.x, orow = first + threadIdx.y;
    for (int j = 0; j < kTile; j += 8)
      if (oc < height && orow + j < width) out[(orow + j) * height + oc] = tile[threadIdx.x][threadIdx.y + j];
    __syncthreads();
  }
}
