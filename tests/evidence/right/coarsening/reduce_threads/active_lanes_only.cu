// SPDX-License-Identifier: Apache-2.0
// The first warp adds the values of all other warps. Then only active lanes shuffle, with masks of
// 32, 16, 8, 4 and 2 lanes.
template <int Factor>
__global__ void reduce_threads(float* partial, const float* in, unsigned n) {
  extern __shared__ float s[];
  constexpr unsigned kThreads = 512 / Factor;
  float sum = 0;
  const unsigned begin = blockIdx.x * 512, end = begin + 512 < n ? begin + 512 : n;
  for (unsigned i = begin + threadIdx.x; i < end; i += kThreads) sum += in[i];
  s[threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.x < 32) {
    for (unsigned i = threadIdx.x + 32; i < kThreads; i += 32) sum += s[i];
    unsigned mask = 0xffffffffu;
    for (unsigned half = 16; half > 0; half /= 2) {
      sum += __shfl_down_sync(mask, sum, half);
      mask >>= half;
      if (threadIdx.x >= half) break;
    }
    if (threadIdx.x == 0) partial[blockIdx.x] = sum;
  }
}
