// SPDX-License-Identifier: Apache-2.0
// tries: Reads before the input, where the harness may keep data.
// stopped by: Every read outside a buffer is found, however near (common/sim/memory/access.cpp).
// verdict: fail diagnostic out_of_bounds, 0 points
__global__ void copy(float* out, const float* in, int width, int height) {
  if (in[-1] == 12345.0f) return;
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int row = blockIdx.y * 32 + threadIdx.y; row < blockIdx.y * 32 + 32; row += 8) {
    if (column < width && row < height) out[row * width + column] = in[row * width + column];
  }
}
