// SPDX-License-Identifier: Apache-2.0
// Each row starts at a multiple of 32 elements, so every warp load is aligned to 128 bytes.
__global__ void spmv(float* y, const unsigned* row_begin, const unsigned* column,
                     const float* value, const float* x, unsigned rows) {
  const unsigned row = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
  const unsigned lane = threadIdx.x & 31;
  if (row >= rows) return;
  const unsigned begin = row_begin[row], end = row_begin[row + 1];
  double sum = 0;
  for (unsigned i = (begin & ~31u) + lane; i < end; i += 32) {
    if (i >= begin) sum += (double)value[i] * x[column[i]];
  }
#pragma unroll
  for (int d = 1; d < 32; d *= 2) sum += __shfl_xor_sync(~0u, sum, d);
  if (lane == 0) y[row] = (float)sum;
}
