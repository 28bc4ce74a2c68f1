// SPDX-License-Identifier: Apache-2.0
// Computes which order camps instead of listing sizes. The Cartesian order camps if a row is a
// multiple of four partitions. The diagonal order camps if a row is 8 bytes off such a multiple.
__device__ bool near_half_the_partitions(int bytes) {
  const int rest = bytes & 1023;  // half of eight partitions of 256 bytes
  return rest < 16 || rest > 1008;
}

__device__ unsigned remainder(unsigned n, unsigned g, unsigned r, unsigned& q) {
  q = r == 0 ? n : __umulhi(n, r);
  return n - q * g;
}

__global__ void transpose(double* out, const double* in, int width, int height, unsigned rx,
                          unsigned ry) {
  __shared__ double tile[32][33];
  unsigned bx = blockIdx.x, by = blockIdx.y;
  const bool cartesian_camps = width % 128 == 0 || height % 128 == 0;
  const bool diagonal_camps = !cartesian_camps && (near_half_the_partitions(width * 8) ||
                                                   near_half_the_partitions(height * 8));
  if (!diagonal_camps) {
    unsigned q, ignored;
    by = remainder(blockIdx.x + gridDim.x * blockIdx.y, gridDim.y, ry, q);
    bx = remainder(q + by, gridDim.x, rx, ignored);
  }
  double v[4];
  const int x = bx * 32 + threadIdx.x, y = by * 32 + threadIdx.y;
#pragma unroll
  for (int k = 0; k < 4; ++k)
    v[k] = x < width && y + 8 * k < height ? in[(y + 8 * k) * width + x] : 0;
#pragma unroll
  for (int k = 0; k < 4; ++k) tile[threadIdx.y + 8 * k][threadIdx.x] = v[k];
  __syncthreads();
  const int tx = by * 32 + threadIdx.x, ty = bx * 32 + threadIdx.y;
#pragma unroll
  for (int k = 0; k < 4; ++k)
    if (tx < height && ty + 8 * k < width)
      out[(ty + 8 * k) * height + tx] = tile[threadIdx.x][threadIdx.y + 8 * k];
}
