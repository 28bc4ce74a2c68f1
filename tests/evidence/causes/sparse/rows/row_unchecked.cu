// SPDX-License-Identifier: Apache-2.0
// cause: missing_guard|out_of_bounds line=8
// says: If rows is no multiple of 8, the last block reads row_begin past its end: return if row
//   >= rows.
__global__ void spmv(float* y, const unsigned* row_begin, const unsigned* column,
                     const float* value, const float* x, unsigned rows) {
  const unsigned row = blockIdx.x * 8 + threadIdx.x / 32, lane = threadIdx.x % 32;
  const unsigned begin = row_begin[row], end = row_begin[row + 1];
  float sum = 0;
  for (unsigned i = begin + lane; i < end; i += 32) sum += value[i] * x[column[i]];
  sum += __shfl_down_sync(~0u, sum, 16);
  sum += __shfl_down_sync(~0u, sum, 8);
  sum += __shfl_down_sync(~0u, sum, 4);
  sum += __shfl_down_sync(~0u, sum, 2);
  sum += __shfl_down_sync(~0u, sum, 1);
  if (lane == 0) y[row] = sum;
}
