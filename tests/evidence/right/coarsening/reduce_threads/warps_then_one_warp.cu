// SPDX-License-Identifier: Apache-2.0
// Two stages: each warp reduces with shuffles, then the first warp reduces the warp sums.
template <int Factor>
__global__ void reduce_threads(float* partial, const float* in, unsigned n) {
  extern __shared__ float warp_sums[];
  constexpr unsigned kThreads = 512 / Factor, kWarps = kThreads / 32;
  const unsigned first = blockIdx.x * 512 + threadIdx.x;
  float sum = 0;
#pragma unroll
  for (unsigned k = 0; k < Factor; ++k)
    if (first + k * kThreads < n) sum += in[first + k * kThreads];
  for (int d = 16; d > 0; d >>= 1) sum += __shfl_down_sync(0xffffffff, sum, d);
  if (threadIdx.x % 32 == 0) warp_sums[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x >= 32) return;
  sum = threadIdx.x < kWarps ? warp_sums[threadIdx.x] : 0;
  for (int d = 16; d > 0; d >>= 1) sum += __shfl_down_sync(0xffffffff, sum, d);
  if (threadIdx.x == 0) partial[blockIdx.x] = sum;
}
