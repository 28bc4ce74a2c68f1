// SPDX-License-Identifier: Apache-2.0
// Divides with __umulhi. The tile of doubles is swizzled, and the loops are unrolled.
__device__ __forceinline__ uint2 divide(unsigned n, unsigned g, unsigned reciprocal) {
  const unsigned q = reciprocal ? __umulhi(n, reciprocal) : n;
  return make_uint2(q, n - q * g);
}

__global__ void transpose(double* out, const double* in, int width, int height, unsigned rx,
                          unsigned ry) {
  __shared__ double tile[32][32];
  const uint2 d = divide(blockIdx.x + gridDim.x * blockIdx.y, gridDim.y, ry);
  const unsigned by = d.y, bx = divide(d.x + d.y, gridDim.x, rx).y;
  const int x = bx * 32 + threadIdx.x, y = by * 32 + threadIdx.y;
#pragma unroll
  for (int j = 0; j < 32; j += 8) {
    const int row = threadIdx.y + j;
    if (x < width && y + j < height) tile[row][threadIdx.x ^ row] = in[(y + j) * width + x];
  }
  __syncthreads();
  const int tx = by * 32 + threadIdx.x, ty = bx * 32 + threadIdx.y;
#pragma unroll
  for (int j = 0; j < 32; j += 8) {
    const int row = threadIdx.y + j;
    if (tx < height && ty + j < width)
      out[(ty + j) * height + tx] = tile[threadIdx.x][threadIdx.x ^ row];
  }
}
