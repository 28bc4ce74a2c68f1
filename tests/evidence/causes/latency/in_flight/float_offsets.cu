// SPDX-License-Identifier: Apache-2.0
// cause: float_index line=11
// says: The position of the index is computed in float, which holds odd numbers only up to 2^24.
// never: barrier
__global__ void gather_sum(float* out, const float* in, const unsigned* index, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned at[16];
  const float rows = n;
#pragma unroll
  for (int j = 0; j < 16; ++j) at[j] = index[(unsigned)(i + j * rows)];
  float sum = 0;
#pragma unroll
  for (int j = 0; j < 16; ++j) sum += in[at[j]];
  out[i] = sum;
}
