// SPDX-License-Identifier: Apache-2.0
// libcu++ on the device: matrices as cuda::std::span, and integers of cuda::std.
#include <cuda/std/cstdint>
#include <cuda/std/span>
#include <cuda/std/utility>

__global__ void copy(float* out, const float* in, int width, int height) {
  const cuda::std::size_t count = cuda::std::size_t(width) * height;
  const cuda::std::span<const float> from(in, count);
  const cuda::std::span<float> to(out, count);
  const int column = blockIdx.x * 32 + threadIdx.x;
  const int first = blockIdx.y * 32, last = min(first + 32, height);
  if (column < width)
    for (int row = first + threadIdx.y; row < last; row += 8)
      to[row * width + column] = from[row * width + column];
}
