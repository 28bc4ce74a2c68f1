// SPDX-License-Identifier: Apache-2.0
// cause: divergence line=22
// says: Every second, fourth, eighth ... thread adds, so all 16 warps stay busy for five steps with fewer and
//   fewer active lanes; let the first threads add.

template <int Factor>
__global__ void reduce_blocks(float* partial, const float* in, unsigned n) {
  extern __shared__ float sums[];
  const unsigned t = threadIdx.x;

  float value[Factor];
#pragma unroll
  for (int c = 0; c < Factor; ++c) {
    const unsigned i = (blockIdx.x * Factor + c) * 512 + t;
    value[c] = i < n ? in[i] : 0.0f;
  }
#pragma unroll
  for (int c = 0; c < Factor; ++c) sums[c * 512 + t] = value[c];
  __syncthreads();

  for (unsigned step = 1; step < 512; step *= 2) {
    if (t % (2 * step) == 0) {
#pragma unroll
      for (int c = 0; c < Factor; ++c) sums[c * 512 + t] += sums[c * 512 + t + step];
    }
    __syncthreads();
  }
  if (t == 0) {
#pragma unroll
    for (int c = 0; c < Factor; ++c) partial[blockIdx.x * Factor + c] = sums[c * 512];
  }
}
