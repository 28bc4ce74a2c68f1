// SPDX-License-Identifier: Apache-2.0
// tries: Reads at most 256 elements of a row and scales their sum, so all rows are short.
// stopped by: Results are compared with a reference, bit by bit (common/verify/compare.cpp).
// verdict: fail incorrect, 0 points
__global__ void spmv(float* y, const unsigned* row_begin, const unsigned* column,
                     const float* value, const float* x, unsigned rows) {
  const unsigned row = blockIdx.x * 8 + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  const unsigned begin = row_begin[row], length = row_begin[row + 1] - begin;
  const unsigned read = min(length, 256u);
  float sum = 0;
  for (unsigned i = lane; i < read; i += 32) sum += value[begin + i] * x[column[begin + i]];
  for (unsigned step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, step);
  if (lane == 0) y[row] = length > read ? sum * length / read : sum;
}
