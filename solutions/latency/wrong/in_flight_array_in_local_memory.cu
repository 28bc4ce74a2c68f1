// SPDX-License-Identifier: Apache-2.0
// fails: performance gate=speed_h200
// cause: local_memory
// An array of 16 indices, but the loops are not unrolled. So the array is in local memory, and each
// store to it waits for its load.
__global__ void gather_sum(float* out, const float* in, const unsigned* index, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned mine[16];
#pragma unroll 1
  for (unsigned j = 0; j < 16; ++j) mine[j] = index[i + j * n];
  float sum = 0;
#pragma unroll 1
  for (unsigned j = 0; j < 16; ++j) sum += in[mine[j]];
  out[i] = sum;
}
