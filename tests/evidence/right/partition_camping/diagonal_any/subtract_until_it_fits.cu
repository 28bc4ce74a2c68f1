// SPDX-License-Identifier: Apache-2.0
// One division gives the quotient; subtractions give both remainders.
__global__ void transpose(double* out, const double* in, int width, int height) {
  __shared__ double tile[32][33];
  const int id = blockIdx.x + gridDim.x * blockIdx.y, rows = gridDim.y, columns = gridDim.x;
  const int diagonal = id / rows;
  const int by = id - diagonal * rows;
  int bx = diagonal + by;
  while (bx >= columns) bx -= columns;
  const int x = bx * 32 + threadIdx.x, y = by * 32 + threadIdx.y;
  double v[4];
#pragma unroll
  for (int k = 0; k < 4; ++k)
    if (x < width && y + 8 * k < height) v[k] = in[(y + 8 * k) * width + x];
#pragma unroll
  for (int k = 0; k < 4; ++k)
    if (x < width && y + 8 * k < height) tile[threadIdx.y + 8 * k][threadIdx.x] = v[k];
  __syncthreads();
  const int tx = by * 32 + threadIdx.x, ty = bx * 32 + threadIdx.y;
#pragma unroll
  for (int k = 0; k < 4; ++k)
    if (tx < height && ty + 8 * k < width)
      out[(ty + 8 * k) * height + tx] = tile[threadIdx.x][threadIdx.y + 8 * k];
}
