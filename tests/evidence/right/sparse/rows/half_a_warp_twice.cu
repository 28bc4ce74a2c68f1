// SPDX-License-Identifier: Apache-2.0
// A warp per row: each lane loads two elements per step and keeps two sums. The shuffles halve
// their width in each step.
__global__ void spmv(float* y, const unsigned* row_begin, const unsigned* column,
                     const float* value, const float* x, unsigned rows) {
  const unsigned row = blockIdx.x * 8 + threadIdx.y + threadIdx.x / 32;
  if (row >= rows) return;
  const unsigned begin = row_begin[row], n = row_begin[row + 1] - begin, lane = threadIdx.x % 32;
  column += begin;
  value += begin;
  float even = 0, odd = 0;
  unsigned i = lane;
  for (; i + 32 < n; i += 64) {
    const unsigned a = column[i], b = column[i + 32];
    even += value[i] * x[a];
    odd += value[i + 32] * x[b];
  }
  if (i < n) even += value[i] * x[column[i]];
  float sum = even + odd;
  sum += __shfl_down_sync(~0u, sum, 16);
  sum += __shfl_down_sync(~0u, sum, 8, 16);
  sum += __shfl_down_sync(~0u, sum, 4, 8);
  sum += __shfl_down_sync(~0u, sum, 2, 4);
  sum += __shfl_down_sync(~0u, sum, 1, 2);
  if (lane == 0) y[row] = sum;
}
