// SPDX-License-Identifier: Apache-2.0
// tries: Writes before the output, where the harness may keep the size.
// stopped by: Every write outside a buffer is found (common/sim/memory/access.cpp,
//   common/gpu/session.cpp).
// verdict: fail diagnostic out_of_bounds, 0 points
__global__ void copy(float* out, const float* in, int width, int height) {
  if (blockIdx.x == 0 && threadIdx.x == 0 && threadIdx.y == 0) out[-2] = 1;
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int row = blockIdx.y * 32 + threadIdx.y; row < blockIdx.y * 32 + 32; row += 8) {
    if (column < width && row < height) out[row * width + column] = in[row * width + column];
  }
}
