// SPDX-License-Identifier: Apache-2.0
// cause: wrong_index|wrong_guard line=11
// says: The loop over the rest begins with j = 0 again and ends at 14: the first element counts
//   twice and the last is missing.
// never: barrier
__global__ void gather_sum(float* out, const float* in, const unsigned* index, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = in[index[i]];
#pragma unroll
  for (unsigned j = 0; j < 15; ++j) sum += in[index[i + j * n]];
  out[i] = sum;
}
