// SPDX-License-Identifier: Apache-2.0
// One multiplication gives the number of the diagonal. Subtractions give the second remainder; the
// timed sizes need at most one.
// deserves: fail mechanism, 5 points; the second remainder is a loop of subtractions, with up to 85
//   iterations for a matrix of three columns of tiles
__global__ void transpose(double* out, const double* in, int width, int height, unsigned rx,
                          unsigned ry) {
  __shared__ double tile[32][33];
  const unsigned id = blockIdx.x + gridDim.x * blockIdx.y;
  const unsigned q = ry ? __umulhi(id, ry) : id;
  const unsigned by = id - q * gridDim.y;
  unsigned bx = q + by;
  while (bx >= gridDim.x) bx -= gridDim.x;
  double v[4];
  const int x = bx * 32 + threadIdx.x, y = by * 32 + threadIdx.y;
#pragma unroll
  for (int k = 0; k < 4; ++k)
    v[k] = x < width && y + 8 * k < height ? in[(y + 8 * k) * width + x] : 0.0;
#pragma unroll
  for (int k = 0; k < 4; ++k) tile[threadIdx.y + 8 * k][threadIdx.x] = v[k];
  __syncthreads();
  const int tx = by * 32 + threadIdx.x, ty = bx * 32 + threadIdx.y;
#pragma unroll
  for (int k = 0; k < 4; ++k)
    if (tx < height && ty + 8 * k < width)
      out[(ty + 8 * k) * height + tx] = tile[threadIdx.x][threadIdx.y + 8 * k];
}
