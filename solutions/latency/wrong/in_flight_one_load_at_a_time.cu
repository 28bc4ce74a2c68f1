// SPDX-License-Identifier: Apache-2.0
// fails: performance gate=speed_h200
// cause: few_loads_in_flight line=10
// The sum is in a register, but the loop is not unrolled: one load in flight at a time.
__global__ void gather_sum(float* out, const float* in, const unsigned* index, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
#pragma unroll 1
  for (unsigned j = 0; j < 16; ++j) sum += in[index[i + j * n]];
  out[i] = sum;
}
