// SPDX-License-Identifier: Apache-2.0
// cause: few_loads_in_flight line=12
// says: Neither loop is unrolled, so a thread has one load in flight at a time, first of the
//   indices and then of the elements: unroll both.
// never: several threads
__global__ void gather_sum(float* out, const float* in, const unsigned* index, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  extern __shared__ unsigned kept[];
  volatile unsigned* mine = kept + threadIdx.x;
#pragma unroll 1
  for (unsigned j = 0; j < 16; ++j) mine[j * 64] = index[i + j * n];
  float sum = 0;
#pragma unroll 1
  for (unsigned j = 0; j < 16; ++j) sum += in[mine[j * 64]];
  out[i] = sum;
}
