// SPDX-License-Identifier: Apache-2.0
// cause: wrong_stride|swapped_indices
// says: AT uses the width for both matrices, but out has rows of height elements.
// never: __syncthreads
#define AT(row, column) ((row) * width + (column))
constexpr int kTile = 32;

__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float tile[kTile][kTile + 1];
  int column = blockIdx.x * kTile + threadIdx.x, row = blockIdx.y * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += 8)
    if (column < width && row + j < height) tile[threadIdx.y + j][threadIdx.x] = in[AT(row + j, column)];
  __syncthreads();
  column = blockIdx.y * kTile + threadIdx.x;
  row = blockIdx.x * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += 8)
    if (column < height && row + j < width) out[AT(row + j, column)] = tile[threadIdx.x][threadIdx.y + j];
}
