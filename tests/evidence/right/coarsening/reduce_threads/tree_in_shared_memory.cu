// SPDX-License-Identifier: Apache-2.0
// Each thread does the work of Factor threads at every step, the tree included.
constexpr unsigned kPart = 512;

template <int Factor>
__global__ void reduce_threads(float* partial, const float* in, unsigned n) {
  constexpr unsigned kThreads = kPart / Factor;
  extern __shared__ float sums[];
  for (unsigned t = threadIdx.x; t < kPart; t += kThreads) {
    const unsigned i = blockIdx.x * kPart + t;
    sums[t] = i < n ? in[i] : 0.0f;
  }
  __syncthreads();
  for (unsigned half = kPart / 2; half > 0; half /= 2) {
    for (unsigned t = threadIdx.x; t < half; t += kThreads) sums[t] += sums[t + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = sums[0];
}
