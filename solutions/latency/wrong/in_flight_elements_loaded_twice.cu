// SPDX-License-Identifier: Apache-2.0
// fails: mechanism gate=loads
// cause: redundant_loads
// Loads every element twice; the second value is only tested for NaN at the end.
__global__ void gather_sum(float* out, const float* in, const unsigned* index, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;

  float sum = 0, last = 0;
  const volatile float* again = in;
#pragma unroll
  for (unsigned j = 0; j < 16; ++j) {
    sum += in[index[i + j * n]];
    last = again[index[i + j * n]];
  }
  out[i] = last == last ? sum : 0;
}
