// SPDX-License-Identifier: Apache-2.0
// tries: Makes a pointer from a number and reads whatever is there.
// stopped by: Everything outside the buffers is unmapped (common/sim/memory/address_space.cpp).
// verdict: fail diagnostic out_of_bounds, 0 points
__global__ void copy(float* out, const float* in, int width, int height) {
  const float* somewhere = (const float*)0x7f1234560000;
  if (*somewhere == 1.0f) return;
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int row = blockIdx.y * 32 + threadIdx.y; row < blockIdx.y * 32 + 32; row += 8) {
    if (column < width && row < height) out[row * width + column] = in[row * width + column];
  }
}
