// SPDX-License-Identifier: Apache-2.0
// fails: incorrect
// cause: wrong_operation
// Stores the sum of lane 0 and forgets the other lanes.
__global__ void spmv(float* y, const unsigned* row_begin, const unsigned* column,
                     const float* value, const float* x, unsigned rows) {
  const unsigned row = blockIdx.x * 8 + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;

  const unsigned end = row_begin[row + 1];
  float sum = 0;
  for (unsigned i = row_begin[row] + lane; i < end; i += 32) sum += value[i] * x[column[i]];
  if (lane == 0) y[row] = sum;
}
