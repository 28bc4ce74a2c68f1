// SPDX-License-Identifier: Apache-2.0
// cause: redundant_stores line=12
// says: A thread stores its element 17 times, once for each addition: add in a register and
//   store once.
// never: several threads;give each thread its own
__global__ void gather_sum(float* out, const float* in, const unsigned* index, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float* s = out + i;
  *s = 0;
#pragma unroll
  for (unsigned j = 0; j < 16; ++j) *s += in[index[i + j * n]];
}
