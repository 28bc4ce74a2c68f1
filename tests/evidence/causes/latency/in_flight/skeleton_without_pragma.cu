// SPDX-License-Identifier: Apache-2.0
// cause: redundant_stores|few_loads_in_flight line=10
// says: A thread stores its element after each addition, 17 times, and each store keeps the next
//   loads behind it: add in a register.
// never: several threads;give each thread its own
__global__ void gather_sum(float* out, const float* in, const unsigned* index, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = 0;
  for (unsigned j = 0; j < 16; ++j) out[i] += in[index[i + j * n]];
}
