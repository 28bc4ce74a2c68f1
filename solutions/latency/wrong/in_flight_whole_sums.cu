// SPDX-License-Identifier: Apache-2.0
// fails: incorrect
// cause: wrong_rounding
// Adds up in int, so the eighths are lost.
__global__ void gather_sum(float* out, const float* in, const unsigned* index, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int sum = 0;
  for (unsigned j = 0; j < 16; ++j) sum += in[index[i + j * n]];
  out[i] = sum;
}
