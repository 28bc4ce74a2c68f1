// SPDX-License-Identifier: Apache-2.0
// cause: swapped_indices|wrong_stride line=9
// says: index[i * 16 + j] are 16 neighbours, but a thread's indices are n words apart.
__global__ void gather_sum(float* out, const float* in, const unsigned* index, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned at[16];
#pragma unroll
  for (unsigned j = 0; j < 16; ++j) at[j] = index[i * 16 + j];
  float sum = 0;
#pragma unroll
  for (unsigned j = 0; j < 16; ++j) sum += in[at[j]];
  out[i] = sum;
}
