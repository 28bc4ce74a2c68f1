// SPDX-License-Identifier: Apache-2.0
// tries: Reads what the harness may keep before the input.
// stopped by: Reads outside of a buffer, however near, are found (common/sim/memory/access.cpp).
// verdict: fail diagnostic out_of_bounds, 0 points
__global__ void copy(float* out, const float* in, int width, int height) {
  if (in[-1] == 12345.0f) return;
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int row = blockIdx.y * 32 + threadIdx.y; row < blockIdx.y * 32 + 32; row += 8) {
    if (column < width && row < height) out[row * width + column] = in[row * width + column];
  }
}
