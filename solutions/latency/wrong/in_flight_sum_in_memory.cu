// SPDX-License-Identifier: Apache-2.0
// fails: mechanism gate=sectors_stored
// cause: redundant_stores line=10
// Stores the first element, then adds the others to it in global memory.
__global__ void gather_sum(float* out, const float* in, const unsigned* index, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = in[index[i]];
#pragma unroll
  for (unsigned j = 1; j < 16; ++j) out[i] += in[index[i + j * n]];
}
