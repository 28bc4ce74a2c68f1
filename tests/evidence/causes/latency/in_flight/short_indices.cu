// SPDX-License-Identifier: Apache-2.0
// cause: index_overflow line=11
// says: The indices are kept in unsigned short: those from 65,536 on wrap.
// never: barrier
// Half the registers for the indices.
__global__ void gather_sum(float* out, const float* in, const unsigned* index, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned short at[16];
#pragma unroll
  for (unsigned j = 0; j < 16; ++j) at[j] = index[i + j * n];
  float sum = 0;
#pragma unroll
  for (unsigned j = 0; j < 16; ++j) sum += in[at[j]];
  out[i] = sum;
}
