// SPDX-License-Identifier: Apache-2.0
// Ignores its reciprocals: computes the quotient in float and corrects it if it is off by one.
__device__ unsigned quotient(unsigned n, unsigned d) {
  unsigned q = __float2uint_rz(__fmul_rn(__uint2float_rn(n), __frcp_rn(__uint2float_rn(d))));
  if (q * d > n) q--;
  if (n - q * d >= d) q++;
  return q;
}

__global__ void transpose(double* out, const double* in, int width, int height, unsigned,
                          unsigned) {
  __shared__ double tile[32][33];
  const unsigned id = blockIdx.x + gridDim.x * blockIdx.y;
  const unsigned q = quotient(id, gridDim.y), by = id - q * gridDim.y;
  const unsigned bx = q + by - quotient(q + by, gridDim.x) * gridDim.x;
  const int x = bx * 32 + threadIdx.x, y = by * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < width && y + j < height) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
  __syncthreads();
  const int tx = by * 32 + threadIdx.x, ty = bx * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (tx < height && ty + j < width)
      out[(ty + j) * height + tx] = tile[threadIdx.x][threadIdx.y + j];
}
