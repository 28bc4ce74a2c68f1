// SPDX-License-Identifier: Apache-2.0
// tries: Copies from a 16 MB variable that might still contain an earlier result, and never reads
//   the input.
// stopped by: Each launch starts with variables set to zero (common/gpu/session.cpp,
//   common/sim/simulator.cpp).
// verdict: fail diagnostic out_of_bounds, 0 points
// verdict on a GPU: fail, 0 points
__device__ float kept[2048 * 2048];
__global__ void copy(float* out, const float* in, int width, int height) {
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int row = blockIdx.y * 32 + threadIdx.y; row < blockIdx.y * 32 + 32; row += 8) {
    if (column < width && row < height) out[row * width + column] = kept[row * width + column];
  }
}
