// SPDX-License-Identifier: Apache-2.0
// fails: incorrect
// cause: wrong_guard
// Adds only 15 of the 16 elements.
__global__ void gather_sum(float* out, const float* in, const unsigned* index, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (unsigned j = 0; j < 15; ++j) sum += in[index[i + j * n]];
  out[i] = sum;
}
