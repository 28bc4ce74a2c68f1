// SPDX-License-Identifier: Apache-2.0
// Four sums of four elements each; all indices are loaded first.
__global__ void gather_sum(float* out, const float* in, const unsigned* index, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;

  float sum[4] = {};
  unsigned at[16];
#pragma unroll
  for (unsigned j = 0; j < 16; ++j) at[j] = index[i + j * n];
#pragma unroll
  for (unsigned j = 0; j < 16; ++j) sum[j % 4] += in[at[j]];
  out[i] = (sum[0] + sum[1]) + (sum[2] + sum[3]);
}
