// SPDX-License-Identifier: Apache-2.0
// fails: diagnostic uninitialized_read
// cause: uninitialised line=13
// Each lane adds its sum to an output that was never set to 0.
__global__ void spmv(float* y, const unsigned* row_begin, const unsigned* column,
                     const float* value, const float* x, unsigned rows) {
  const unsigned row = blockIdx.x * 8 + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;

  const unsigned end = row_begin[row + 1];
  float sum = 0;
  for (unsigned i = row_begin[row] + lane; i < end; i += 32) sum += value[i] * x[column[i]];
  atomicAdd(&y[row], sum);
}
