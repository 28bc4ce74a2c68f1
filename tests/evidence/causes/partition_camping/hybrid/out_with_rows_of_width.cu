// SPDX-License-Identifier: Apache-2.0
// cause: wrong_stride|swapped_indices line=16
// says: out has rows of height elements; the store multiplies the row by width.
// never: barrier
constexpr int kTile = 32;

__global__ void transpose(double* out, const double* in, int width, int height, unsigned rx, unsigned ry) {
  __shared__ double tile[kTile][kTile + 1];
  const int x = threadIdx.x, y = threadIdx.y;
  const int column = blockIdx.x * kTile + x, row = blockIdx.y * kTile + y;
  for (int j = 0; j < kTile; j += 8)
    if (column < width && row + j < height) tile[y + j][x] = in[(row + j) * width + column];
  __syncthreads();
  const int oc = blockIdx.y * kTile + x, orow = blockIdx.x * kTile + y;
  for (int j = 0; j < kTile; j += 8)
    if (oc < height && orow + j < width) out[(orow + j) * width + oc] = tile[x][y + j];
}
