// SPDX-License-Identifier: Apache-2.0
// The expected results of this lab: one thread per row adds its products in their order.
//
// Values are multiples of 1/8 below 32, elements of x whole numbers up to 7. So every product is a
// multiple of 1/8 below 224, and sums are exact in any order as long as they stay below 2^21. Signs
// are random: a sum of 8,192 products has a standard deviation of about 7,000.
__global__ void spmv_reference(float* y, const unsigned* row_begin, const unsigned* column,
                               const float* value, const float* x, unsigned rows) {
  const unsigned row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  for (unsigned i = row_begin[row]; i < row_begin[row + 1]; ++i) sum += value[i] * x[column[i]];
  y[row] = sum;
}
