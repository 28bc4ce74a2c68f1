// SPDX-License-Identifier: Apache-2.0
// Two groups of eight indices; both are loaded before the first elements are added.
__global__ void gather_sum(float* out, const float* in, const unsigned* index, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;

  unsigned first[8], second[8];
#pragma unroll
  for (unsigned j = 0; j < 8; ++j) {
    first[j] = index[i + j * n];
    second[j] = index[i + (j + 8) * n];
  }
  float low = 0, high = 0;
#pragma unroll
  for (unsigned j = 0; j < 8; ++j) {
    low += in[first[j]];
    high += in[second[j]];
  }
  out[i] = low + high;
}
