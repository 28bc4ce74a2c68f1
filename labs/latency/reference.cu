// SPDX-License-Identifier: Apache-2.0
// The expected results of this lab: one thread per element of the result.
//
// Elements of `in` are small multiples of 1/8, so sums are exact in any order.
__global__ void gather_reference(float* out, const float* in, const unsigned* index, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (unsigned j = 0; j < 16; ++j) sum += in[index[i + j * n]];
  out[i] = sum;
}
