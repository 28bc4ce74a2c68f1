// SPDX-License-Identifier: Apache-2.0
// tries: Divides by masks and shifts if the grid is a power of two, and by repeated subtraction
//   otherwise.
// stopped by: A gate limits the instructions for a grid that is not a power of two. The points for
//   no division require it (labs/partition_camping/grader.toml, grader/grade/judge/findings.cpp).
// verdict: fail mechanism, 7 points
__device__ void divide(unsigned n, unsigned g, unsigned& q, unsigned& r) {
  if ((g & (g - 1)) == 0) {
    q = n >> (31 - __clz(g));
    r = n & (g - 1);
    return;
  }
  q = 0;
  r = n;
#pragma unroll 1
  while (r >= g) {
    r -= g;
    ++q;
  }
}
__global__ void transpose(double* out, const double* in, int width, int height, unsigned,
                          unsigned) {
  __shared__ double tile[32][33];
  const unsigned id = blockIdx.x + gridDim.x * blockIdx.y;
  unsigned q, tile_y, tile_x, dummy;
  divide(id, gridDim.y, q, tile_y);
  divide(q + tile_y, gridDim.x, dummy, tile_x);
  const int column = tile_x * 32 + threadIdx.x;
  const int row = tile_y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (column < width && row + j < height)
      tile[threadIdx.y + j][threadIdx.x] = in[(row + j) * width + column];
  __syncthreads();
  const int out_column = tile_y * 32 + threadIdx.x;
  const int out_row = tile_x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (out_column < height && out_row + j < width)
      out[(out_row + j) * height + out_column] = tile[threadIdx.x][threadIdx.y + j];
}
