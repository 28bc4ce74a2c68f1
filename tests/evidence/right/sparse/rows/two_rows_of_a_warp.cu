// SPDX-License-Identifier: Apache-2.0
// Half a warp per row: four warps compute the eight rows, and the other four exit at once.
__global__ void spmv(float* y, const unsigned* row_begin, const unsigned* column,
                     const float* value, const float* x, unsigned rows) {
  const unsigned half = threadIdx.x / 16, lane = threadIdx.x % 16;
  if (half >= 8) return;
  const unsigned row = blockIdx.x * 8 + half;
  float sum = 0;
  if (row < rows) {
    const unsigned end = row_begin[row + 1];
    for (unsigned i = row_begin[row] + lane; i < end; i += 16) sum += value[i] * x[column[i]];
  }
  for (unsigned step = 8; step > 0; step /= 2) sum += __shfl_down_sync(~0u, sum, step, 16);
  if (row < rows && lane == 0) y[row] = sum;
}
