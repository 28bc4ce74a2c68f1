// SPDX-License-Identifier: Apache-2.0
// cause: missing_edge|unwritten|wrong_guard line=11
// says: A group of Factor tiles is left out if its last tile is outside of the matrix, although its
//   first ones are inside.
constexpr int kTile = 32;

template <int Factor>
__global__ void transpose_coarsened(float* out, const float* in, int width, int height) {
  __shared__ float tile[kTile][kTile + 1];
  const int first = blockIdx.x * Factor * kTile;
  if (first + (Factor - 1) * kTile >= width) return; 
  for (int c = 0; c < Factor; ++c) {
    const int x = first + c * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y;
    for (int j = 0; j < kTile; j += 8)
      if (x < width && y + j < height) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
    __syncthreads();
    const int ox = blockIdx.y * kTile + threadIdx.x, oy = first + c * kTile + threadIdx.y;
    for (int j = 0; j < kTile; j += 8)
      if (ox < height && oy + j < width) out[(oy + j) * height + ox] = tile[threadIdx.x][threadIdx.y + j];
    __syncthreads();
  }
}
