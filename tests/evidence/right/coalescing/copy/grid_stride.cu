// SPDX-License-Identifier: Apache-2.0
// Treats the matrix as one long row and copies it in a grid-stride loop. Includes, a helper and
// `extern "C"` are as in typical programs.
#include <cuda_runtime.h>

#include <cstdint>

__device__ __forceinline__ unsigned thread_of_grid() {
  const unsigned block = blockIdx.y * gridDim.x + blockIdx.x;
  return (block * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}

extern "C" __global__ void copy(float* __restrict__ out, const float* __restrict__ in, int width,
                                int height) {
  const std::uint32_t count = static_cast<std::uint32_t>(width) * height;
  const std::uint32_t threads = gridDim.x * gridDim.y * blockDim.x * blockDim.y;
  for (std::uint32_t i = thread_of_grid(); i < count; i += threads) out[i] = in[i];
}
