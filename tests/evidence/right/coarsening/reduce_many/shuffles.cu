// SPDX-License-Identifier: Apache-2.0
// Two elements per iteration; warps reduce with shuffles.
constexpr unsigned kAllLanes = 0xffffffffu;

__device__ float warp_sum(float value) {
  for (int step = 16; step > 0; step /= 2) value += __shfl_down_sync(kAllLanes, value, step);
  return value;
}

__global__ void reduce_many(float* partial, const float* in, unsigned n) {
  __shared__ float sums[32];
  const unsigned stride = 2 * gridDim.x * blockDim.x;
  float sum = 0;
  for (unsigned i = blockIdx.x * 2 * blockDim.x + threadIdx.x; i < n; i += stride) {
    const float a = in[i];
    const float b = i + blockDim.x < n ? in[i + blockDim.x] : 0.0f;
    sum += a + b;
  }
  sum = warp_sum(sum);
  if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x < 32) {
    sum = warp_sum(threadIdx.x < blockDim.x / 32 ? sums[threadIdx.x] : 0.0f);
    if (threadIdx.x == 0) partial[blockIdx.x] = sum;
  }
}
