// SPDX-License-Identifier: Apache-2.0
// fails: diagnostic out_of_bounds
// cause: wrong_guard line=12
// Treats `end` as the last element of the row, so it reads one element too many.
__global__ void spmv(float* y, const unsigned* row_begin, const unsigned* column,
                     const float* value, const float* x, unsigned rows) {
  const unsigned row = blockIdx.x * 8 + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;

  const unsigned end = row_begin[row + 1];
  float sum = 0;
  for (unsigned i = row_begin[row] + lane; i <= end; i += 32) sum += value[i] * x[column[i]];
  for (unsigned step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, step);
  if (lane == 0) y[row] = sum;
}
