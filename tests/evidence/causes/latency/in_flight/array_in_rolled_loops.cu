// SPDX-License-Identifier: Apache-2.0
// cause: local_memory|few_loads_in_flight line=11
// says: The loops are not unrolled, so the array has variable indices and lies in local memory, and each index is
//   waited for; unroll both loops completely.
__global__ void gather_sum(float* out, const float* in, const unsigned* index, unsigned n) {
  const unsigned i = blockIdx.x * 64 + threadIdx.x;
  if (i >= n) return;

  unsigned at[16];
#pragma unroll 1
  for (int j = 0; j < 16; ++j) at[j] = index[i + j * n];

  float sum = 0;
#pragma unroll 1
  for (int j = 15; j >= 0; --j) sum += in[at[j]];
  out[i] = sum;
}
