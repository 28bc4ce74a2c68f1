// SPDX-License-Identifier: Apache-2.0
// Warps reduce with shuffles; shared memory holds one sum per warp.
constexpr unsigned kPart = 512;
constexpr unsigned kAllLanes = 0xffffffffu;

__device__ float warp_sum(float value) {
  for (int step = 16; step > 0; step /= 2) value += __shfl_down_sync(kAllLanes, value, step);
  return value;
}

template <int Factor>
__global__ void reduce_threads(float* partial, const float* in, unsigned n) {
  constexpr unsigned kThreads = kPart / Factor;
  extern __shared__ float sums[];
  float sum = 0;
#pragma unroll
  for (int c = 0; c < Factor; ++c) {
    const unsigned i = blockIdx.x * kPart + c * kThreads + threadIdx.x;
    sum += i < n ? in[i] : 0.0f;
  }
  sum = warp_sum(sum);
  if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x < 32) {
    sum = warp_sum(threadIdx.x < kThreads / 32 ? sums[threadIdx.x] : 0.0f);
    if (threadIdx.x == 0) partial[blockIdx.x] = sum;
  }
}
