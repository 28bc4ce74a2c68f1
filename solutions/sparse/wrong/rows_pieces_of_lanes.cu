// SPDX-License-Identifier: Apache-2.0
// fails: mechanism gate=sectors_of_long_rows
// A warp per row, but each lane has a contiguous piece of it: neighbouring lanes load words that
// are several sectors apart if the row is long.
__global__ void spmv(float* y, const unsigned* row_begin, const unsigned* column,
                     const float* value, const float* x, unsigned rows) {
  const unsigned row = blockIdx.x * 8 + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  const unsigned begin = row_begin[row], end = row_begin[row + 1];
  float sum = 0;
  const unsigned each = (end - begin + 31) / 32;
  for (unsigned i = begin + lane * each; i < end && i < begin + (lane + 1) * each; ++i)
    sum += value[i] * x[column[i]];
  for (unsigned step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, step);
  if (lane == 0) y[row] = sum;
}
