// SPDX-License-Identifier: Apache-2.0
// fails: incorrect
// cause: unwritten line=12
// Sixteen threads load one element each and add them by shuffles. The launch has one thread per
// output, so only 1/16 of the outputs is computed.
__global__ void gather_sum(float* out, const float* in, const unsigned* index, unsigned n) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned i = thread / 16, j = thread % 16;
  if (i >= n) return;
  float sum = in[index[i + j * n]];
  for (unsigned step = 8; step > 0; step /= 2) sum += __shfl_down_sync(0xffffffffu, sum, step, 16);
  if (j == 0) out[i] = sum;
}
