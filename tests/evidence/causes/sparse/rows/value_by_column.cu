// SPDX-License-Identifier: Apache-2.0
// cause: wrong_index|out_of_bounds line=12
// says: Element i is value[i] * x[column[i]]: the index through column belongs to x, not to
//   value.
__global__ void spmv(float* y, const unsigned* row_begin, const unsigned* column,
                     const float* value, const float* x, unsigned rows) {
  const unsigned row = blockIdx.x * 8 + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  float sum = 0;
  for (unsigned i = row_begin[row] + lane; i < row_begin[row + 1]; i += 32) {
    const unsigned c = column[i];
    sum += value[c] * x[c];
  }
  for (unsigned step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, step);
  if (lane == 0) y[row] = sum;
}
