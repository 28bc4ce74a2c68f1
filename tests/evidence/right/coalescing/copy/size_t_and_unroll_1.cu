// SPDX-License-Identifier: Apache-2.0
// 64-bit indices in a loop with `#pragma unroll 1`.
__global__ void copy(float* out, const float* in, int width, int height) {
  const size_t x = static_cast<size_t>(blockIdx.x) * 32 + threadIdx.x;
  const size_t first = static_cast<size_t>(blockIdx.y) * 32 + threadIdx.y;
#pragma unroll 1
  for (size_t y = first; y < first + 32; y += 8) {
    const size_t at = y * static_cast<size_t>(width) + x;
    if (x < static_cast<size_t>(width) && y < static_cast<size_t>(height)) out[at] = in[at];
  }
}
