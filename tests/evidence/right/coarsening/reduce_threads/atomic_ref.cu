// SPDX-License-Identifier: Apache-2.0
// Each warp adds its sum once, through a cuda::atomic_ref of block scope.
#include <cuda/atomic>

template <int Factor>
__global__ void reduce_threads(float* partial, const float* in, unsigned n) {
  extern __shared__ float total[];
  if (threadIdx.x == 0) *total = 0.0f;
  __syncthreads();
  float sum = 0;
  for (unsigned k = 0; k < Factor; ++k) {
    const unsigned i = blockIdx.x * 512 + k * blockDim.x + threadIdx.x;
    if (i < n) sum += in[i];
  }
  for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffffu, sum, d);
  if (threadIdx.x % 32 == 0) {
    cuda::atomic_ref<float, cuda::thread_scope_block> all(*total);
    all.fetch_add(sum, cuda::std::memory_order_relaxed);
  }
  __syncthreads();
  if (threadIdx.x == 0) partial[blockIdx.x] = *total;
}
