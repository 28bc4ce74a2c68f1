// SPDX-License-Identifier: Apache-2.0
// tries: Goes three columns to the left for each row, except at 127 beyond a multiple of 128. It
//   camps only at three beyond a multiple of 256.
// stopped by: One of those sizes is drawn and timed (labs/partition_camping/grader.toml).
// verdict: fail performance, 0 points
__device__ unsigned quotient(unsigned n, unsigned by, unsigned reciprocal) {
  if (by == 1) return n;
  const unsigned q = __umulhi(n, reciprocal);
  return n - q * by >= by ? q - 1 : q;
}

__global__ void transpose(double* out, const double* in, int width, int height, unsigned rx,
                          unsigned ry) {
  __shared__ double tile[32][33];
  const unsigned id = blockIdx.x + gridDim.x * blockIdx.y, g = gridDim.x;
  unsigned bx = blockIdx.x, by = blockIdx.y;
  if (width % 128 != 127 && height % 128 != 127) {
    const unsigned q = quotient(id, gridDim.y, ry);
    by = id - q * gridDim.y;
    const unsigned left = q + (3 * g - 3) * (by - quotient(by, g, rx) * g);
    bx = left - quotient(left, g, rx) * g;
  }
  const int x = bx * 32 + threadIdx.x, y = by * 32 + threadIdx.y;
  double value[4];
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    if (x < width && y + 8 * k < height) value[k] = in[(y + 8 * k) * width + x];
  }
#pragma unroll
  for (int k = 0; k < 4; ++k) tile[threadIdx.y + 8 * k][threadIdx.x] = value[k];
  __syncthreads();
  const int column = by * 32 + threadIdx.x, row = bx * 32 + threadIdx.y;
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const double moved = tile[threadIdx.x][threadIdx.y + 8 * k];
    if (column < height && row + 8 * k < width) out[(row + 8 * k) * height + column] = moved;
  }
}
