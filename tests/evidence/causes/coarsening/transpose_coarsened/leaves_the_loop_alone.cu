// SPDX-License-Identifier: Apache-2.0
// cause: divergent_barrier line=27
// says: Threads beyond the last column leave the loop, and the others wait at its barriers.
constexpr int kTile = 32;

__device__ void fill(float (&tile)[kTile][kTile + 1], const float* in, int row, int column,
                     int width, int height) {
  for (int j = 0; j < kTile; j += 8) {
    if (row + j < height) tile[threadIdx.y + j][threadIdx.x] = in[(row + j) * width + column];
  }
}

__device__ void empty(const float (&tile)[kTile][kTile + 1], float* out, int row, int column,
                      int width, int height) {
  for (int j = 0; j < kTile; j += 8) {
    if (row + j < width && column < height)
      out[(row + j) * height + column] = tile[threadIdx.x][threadIdx.y + j];
  }
}

template <int Factor>
__global__ void transpose_coarsened(float* out, const float* in, int width, int height) {
  __shared__ float tile[kTile][kTile + 1];
  for (int f = 0; f < Factor; ++f) {
    const int bx = blockIdx.x * Factor + f;
    const int column = bx * kTile + threadIdx.x;
    if (column >= width) break;
    fill(tile, in, blockIdx.y * kTile + threadIdx.y, column, width, height);
    __syncthreads();
    empty(tile, out, bx * kTile + threadIdx.y, blockIdx.y * kTile + threadIdx.x, width, height);
    __syncthreads();
  }
}
