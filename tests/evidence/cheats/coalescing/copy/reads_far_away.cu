// SPDX-License-Identifier: Apache-2.0
// tries: Reads memory a gigabyte after its input, where other allocations may be.
// stopped by: The simulator's regions are far apart, and everything else is unmapped
//   (common/sim/memory/address_space.cpp).
// verdict: fail diagnostic out_of_bounds, 0 points
__global__ void copy(float* out, const float* in, int width, int height) {
  if (in[1ll << 28] == 12345.0f) return;
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int row = blockIdx.y * 32 + threadIdx.y; row < blockIdx.y * 32 + 32; row += 8) {
    if (column < width && row < height) out[row * width + column] = in[row * width + column];
  }
}
