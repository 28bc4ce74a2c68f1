// SPDX-License-Identifier: Apache-2.0
// cause: missing_atomic line=29
// says: Eight warps add their parts of a long row to the same y[row] by a plain +=, so parts get lost; use
//   atomicAdd.
constexpr unsigned kLimit = 512;

__device__ float dot(const unsigned* column, const float* value, const float* x, unsigned i,
                     unsigned end, unsigned step) {
  float a = 0, b = 0;
  for (; i + step < end; i += 2 * step) {
    a += value[i] * x[column[i]];
    b += value[i + step] * x[column[i + step]];
  }
  if (i < end) a += value[i] * x[column[i]];
  a += b;
  for (int d = 16; d > 0; d /= 2) a += __shfl_xor_sync(0xffffffffu, a, d);
  return a;
}

__global__ void spmv(float* y, const unsigned* row_begin, const unsigned* column,
                     const float* value, const float* x, unsigned rows) {
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (unsigned k = 0; k < 8; ++k) {
    const unsigned row = blockIdx.x * 8 + k;
    if (row >= rows) break;
    const unsigned begin = row_begin[row], end = row_begin[row + 1];
    if (end - begin > kLimit) {
      const float sum = dot(column, value, x, begin + threadIdx.x, end, 256);
      if (lane == 0) y[row] += sum;
    } else if (warp == k) {
      const float sum = dot(column, value, x, begin + lane, end, 32);
      if (lane == 0) y[row] = sum;
    }
  }
}
