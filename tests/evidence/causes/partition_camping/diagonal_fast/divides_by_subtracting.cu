// SPDX-License-Identifier: Apache-2.0
// cause: issue_bound line=10
// says: The loop subtracts gridDim.x up to hundreds of times, which executes many more instructions than the
//   division it replaces; one __umulhi is enough.

// Without / and %: count how often the divisor fits.
__device__ unsigned split(unsigned n, unsigned divisor, unsigned& rest) {
  unsigned times = 0;
  while (n >= divisor) {
    n -= divisor;
    ++times;
  }
  rest = n;
  return times;
}

__global__ void transpose(double* out, const double* in, int width, int height,
                          unsigned reciprocal_grid_x, unsigned reciprocal_grid_y) {
  __shared__ double tile[32][33];
  unsigned tx, ty;
  const unsigned line = split(blockIdx.x + gridDim.x * blockIdx.y, gridDim.x, tx);
  split(line + tx, gridDim.y, ty);

  const int x = threadIdx.x, left = tx * 32, top = ty * 32;
  for (int y = threadIdx.y; y < 32; y += 8) {
    if (left + x < width && top + y < height) tile[y][x] = in[(top + y) * width + left + x];
  }
  __syncthreads();
  for (int y = threadIdx.y; y < 32; y += 8) {
    if (top + x < height && left + y < width) out[(left + y) * height + top + x] = tile[x][y];
  }
}
