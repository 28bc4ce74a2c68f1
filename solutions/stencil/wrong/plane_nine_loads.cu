// SPDX-License-Identifier: Apache-2.0
// fails: mechanism gate=sectors_loaded
// cause: no_tile line=15
// Loads all nine points of the 3 x 3 neighbourhood, but needs only five.
__global__ void heat(float* out, const float* in, int width, int height) {
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (x >= width || y >= height) return;
  const int i = y * width + x;
  if (x == 0 || y == 0 || x == width - 1 || y == height - 1) {
    out[i] = in[i];
    return;
  }
  float around[9];
#pragma unroll
  for (int k = 0; k < 9; ++k) around[k] = in[i + (k / 3 - 1) * width + k % 3 - 1];
  float sum = 0, unused = 0;
#pragma unroll
  for (int k = 0; k < 9; ++k) (k % 2 == 1 || k == 4 ? sum : unused) += around[k];
  out[i] = 0.2f * sum + (unused < -100 ? unused : 0);  // inputs are above -1, so this adds 0
}
