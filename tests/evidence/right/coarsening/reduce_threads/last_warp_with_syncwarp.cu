// SPDX-License-Identifier: Apache-2.0
// One warp does the last steps of the tree, with __syncwarp between reads and writes.
template <int Factor>
__global__ void reduce_threads(float* partial, const float* in, unsigned n) {
  constexpr int kThreads = 512 / Factor;
  extern __shared__ float s[];
  const unsigned t = threadIdx.x;
  float sum = 0;
#pragma unroll
  for (int k = 0; k < Factor; ++k) {
    const unsigned i = blockIdx.x * 512u + k * kThreads + t;
    sum += i < n ? in[i] : 0.f;
  }
  s[t] = sum;
  __syncthreads();
#pragma unroll
  for (int half = kThreads / 2; half >= 32; half /= 2) {
    if (t < half) s[t] = sum = sum + s[t + half];
    __syncthreads();
  }
  if (t < 32) {
#pragma unroll
    for (int half = 16; half > 0; half /= 2) {
      const float other = s[t + half];
      __syncwarp();
      sum += other;
      s[t] = sum;
      __syncwarp();
    }
    if (t == 0) *(partial + blockIdx.x) = sum;
  }
}
