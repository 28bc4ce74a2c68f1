// SPDX-License-Identifier: Apache-2.0
// cause: issue_bound line=11
// says: A division bit by bit costs 32 steps of several instructions in each thread: one
//   __umulhi and a subtraction are enough.
constexpr int kTile = 32;

// Division as on paper, bit by bit.
__device__ unsigned divide(unsigned n, unsigned divisor, unsigned& remainder) {
  unsigned quotient = 0;
  unsigned long long rest = 0;
  for (int bit = 31; bit >= 0; --bit) {
    rest = 2 * rest + (n >> bit & 1);
    if (rest >= divisor) {
      rest -= divisor;
      quotient |= 1u << bit;
    }
  }
  remainder = rest;
  return quotient;
}

__global__ void transpose(double* out, const double* in, int width, int height,
                          unsigned reciprocal_grid_x, unsigned reciprocal_grid_y) {
  __shared__ double tile[kTile][kTile + 1];
  unsigned tile_x, tile_y;
  const unsigned q = divide(blockIdx.x + gridDim.x * blockIdx.y, gridDim.y, tile_y);
  divide(q + tile_y, gridDim.x, tile_x);
  const int column = tile_x * kTile + threadIdx.x, row = tile_y * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += 8)
    if (column < width && row + j < height) tile[threadIdx.y + j][threadIdx.x] = in[(row + j) * width + column];
  __syncthreads();
  const int oc = tile_y * kTile + threadIdx.x, orow = tile_x * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += 8)
    if (oc < height && orow + j < width) out[(orow + j) * height + oc] = tile[threadIdx.x][threadIdx.y + j];
}
