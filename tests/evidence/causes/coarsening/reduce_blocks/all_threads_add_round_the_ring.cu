// SPDX-License-Identifier: Apache-2.0
// cause: race line=21
// says: All threads add in each step, so a thread reads a sum that another one changes in the same step; only half
//   of them may add.

constexpr int kThreads = 512;

template <int Factor>
__global__ void reduce_blocks(float* partial, const float* in, unsigned n) {
  extern __shared__ float ring[];
  const int t = threadIdx.x;
  for (int c = 0; c < Factor; ++c) {
    const unsigned i = (blockIdx.x * Factor + c) * kThreads + t;
    ring[c * kThreads + t] = i < n ? in[i] : 0.0f;
  }
  __syncthreads();
  // The last thread ends up with the sum.
  for (int half = kThreads / 2; half > 0; half /= 2) {
    for (int c = 0; c < Factor; ++c) {
      float* sums = ring + c * kThreads;
      sums[t] += sums[(t - half) & (kThreads - 1)];
    }
    __syncthreads();
  }
  if (t == kThreads - 1) {
    for (int c = 0; c < Factor; ++c) partial[blockIdx.x * Factor + c] = ring[c * kThreads + t];
  }
}
