// SPDX-License-Identifier: Apache-2.0
// cause: writes_input line=11
// says: The products overwrite value, which is an input and must stay unchanged: keep them in
//   registers.
__global__ void spmv(float* y, const unsigned* row_begin, const unsigned* column,
                     const float* value, const float* x, unsigned rows) {
  const unsigned row = blockIdx.x * 8 + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  float* products = const_cast<float*>(value);
  const unsigned begin = row_begin[row], end = row_begin[row + 1];
  for (unsigned i = begin + lane; i < end; i += 32) products[i] *= x[column[i]];
  float sum = 0;
  for (unsigned i = begin + lane; i < end; i += 32) sum += products[i];
  for (unsigned step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, step);
  if (lane == 0) y[row] = sum;
}
