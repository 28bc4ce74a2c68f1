// SPDX-License-Identifier: Apache-2.0
// A __restrict__ pointer and __ldg, in a loop that runs backwards.
__global__ void gather_sum(float* out, const float* in, const unsigned* index, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;

  const unsigned* __restrict__ indices = index + i;
  float sum = 0;
#pragma unroll
  for (int j = 15; j >= 0; --j) sum += __ldg(in + __ldg(indices + j * n));
  out[i] = sum;
}
