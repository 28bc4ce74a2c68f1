// SPDX-License-Identifier: Apache-2.0
// fails: incorrect
// Reads 16 neighbouring indices, as if `index` had n rows of 16 instead of 16 rows of n.
__global__ void gather_sum(float* out, const float* in, const unsigned* index, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (unsigned j = 0; j < 16; ++j) sum += in[index[16 * i + j]];
  out[i] = sum;
}
