// SPDX-License-Identifier: Apache-2.0
// tries: Loads the first eight elements twice instead of all 16, so half of the loads hit a cache.
// stopped by: Results are compared with a reference (common/verify/compare.cpp).
// verdict: fail incorrect, 0 points
__global__ void gather_sum(float* out, const float* in, const unsigned* index, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
#pragma unroll
  for (unsigned j = 0; j < 16; ++j) {
    const volatile unsigned* at = &index[i + j % 8 * n];
    sum += in[*at];
  }
  out[i] = sum;
}
